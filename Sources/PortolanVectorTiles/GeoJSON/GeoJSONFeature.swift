internal import Foundation
internal import PortolanDrawing
internal import PortolanExpressions
internal import PortolanGeometry
internal import PortolanJSON

/// A feature of a document of GeoJSON, at its place as shares of the square world from its top left
/// corner, y downwards.
struct GeoJSONFeature: Sendable {
  /// The parallels at which the square world ends.
  private static let farthestLatitude = 85.051_128_779_806_59

  /// A number or a text.
  var id: StyleValue?
  /// The number of the feature in the document: those with several shapes are as many here.
  var number = 0
  var kind: VectorTileFeature.Kind
  var properties: FeatureProperties
  /// All points, or lines, or rings.
  var paths: [[Coordinate]]
  /// The importance of the vertices of lines and rings; empty before that is measured, and for
  /// points.
  private var importances: [VertexImportance] = []
  /// The rings that go around an area; the others are holes.
  var outerRings: Set<Int> = []

  /// The features of a document; those without a shape that can be drawn have no paths, for they count
  /// where features are numbered.
  static func features(of json: JSONValue) -> [GeoJSONFeature] {
    switch json["type"]?.string {
    case "FeatureCollection":
      (json["features"]?.array ?? []).enumerated().flatMap { number, json in
        parts(of: json, number: number)
      }
    default: parts(of: json, number: 0)
    }
  }

  /// A feature of a document, or a shape that stands for one, as one feature for each of its shapes.
  private static func parts(of json: JSONValue, number: Int) -> [GeoJSONFeature] {
    let isFeature = json["type"]?.string == "Feature"
    let shapes = shapes(of: isFeature ? json["geometry"] ?? .null : json, depth: 0)
    return (shapes.isEmpty ? [GeoJSONFeature()] : shapes).map { shape in
      var feature = shape
      feature.number = number
      guard isFeature else { return feature }
      feature.id = json["id"].flatMap { identifier(StyleValue($0)) }
      for member in json["properties"]?.object?.members ?? [] {
        feature.properties[member.name] = StyleValue(member.value)
      }
      return feature
    }
  }

  /// The identifier of a feature; `nil` for values that identify none.
  ///
  /// As in MapLibre a text that is a whole number counts as the number, and so does a Boolean.
  static func identifier(_ value: StyleValue) -> StyleValue? {
    switch value {
    case .number: value
    case .bool(let isTrue): .number(isTrue ? 1 : 0)
    case .text(let text): Int64(text).map { StyleValue.number(Double($0)) } ?? value
    default: nil
    }
  }

  private static func shapes(of json: JSONValue, depth: Int) -> [GeoJSONFeature] {
    if let parts = json["geometries"]?.array {
      // Collections of collections make no sense for long.
      return depth < 8 ? parts.flatMap { shapes(of: $0, depth: depth + 1) } : []
    }
    return GeoJSONFeature(json).map { [$0] } ?? []
  }

  /// A feature without a shape.
  private init() { (kind, properties, paths) = (.point, [:], []) }

  private init?(_ json: JSONValue) {
    let places = json["coordinates"] ?? .null
    let list = places.array ?? []
    properties = [:]
    switch json["type"]?.string {
    case "Point": (kind, paths) = (.point, [Self.path([places])])
    case "MultiPoint": (kind, paths) = (.point, [Self.path(list)])
    case "LineString": (kind, paths) = (.line, [Self.path(list)])
    case "MultiLineString": (kind, paths) = (.line, list.map { Self.path($0.array ?? []) })
    case "Polygon", "MultiPolygon":
      (kind, paths) = (.polygon, [])
      for polygon in json["type"]?.string == "Polygon" ? [list] : list.map({ $0.array ?? [] }) {
        outerRings.insert(paths.count)
        paths += polygon.map { Self.ring($0.array ?? []) }
      }
    default: return nil
    }
    guard paths.contains(where: { !$0.isEmpty }) else { return nil }
  }

  /// A place, as a cluster has it.
  init(at place: Coordinate, properties: FeatureProperties, id: StyleValue?) {
    self.id = id
    kind = .point
    self.properties = properties
    paths = [[place]]
  }

  private static func path(_ positions: [JSONValue]) -> [Coordinate] {
    positions.compactMap(share)
  }

  /// A position as shares of the square world; `nil` if it is none.
  static func share(_ position: JSONValue) -> Coordinate? {
    guard let longitude = position[0]?.double, let latitude = position[1]?.double,
      longitude.isFinite, latitude.isFinite
    else { return nil }
    let sine = sin(min(max(latitude, -farthestLatitude), farthestLatitude) * .pi / 180)
    return Coordinate(
      x: longitude / 360 + 0.5, y: 0.5 - 0.25 * log((1 + sine) / (1 - sine)) / .pi)
  }

  /// A ring without its last place, which is the first.
  private static func ring(_ positions: [JSONValue]) -> [Coordinate] {
    let path = path(positions)
    return path.count > 1 && path.first == path.last ? path.dropLast() : path
  }

  /// Measures how much the vertices of lines and rings matter.
  mutating func measureVertices() {
    guard kind != .point else { return }
    importances = paths.map { VertexImportance($0, isRing: kind == .polygon) }
  }

  /// The feature without the vertices, lines and areas that are too small to be seen.
  ///
  /// The tolerance is a share of the square world. Before vertices are measured all are seen.
  func simplified(_ tolerance: Double) -> GeoJSONFeature {
    guard importances.count == paths.count else { return self }
    var feature = self
    (feature.paths, feature.outerRings, feature.importances) = ([], [], [])
    var isAreaSeen = true
    for (number, path) in paths.enumerated() {
      let isSeen = isSeen(path, tolerance)
      let isOuter = outerRings.contains(number)
      if isOuter { isAreaSeen = isSeen }
      // An area that is left out has no holes.
      guard isSeen, isAreaSeen else { continue }
      if isOuter { feature.outerRings.insert(feature.paths.count) }
      feature.paths.append(importances[number].seen(of: path, tolerance: tolerance))
    }
    return feature
  }

  /// Whether a line is longer than the tolerance, or a ring has more room than its square.
  private func isSeen(_ path: [Coordinate], _ tolerance: Double) -> Bool {
    let line = kind == .polygon ? path + path.prefix(1) : path
    let edges = zip(line, line.dropFirst())
    if kind == .line {
      let length = edges.reduce(0.0) { $0 + PixelPath.distance($1.0, $1.1) }
      return length > tolerance
    }
    let area = edges.reduce(0.0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y } / 2
    return abs(area) > tolerance * tolerance
  }

  var vertexCount: Int { paths.reduce(0) { $0 + $1.count } }
}

extension GeoJSONFeature: StyleFeature {
  var identifier: StyleValue { id ?? .null }
  var geometryType: String? { kind.rawValue }
  var geometry: FeatureGeometry? { nil }

  var allProperties: JSONObject { properties.json }

  func property(_ name: String) -> StyleValue? { properties[name] }
}
