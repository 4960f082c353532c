public import PortolanGeometry
internal import PortolanJSON

/// Writes a GeoJSON FeatureCollection piece by piece, so that no more than a feature is held.
///
/// ```swift
/// var writer = GeoJSONFeatureCollectionWriter()
/// print(writer.opening)
/// for try await feature in features { print(writer.text(of: feature)) }
/// print(writer.closing)
/// ```
///
/// The pieces one after the other are the document: a feature a line, with the same bytes for the
/// same features.
public struct GeoJSONFeatureCollectionWriter: Sendable {
  private let members: JSONObject
  private var isFirst = true

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - name: A name for the collection, as GDAL reads and writes it.
  ///   - spatialReference: The spatial reference of the coordinates, if not WGS 84. Named in a
  ///     `crs` member, which RFC 7946 has dropped but GDAL and QGIS honour.
  public init(name: String? = nil, spatialReference: SpatialReference? = nil) {
    var members: JSONObject = ["type": "FeatureCollection"]
    members["name"] = name.map { .string($0) }
    members["crs"] = spatialReference.flatMap(Self.crs)
    self.members = members
  }

  /// The text before the first feature.
  public var opening: String {
    JSONValue.object(members).text().dropLast() + #","features":["#
  }

  /// The text of the next feature.
  public mutating func text(of feature: Feature) -> String {
    defer { isFirst = false }
    return (isFirst ? "\n" : ",\n") + feature.geoJSON().text()
  }

  /// The text after the last feature.
  public var closing: String { "\n]}\n" }

  private static func crs(_ reference: SpatialReference) -> JSONValue? {
    guard !reference.isWGS84, let id = reference.currentWKID else { return nil }
    // Esri's own ids begin where those of EPSG end.
    let authority = id > 32_767 ? "ESRI" : "EPSG"
    return [
      "type": "name", "properties": ["name": .string("urn:ogc:def:crs:\(authority)::\(id)")],
    ]
  }
}
