internal import PortolanJSON

/// Whether points or lines are inside of areas.
struct WithinNode: ExpressionNode {
  private typealias Point = FeatureGeometry.Point

  let shape: GeoJSONShape
  let type = ExpressionType.boolean

  var dependency: ExpressionDependency { .feature }

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> (any ExpressionNode)? {
    guard context.hasArguments(list, 1...1) else { return nil }
    // Of several features only the areas count, as long as there is one.
    let isCollection = list[1]["type"]?.string == "FeatureCollection"
    guard let shape = GeoJSONShape(list[1]), !shape.polygons.isEmpty,
      isCollection || (shape.points.isEmpty && shape.lines.isEmpty)
    else { return context.fail("\"within\" takes GeoJSON of polygons.") }
    return WithinNode(shape: shape)
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    // A feature without a location is in no area.
    guard let geometry = context.feature?.geometry, geometry.kind != .polygon else {
      return .bool(false)
    }
    // On the grid of the tile, so that neighbours agree on what lies on an edge.
    let polygons = shape.polygons.map { rings in
      rings.map { ring in
        ring.map {
          FeatureGeometry.point(longitude: $0.x, latitude: $0.y, zoom: geometry.zoom)
        }
      }
    }
    guard let bounds = Bounds(polygons.joined().joined()) else { return .bool(false) }
    let paths = shifted(geometry, toward: bounds)
    guard !paths.isEmpty else { return .bool(false) }
    return .bool(
      paths.allSatisfy { path in
        if geometry.kind == .points {
          return path.allSatisfy { point in
            polygons.contains { PlanarTests.contains($0, point) }
          }
        }
        return polygons.contains { Self.contains($0, line: path) }
      })
  }

  private static func contains(_ rings: [[Point]], line: [Point]) -> Bool {
    line.allSatisfy { PlanarTests.contains(rings, $0) }
      && PlanarTests.segments(of: line).allSatisfy { !PlanarTests.crosses(rings, $0, $1) }
  }

  /// The paths in the copy of the world that is nearest to the areas; lines that span more than half
  /// of the world stay where they are.
  private func shifted(_ geometry: FeatureGeometry, toward bounds: Bounds) -> [[Point]] {
    let world = geometry.worldSize
    if geometry.kind == .lines, let own = Bounds(geometry.paths.joined()),
      own.xMax - own.xMin > world / 2
    {
      return geometry.paths
    }
    return geometry.paths.map { $0.map { bounds.nearest($0, world: world) } }
  }

  /// A box around points.
  private struct Bounds {
    var xMin: Double
    var xMax: Double

    init?(_ points: some Sequence<FeatureGeometry.Point>) {
      (xMin, xMax) = (.infinity, -.infinity)
      for point in points {
        xMin = min(xMin, point.x)
        xMax = max(xMax, point.x)
      }
      guard xMin <= xMax else { return nil }
    }

    func nearest(_ point: FeatureGeometry.Point, world: Double) -> FeatureGeometry.Point {
      guard point.x < xMin || point.x > xMax else { return point }
      var point = point
      for edge in [xMin, xMax] {
        let distance = point.x - edge
        if abs(distance) > world / 2 {
          point.x -= distance > 0 ? world : -world
          break
        }
      }
      return point
    }
  }
}
