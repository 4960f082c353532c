import PortolanGeometry

/// Shapes that look random and are the same in every run.
struct RandomShapes {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  /// A number from `range`.
  mutating func number(_ range: ClosedRange<Double>) -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let share = Double(state >> 11) / Double(1 << 53)
    return range.lowerBound + share * (range.upperBound - range.lowerBound)
  }

  mutating func coordinate() -> Coordinate {
    Coordinate(x: number(-10...10), y: number(-10...10))
  }

  /// On a coarse grid, so that vertices, edges and positions often coincide.
  mutating func gridCoordinate() -> Coordinate {
    let place = coordinate()
    return Coordinate(x: place.x.rounded(), y: place.y.rounded())
  }

  mutating func path(_ count: Int) -> Path { Path((0..<count).map { _ in coordinate() }) }

  mutating func box() -> Envelope {
    var box = Envelope.empty
    box.include(coordinate())
    box.include(coordinate())
    return box
  }

  /// A star with a hole of its own form, and an island in the hole.
  mutating func polygon(_ count: Int) -> Polygon {
    let center = coordinate()
    let radii = (0..<count).map { _ in number(2...6) }
    let rings = [1.0, 0.6, 0.3].map { factor in
      var ring = zip(radii, Self.directions(count)).map { radius, direction in
        Coordinate(
          x: center.x + radius * factor * direction.x, y: center.y + radius * factor * direction.y)
      }
      ring.append(ring[0])
      return Path(ring)
    }
    return Polygon(arranging: rings)
  }

  /// Unit vectors counter-clockwise, made without trigonometry.
  private static func directions(_ count: Int) -> [Coordinate] {
    (0..<count).map { index in
      // A walk around the square, drawn onto the circle.
      let share = Double(index) / Double(count) * 4
      let along = share - share.rounded(.down)
      let corner =
        switch Int(share) {
        case 0: Coordinate(x: 1 - along, y: along)
        case 1: Coordinate(x: -along, y: 1 - along)
        case 2: Coordinate(x: along - 1, y: -along)
        default: Coordinate(x: along, y: along - 1)
        }
      let length = (corner.x * corner.x + corner.y * corner.y).squareRoot()
      return Coordinate(x: corner.x / length, y: corner.y / length)
    }
  }
}
