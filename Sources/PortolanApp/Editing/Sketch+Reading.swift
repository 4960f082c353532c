public import Foundation
internal import PortolanGeometry
internal import PortolanJSON

extension Sketch {
  /// Reads a shape: GeoJSON in degrees unless it is said to be native, or Esri JSON in the reference
  /// that it names.
  ///
  /// Shapes of a GeoJSON collection, which are of one kind, become the parts of one.
  ///
  /// - Parameters:
  ///   - data: The bytes.
  ///   - isNative: Whether coordinates whose reference is not said are in the layer's own.
  /// - Throws: What keeps the bytes from being a shape.
  public init(reading data: Data, isNative: Bool) throws {
    let json = try JSONValue(parsing: data)
    let object = json.object ?? [:]
    let part = object["geometry"] ?? json
    if object["type"]?.string != nil {
      self = .shape(try Self.whole(of: json), isNative ? nil : .wgs84)
      return
    }
    let reference = part.object?["spatialReference"].flatMap(SpatialReference.init(esriJSON:))
    self = .shape(try Geometry(esriJSON: part), reference ?? (isNative ? nil : .wgs84))
  }

  /// The shape of a GeoJSON document, the shapes of collections together.
  private static func whole(of document: JSONValue) throws -> Geometry {
    let members = shapes(in: document)
    guard let first = members.first, members.count > 1 else {
      return try Geometry(geoJSON: members.first ?? document["geometry"] ?? document)
    }
    var whole = try Geometry(geoJSON: first)
    for (index, member) in members.enumerated().dropFirst() {
      switch (whole, try Geometry(geoJSON: member)) {
      case (.polygon(let left), .polygon(let right)):
        whole = .polygon(Polygon(rings: left.rings + right.rings))
      case (.polyline(let left), .polyline(let right)):
        whole = .polyline(Polyline(paths: left.paths + right.paths))
      default:
        throw GeometryError.malformed(
          .geoJSON, place: "shape \(index + 1)",
          reason: "only areas, or only lines, can be taken together")
      }
    }
    return whole
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
