/// The kinds of shape, with the names that services and packages write.
public enum GeometryType: String, Hashable, Sendable, Codable, CaseIterable {
  case point = "esriGeometryPoint"
  case multipoint = "esriGeometryMultipoint"
  case polyline = "esriGeometryPolyline"
  case polygon = "esriGeometryPolygon"
  case envelope = "esriGeometryEnvelope"
}
