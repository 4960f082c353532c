internal import Foundation
internal import PortolanExpressions
internal import PortolanGeometry
internal import PortolanJSON

/// Points that are drawn as one where they are near to each other, level by level, from the finest to
/// the coarsest.
///
/// At each level a point takes in the points around it that no other has, and is in the middle of
/// them; what it is then is clustered further at the next coarser level.
struct GeoJSONClusters {
  /// A property of a cluster, computed from its points by expressions.
  struct Property {
    let name: String
    /// The value of a point.
    let map: StyleExpression
    /// The value of two together.
    let reduce: StyleExpression
  }

  /// Points are clustered up to this level.
  var maximumLevel = 17
  /// As a share of the side of a tile.
  var radius = 50.0 / 512
  /// The points of the smallest cluster.
  var leastPoints = 2
  var properties: [Property] = []

  /// A point or a cluster at a level.
  private struct Node {
    var place: Coordinate
    var count: Int
    /// The point, if it has no neighbours.
    var point: Int?
    var id: Double?
    /// The sums of the properties of the points.
    var sums: FeatureProperties
  }

  /// The clusters and single points of a level.
  func features(_ points: [GeoJSONFeature], atLevel level: Int) -> [GeoJSONFeature] {
    var nodes: [Node] = []
    for (number, point) in points.enumerated() {
      for place in point.paths.joined() {
        nodes.append(Node(place: place, count: 1, point: number, sums: mapped(point)))
      }
    }
    let total = nodes.count
    for finer in stride(from: maximumLevel, through: max(level, 0), by: -1) {
      nodes = clustered(nodes, atLevel: finer, total: total)
    }
    return nodes.map { node in
      if let number = node.point {
        return GeoJSONFeature(
          at: node.place, properties: points[number].properties, id: points[number].id)
      }
      let own: FeatureProperties = [
        "cluster": .bool(true), "cluster_id": .number(node.id ?? 0),
        "point_count": .number(Double(node.count)),
        "point_count_abbreviated": Self.abbreviated(node.count),
      ]
      return GeoJSONFeature(
        at: node.place, properties: node.sums.merging(own),
        id: node.id.map(StyleValue.number))
    }
  }

  private func clustered(_ nodes: [Node], atLevel level: Int, total: Int) -> [Node] {
    let reach = radius / exp2(Double(level))
    var cells: [SIMD2<Int>: [Int]] = [:]
    func cell(_ place: Coordinate) -> SIMD2<Int> {
      SIMD2(
        Int(min(max(place.x / reach, -1e9), 1e9).rounded(.down)),
        Int(min(max(place.y / reach, -1e9), 1e9).rounded(.down)))
    }
    for (number, node) in nodes.enumerated() { cells[cell(node.place), default: []].append(number) }
    var isTaken = [Bool](repeating: false, count: nodes.count)
    var result: [Node] = []
    for (number, node) in nodes.enumerated() where !isTaken[number] {
      isTaken[number] = true
      let middle = cell(node.place)
      var near: [Int] = []
      for row in -1...1 {
        for column in -1...1 {
          near += (cells[middle &+ SIMD2(column, row)] ?? []).filter {
            let (x, y) = (nodes[$0].place.x - node.place.x, nodes[$0].place.y - node.place.y)
            return !isTaken[$0] && x * x + y * y <= reach * reach
          }
        }
      }
      let count = near.reduce(node.count) { $0 + nodes[$1].count }
      for other in near { isTaken[other] = true }
      let members = [node] + near.sorted().map { nodes[$0] }
      // Points too few for a cluster stay alone at this level, and are in no other's either.
      guard !near.isEmpty, count >= leastPoints else {
        result += members
        continue
      }
      result.append(
        Node(
          place: Self.middle(members), count: count, point: nil,
          id: Double(number << 5 + level + 1 + total), sums: reduced(members)))
    }
    return result
  }

  /// The middle of all points.
  private static func middle(_ members: [Node]) -> Coordinate {
    var (x, y, count) = (0.0, 0.0, 0.0)
    for member in members {
      x += member.place.x * Double(member.count)
      y += member.place.y * Double(member.count)
      count += Double(member.count)
    }
    return Coordinate(x: x / count, y: y / count)
  }

  private func mapped(_ point: GeoJSONFeature) -> FeatureProperties {
    guard !properties.isEmpty else { return [:] }
    let context = EvaluationContext(zoom: 0, feature: point)
    var sums: FeatureProperties = [:]
    for property in properties {
      // A point without a value adds nothing.
      sums[property.name] = (try? property.map.value(context)) ?? .null
    }
    return sums
  }

  private func reduced(_ members: [Node]) -> FeatureProperties {
    guard var sums = members.first?.sums, !properties.isEmpty else { return [:] }
    for member in members.dropFirst() {
      let feature = GeoJSONFeature(at: member.place, properties: member.sums, id: nil)
      var context = EvaluationContext(zoom: 0, feature: feature)
      for property in properties {
        context.accumulated = sums[property.name] ?? .null
        // A sum that cannot be worked out stays what it was.
        if let sum = try? property.reduce.value(context) { sums[property.name] = sum }
      }
    }
    return sums
  }

  /// The number of points as labels write it.
  private static func abbreviated(_ count: Int) -> StyleValue {
    switch count {
    case ..<1000: .number(Double(count))
    case ..<10_000: .text(shortened((Double(count) / 100).rounded() / 10))
    default: .text(shortened((Double(count) / 1000).rounded()))
    }
  }

  private static func shortened(_ thousands: Double) -> String {
    let text = thousands == thousands.rounded() ? String(Int(thousands)) : String(thousands)
    return text + "k"
  }
}

extension GeoJSONClusters.Property {
  /// Reads what a style says about a property of clusters: an operator or an expression that adds
  /// two values up, and an expression for the value of a point.
  init?(_ name: String, _ json: JSONValue) {
    guard let parts = json.array, parts.count == 2 else { return nil }
    let sum: JSONValue =
      parts[0].string.map { [.string($0), ["accumulated"], ["get", .string(name)]] } ?? parts[0]
    // The caller reports what cannot be read.
    guard let map = try? StyleExpression(parts[1]), let reduce = try? StyleExpression(sum) else {
      return nil
    }
    self.init(name: name, map: map, reduce: reduce)
  }
}
