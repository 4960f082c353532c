internal import Foundation
internal import PortolanDrawing
internal import PortolanExpressions
package import PortolanGeometry
internal import PortolanJSON

/// A source of a style whose features are in the style itself.
///
/// - SeeAlso: [GeoJSON sources](https://maplibre.org/maplibre-style-spec/sources/#geojson)
package struct GeoJSONSource: Sendable {
  /// Features of one source; the others are left out, and reported.
  private static let maximumFeatures = 200_000
  private static let maximumVertices = 4_000_000
  /// The side of a tile in the units of its features.
  private static let side = 8192.0
  /// The side of the square world in metres.
  static let world = 2 * 20_037_508.342_789_244

  private let features: [GeoJSONFeature]
  private let clusters: GeoJSONClusters?
  private let maximumLevel: Int
  /// Whether lines know how far along them a place is.
  private let hasLineMetrics: Bool
  /// The width of the margin of a tile that it shares with its neighbours.
  private let buffer: Double
  /// The tolerance of simplified lines and areas, in pixels of the style.
  private let tolerance: Double
  /// The parts of the source's definition that cannot be followed, in clauses for people.
  let problems: [String]

  /// Reads a source as a style declares it.
  init(_ json: JSONObject, name: String) {
    var problems: [String] = []
    var features: [GeoJSONFeature] = []
    if let address = json["data"]?.string {
      problems.append(
        "the data of the source \"\(name.prefix(60))\" of its style are not read from "
          + "\"\(address.prefix(100))\": packages hold none")
    } else {
      features = GeoJSONFeature.features(of: json["data"] ?? .null)
      let damage = GeoJSONDamage(json["data"] ?? .null)
      if let problem = damage.problem(ofSource: name) { problems.append(problem) }
    }
    var vertices = 0
    let usable = features.prefix(Self.maximumFeatures).prefix {
      vertices += $0.vertexCount
      return vertices <= Self.maximumVertices
    }
    if usable.count < features.count {
      problems.append("the source \"\(name.prefix(60))\" of its style has too many features")
    }
    features = Array(usable)
    if let filter = json["filter"], !filter.isNull {
      // A filter that cannot be read leaves all features out, so that none is shown by mistake.
      if let filter = try? StyleFilter(filter) {
        features.removeAll { !filter.accepts(EvaluationContext(zoom: 0, feature: $0)) }
      } else {
        problems.append("the filter of the source \"\(name.prefix(60))\" cannot be read")
        features = []
      }
    }
    // Filters see the numbers that features have of themselves; what they leave out is not counted.
    features = Self.numbered(features, json).filter { !$0.paths.isEmpty }
    let tolerance = min(max(json.number("tolerance") ?? 0.375, 0), 512)
    self.tolerance = tolerance
    if tolerance > 0 {
      for index in features.indices { features[index].measureVertices() }
    }
    let maximumLevel = Int(min(max(json.number("maxzoom") ?? 18, 0), 24))
    self.maximumLevel = maximumLevel
    hasLineMetrics = json["lineMetrics"] == .bool(true)
    buffer = min(max(json.number("buffer") ?? 128, 0), 512) / 512 * Self.side
    clusters = json["cluster"] == .bool(true) ? Self.clusters(json, maximumLevel, &problems) : nil
    self.features = features
    self.problems = problems
  }

  /// Features with the ids that the source gives them; the shapes of one have the same.
  private static func numbered(
    _ features: [GeoJSONFeature], _ json: JSONObject
  ) -> [GeoJSONFeature] {
    if let promoted = json.text("promoteId") {
      return features.map { feature in
        var feature = feature
        feature.id = feature.properties[promoted].flatMap(GeoJSONFeature.identifier)
        return feature
      }
    }
    guard json["generateId"] == .bool(true) else { return features }
    var (count, last) = (0, features.first?.number)
    return features.map { feature in
      var feature = feature
      if feature.number != last { (count, last) = (count + 1, feature.number) }
      feature.id = .number(Double(count))
      return feature
    }
  }

  private static func clusters(
    _ json: JSONObject, _ maximumLevel: Int, _ problems: inout [String]
  ) -> GeoJSONClusters {
    var clusters = GeoJSONClusters()
    let level = json.number("clusterMaxZoom").map { min(max($0, 0), 24).rounded() }
    clusters.maximumLevel = level.map { Int($0) } ?? max(maximumLevel - 1, 0)
    clusters.radius = min(max(json.number("clusterRadius") ?? 50, 0.01), 4096) / 512
    clusters.leastPoints = Int(min(max(json.number("clusterMinPoints") ?? 2, 2), 1e9))
    for member in json.object("clusterProperties")?.members ?? [] {
      if let property = GeoJSONClusters.Property(member.name, member.value) {
        clusters.properties.append(property)
      } else {
        problems.append("the property \"\(member.name.prefix(60))\" of clusters cannot be read")
      }
    }
    return clusters
  }

  /// The tiles that are drawn at a zoom.
  ///
  /// - Parameters:
  ///   - extent: What is seen, in Web Mercator.
  ///   - zoom: The zoom of the map.
  /// - Returns: The tiles with features; `nil` if there would be too many.
  package func tiles(covering extent: Envelope, zoom: Double) -> [PlacedVectorTile]? {
    let level = Int(min(max(zoom, 0), Double(maximumLevel)).rounded(.down))
    let count = exp2(Double(level))
    let size = Self.world / count
    func number(_ distance: Double) -> Int {
      Int(min(max((distance / size).rounded(.down), 0), count - 1))
    }
    let columns = number(extent.xMin + Self.world / 2)...number(extent.xMax + Self.world / 2)
    let rows = number(Self.world / 2 - extent.yMax)...number(Self.world / 2 - extent.yMin)
    guard columns.count * rows.count <= VectorTiles.maximumTiles else { return nil }
    // Tiles of the last level are drawn at any scale beyond it.
    let tolerance = level == maximumLevel ? 0 : tolerance / 512 / count
    let drawn = featuresDrawn(atLevel: level).map { $0.simplified(tolerance) }
    var tiles: [PlacedVectorTile] = []
    for row in rows {
      for column in columns {
        let features = drawn.compactMap { tileFeature($0, column, row, count) }
        guard !features.isEmpty else { continue }
        let left = Double(column) * size - Self.world / 2
        let top = Self.world / 2 - Double(row) * size
        let ground = Envelope(xMin: left, yMin: top - size, xMax: left + size, yMax: top)
        let layer = VectorTileLayer(name: "", extent: Self.side, features: features)
        tiles.append(
          PlacedVectorTile(tile: VectorTile(layers: [layer]), extent: ground, drawn: ground))
      }
    }
    return tiles
  }

  /// The features, or the clusters that stand for points.
  private func featuresDrawn(atLevel level: Int) -> [GeoJSONFeature] {
    guard let clusters, level <= clusters.maximumLevel else { return features }
    return features.filter { $0.kind != .point }
      + clusters.features(features.filter { $0.kind == .point }, atLevel: level)
  }

  /// A feature in the units of a tile, cut beside it; `nil` if nothing of it is there.
  private func tileFeature(
    _ feature: GeoJSONFeature, _ column: Int, _ row: Int, _ count: Double
  ) -> VectorTileFeature? {
    let box = Envelope(xMin: 0, yMin: 0, xMax: Self.side, yMax: Self.side).expanded(by: buffer)
    var paths: [[Coordinate]] = []
    var spans: [ClosedRange<Double>] = []
    var ringStarts: [Int] = []
    for (number, path) in feature.paths.enumerated() {
      // The worlds beside this one are seen at its sides.
      for world in [-1.0, 0, 1] {
        let places = path.map {
          Coordinate(
            x: (($0.x + world) * count - Double(column)) * Self.side,
            y: ($0.y * count - Double(row)) * Self.side)
        }
        if hasLineMetrics, feature.kind == .line {
          let pieces = LineClipper.measuredPieces(of: places, in: box).filter { $0.line.count > 1 }
          paths += pieces.map { Self.whole($0.line) }
          spans += pieces.map(\.span)
        } else if feature.kind == .polygon {
          guard let ring = ring(places, to: box) else { continue }
          // Outer rings run one way and holes the other, as tiles have it.
          let isKept = ring.isClockwise == feature.outerRings.contains(number)
          paths.append(isKept ? ring.places : Self.turned(ring.places))
          let start = RingStart.index(ring.places, isClockwise: ring.isClockwise)
          ringStarts.append(isKept || start == 0 ? start : ring.places.count - start)
        } else {
          paths += cut(places, feature, to: box)
        }
      }
    }
    guard !paths.isEmpty else { return nil }
    return VectorTileFeature(
      id: feature.id, kind: feature.kind, properties: feature.properties, paths: paths,
      spans: spans, ringStarts: ringStarts)
  }

  private static func whole(_ path: [Coordinate]) -> [Coordinate] {
    path.map { Coordinate(x: $0.x.rounded(), y: $0.y.rounded()) }
  }

  private func cut(
    _ places: [Coordinate], _ feature: GeoJSONFeature, to box: Envelope
  ) -> [[Coordinate]] {
    feature.kind == .point
      ? places.filter(box.contains).map { Self.whole([$0]) }
      : LineClipper.clip(places, to: box).filter { $0.count > 1 }.map(Self.whole)
  }

  /// A ring in a box, and which way it goes; `nil` if nothing of it is there.
  private func ring(
    _ places: [Coordinate], to box: Envelope
  ) -> (places: [Coordinate], isClockwise: Bool)? {
    let ring = RingClipper.clip(places, to: box)
    guard ring.count > 2 else { return nil }
    let area = zip(ring, ring.dropFirst() + ring.prefix(1))
      .reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y }
    return (Self.whole(ring), area >= 0)
  }

  /// A ring the other way round, from the same vertex on.
  private static func turned(_ ring: [Coordinate]) -> [Coordinate] {
    var turned = ring
    turned[1...].reverse()
    return turned
  }
}
