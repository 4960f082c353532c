internal import Foundation
internal import PortolanJSON

/// The distance of a feature to shapes, in metres.
struct DistanceNode: ExpressionNode {
  let shape: GeoJSONShape
  let type = ExpressionType.number

  var dependency: ExpressionDependency { .feature }

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> (any ExpressionNode)? {
    guard context.hasArguments(list, 1...1) else { return nil }
    guard let shape = GeoJSONShape(list[1]) else {
      return context.fail("\"distance\" takes GeoJSON of points, lines or polygons.")
    }
    return DistanceNode(shape: shape)
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    // A feature without a location has no distance, which is neither less nor greater than any.
    guard let geometry = context.feature?.geometry, let first = geometry.paths.first?.first else {
      return .number(.nan)
    }
    let plane = LocalPlane(latitude: geometry.degrees(first).y)
    let paths = geometry.paths.map { $0.map { plane.metres(geometry.degrees($0)) } }
    func planar(_ lines: [[FeatureGeometry.Point]], isArea: Bool = false) -> Shape {
      Shape(lines: lines, isArea: isArea, world: plane.world)
    }
    let feature: [Shape] =
      switch geometry.kind {
      case .points: paths.map { planar($0.map { [$0] }) }
      case .lines: [planar(paths)]
      case .polygon: [planar(paths, isArea: true)]
      }
    let others =
      shape.points.map { planar([[plane.metres($0)]]) }
      + shape.lines.map { planar([$0.map(plane.metres)]) }
      + shape.polygons.map { planar($0.map { $0.map(plane.metres) }, isArea: true) }
    try Self.checkSize(feature, others)
    let distance = feature.reduce(Double.infinity) { nearest, mine in
      others.reduce(nearest) { min($0, mine.distance(to: $1)) }
    }
    return .number(distance)
  }

  /// Every segment is compared with every other.
  private static func checkSize(_ mine: [Shape], _ others: [Shape]) throws(EvaluationFault) {
    let product = mine.reduce(0) { $0 + $1.vertexCount } * others.reduce(0) { $0 + $1.vertexCount }
    guard product <= 20_000_000 else {
      throw EvaluationFault("The shapes are too large for their distance to be found.")
    }
  }
}

/// A plane that touches the ellipsoid of WGS 84 along a parallel.
private struct LocalPlane {
  /// Metres in a degree to the east.
  let east: Double
  /// Metres in a degree to the north.
  let north: Double

  /// Metres around the world.
  var world: Double { 360 * east }

  init(latitude: Double) {
    let flattening = 1 / 298.257223563
    let squared = flattening * (2 - flattening)
    let cosine = cos(latitude * .pi / 180)
    let curvature = 1 / (1 - squared * (1 - cosine * cosine))
    let metresPerDegree = .pi / 180 * 6_378_137.0
    east = metresPerDegree * curvature.squareRoot() * cosine
    north = metresPerDegree * curvature.squareRoot() * curvature * (1 - squared)
  }

  func metres(_ place: FeatureGeometry.Point) -> FeatureGeometry.Point {
    FeatureGeometry.Point(x: place.x * east, y: place.y * north)
  }
}

/// Points, lines or rings in metres.
private struct Shape {
  typealias Point = FeatureGeometry.Point

  let lines: [[Point]]
  let isArea: Bool
  /// Metres around the world.
  let world: Double

  var vertexCount: Int { lines.reduce(0) { $0 + $1.count } }

  func distance(to other: Shape) -> Double {
    if isArea, other.lines.contains(where: { $0.first.map(contains) ?? false }) { return 0 }
    if other.isArea, lines.contains(where: { $0.first.map(other.contains) ?? false }) { return 0 }
    var nearest = Double.infinity
    for line in lines {
      for otherLine in other.lines {
        nearest = min(nearest, distance(line, otherLine))
        if nearest == 0 { return 0 }
      }
    }
    return nearest
  }

  private func contains(_ point: Point) -> Bool { PlanarTests.contains(lines, point, edge: true) }

  private func distance(_ first: [Point], _ second: [Point]) -> Double {
    var nearest = Double.infinity
    for point in first { nearest = min(nearest, distance(point, second)) }
    for point in second { nearest = min(nearest, distance(point, first)) }
    for (start, end) in PlanarTests.segments(of: first) {
      for (otherStart, otherEnd) in PlanarTests.segments(of: second)
      where PlanarTests.crosses(start, end, otherStart, otherEnd) { return 0 }
    }
    return nearest
  }

  private func distance(_ point: Point, _ line: [Point]) -> Double {
    guard line.count > 1 else {
      return line.first.map { hypot(shorter(point.x - $0.x), point.y - $0.y) } ?? .infinity
    }
    return PlanarTests.segments(of: line).reduce(Double.infinity) { nearest, segment in
      let (start, end) = segment
      let (x, y) = (shorter(end.x - start.x), end.y - start.y)
      let (pointX, pointY) = (shorter(point.x - start.x), point.y - start.y)
      let length = x * x + y * y
      let share = length == 0 ? 0 : min(max((pointX * x + pointY * y) / length, 0), 1)
      return min(nearest, hypot(shorter(pointX - x * share), pointY - y * share))
    }
  }

  /// A way to the east, or the shorter one around the other side of the world.
  private func shorter(_ way: Double) -> Double {
    abs(way) > world / 2 ? way.remainder(dividingBy: world) : way
  }
}
