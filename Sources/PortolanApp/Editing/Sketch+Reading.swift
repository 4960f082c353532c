public import Foundation
internal import PortolanGeometry
internal import PortolanJSON

extension Sketch {
  /// Reads a shape: GeoJSON in degrees unless it is said to be native, or Esri JSON in the reference
  /// that it names.
  ///
  /// Shapes of a collection, which are of one kind, become one: the union of areas, the parts of lines.
  ///
  /// - Parameters:
  ///   - data: The bytes.
  ///   - isNative: Whether coordinates whose reference is not said are in the layer's own.
  /// - Throws: What keeps the bytes from being a shape.
  public init(reading data: Data, isNative: Bool) throws {
    try self.init(try JSONValue(parsing: data), isNative: isNative)
  }

  /// Reads a shape of a document; see ``init(reading:isNative:)``.
  init(_ document: JSONValue, isNative: Bool) throws {
    if Self.isGeoJSON(document) {
      self = .shape(try Self.whole(of: document), isNative ? nil : .wgs84)
      return
    }
    let features = (document["features"]?.array ?? []).compactMap { $0["geometry"] }
      .filter { $0 != .null }
    let shapes = features.isEmpty ? [document["geometry"] ?? document] : features
    // The features of a set have the reference of the set.
    let reference = SpatialReference(
      esriJSON: shapes[0]["spatialReference"] ?? document["spatialReference"])
    self = .shape(
      try Self.union(try shapes.map { try Geometry(esriJSON: $0) }, of: .esriJSON),
      reference ?? (isNative ? nil : .wgs84))
  }

  /// Whether a document is GeoJSON; Esri's programs name the type of a shape now and then as well.
  private static func isGeoJSON(_ document: JSONValue) -> Bool {
    document["type"]?.string != nil && document["rings"] == nil && document["paths"] == nil
      && document["xmin"] == nil
  }

  /// Whether a document is a feature or a collection of GeoJSON that holds no shape.
  static func isWithoutShapes(_ document: JSONValue) -> Bool {
    isGeoJSON(document) && shapes(in: document).isEmpty
  }

  /// The shape of a GeoJSON document, the shapes of collections together.
  private static func whole(of document: JSONValue) throws -> Geometry {
    let members = shapes(in: document)
    guard members.count > 1 else {
      return try Geometry(geoJSON: members.first ?? document["geometry"] ?? document)
    }
    return try union(try members.map { try Geometry(geoJSON: $0) }, of: .geoJSON)
  }

  /// Some shapes together: what two areas have in common would be a hole if they became parts of one.
  private static func union(
    _ shapes: [Geometry], of format: GeometryError.Format
  ) throws -> Geometry {
    guard shapes.count > 1 else { return shapes[0] }
    let areas = shapes.compactMap { shape -> Polygon? in
      guard case .polygon(let polygon) = shape else { return nil }
      return polygon
    }
    if areas.count == shapes.count { return .polygon(try GeometryEngine.union(areas)) }
    let lines = shapes.compactMap { shape -> Polyline? in
      guard case .polyline(let line) = shape else { return nil }
      return line
    }
    if lines.count == shapes.count { return .polyline(Polyline(paths: lines.flatMap(\.paths))) }
    // If all are points, the second is one too many.
    let other = shapes.firstIndex { $0.type != shapes[0].type } ?? 1
    throw GeometryError.malformed(
      format, place: "shape \(other + 1)",
      reason: "only areas, or only lines, can be taken together")
  }

  /// The shapes of a document that has some; features may have none.
  private static func shapes(in document: JSONValue) -> [JSONValue] {
    switch document["type"]?.string {
    case "FeatureCollection":
      return (document["features"]?.array ?? []).flatMap { shapes(in: $0) }
    case "Feature":
      guard let shape = document["geometry"], shape != .null else { return [] }
      return shapes(in: shape)
    case "GeometryCollection":
      return (document["geometries"]?.array ?? []).flatMap { shapes(in: $0) }
    default: return [document]
    }
  }
}
