internal import PortolanJSON

/// The shapes that an expression names, in degrees.
struct GeoJSONShape: Sendable {
  typealias Point = FeatureGeometry.Point

  /// Vertices of one expression; more are refused.
  private static let maximumVertices = 100_000

  private(set) var points: [Point] = []
  private(set) var lines: [[Point]] = []
  private(set) var polygons: [[[Point]]] = []
  private var vertices = 0

  var isEmpty: Bool { points.isEmpty && lines.isEmpty && polygons.isEmpty }

  /// Reads a geometry, a feature or several; `nil` if it is none.
  init?(_ json: JSONValue) {
    guard let object = json.object else { return nil }
    let geometries: [JSONValue?]
    switch object["type"]?.string {
    case "FeatureCollection":
      guard let features = object["features"]?.array else { return nil }
      geometries = features.map { $0["geometry"] }
    case "Feature": geometries = [object["geometry"]]
    default: geometries = [json]
    }
    for geometry in geometries {
      guard let geometry, add(geometry) else { return nil }
    }
    guard !isEmpty, vertices <= Self.maximumVertices else { return nil }
  }

  private mutating func add(_ geometry: JSONValue) -> Bool {
    guard let coordinates = geometry["coordinates"] else { return false }
    switch geometry["type"]?.string {
    case "Point": return append(point(coordinates), to: \.points)
    case "MultiPoint": return append(path(coordinates), to: \.points)
    case "LineString": return append(path(coordinates).map { [$0] }, to: \.lines)
    case "MultiLineString": return append(paths(coordinates), to: \.lines)
    case "Polygon": return append(paths(coordinates).map { [$0] }, to: \.polygons)
    case "MultiPolygon":
      let polygons = coordinates.array?.compactMap { paths($0) }
      return append(polygons, to: \.polygons)
    default: return false
    }
  }

  private mutating func append<Element>(
    _ found: [Element]?, to list: WritableKeyPath<GeoJSONShape, [Element]>
  ) -> Bool {
    guard let found, !found.isEmpty else { return false }
    self[keyPath: list] += found
    return true
  }

  private mutating func point(_ json: JSONValue) -> [Point]? {
    path(.array([json]))
  }

  private mutating func path(_ json: JSONValue) -> [Point]? {
    guard let positions = json.array else { return nil }
    vertices += positions.count
    let points = positions.compactMap { position -> Point? in
      guard let x = position[0]?.double, let y = position[1]?.double, x.isFinite, y.isFinite else {
        return nil
      }
      return Point(x: x, y: y)
    }
    return points.count == positions.count ? points : nil
  }

  private mutating func paths(_ json: JSONValue) -> [[Point]]? {
    guard let list = json.array else { return nil }
    var paths: [[Point]] = []
    for element in list {
      guard let path = path(element) else { return nil }
      paths.append(path)
    }
    return paths
  }
}
