/// A ring prepared for asking many times whether a position lies in it.
struct RingEdges {
  private let coordinates: [Coordinate]
  private let index: BoxIndex

  init(_ ring: Path) {
    coordinates = ring.coordinates
    index = BoxIndex(
      zip(ring.coordinates, ring.coordinates.dropFirst()).map { start, end in
        Envelope(
          xMin: min(start.x, end.x), yMin: min(start.y, end.y),
          xMax: max(start.x, end.x), yMax: max(start.y, end.y))
      })
  }

  /// The location of `position`; adds the number of edges examined to `effort`.
  func location(of position: Coordinate, effort: inout Int) -> RingLocation {
    var crossing = RayCrossing(position: position)
    let ray = Envelope(
      xMin: position.x, yMin: position.y, xMax: .infinity, yMax: position.y)
    effort += index.visit(intersecting: ray) { edge in
      crossing.add(from: coordinates[edge], to: coordinates[edge + 1])
    }
    return crossing.location
  }
}
