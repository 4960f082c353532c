/// The location of a position relative to a ring.
enum RingLocation {
  case inside
  case boundary
  case outside
}

/// Counts the edges that a ray from a position to the east crosses.
///
/// An edge owns its lower end and not its upper one, so that a ray through a vertex counts once.
struct RayCrossing {
  let position: Coordinate
  private(set) var isInside = false
  private(set) var isOnBoundary = false

  init(position: Coordinate) { self.position = position }

  /// Takes the edge from `start` to `end` into account.
  mutating func add(from start: Coordinate, to end: Coordinate) {
    if start.y > position.y, end.y > position.y { return }
    if start.y < position.y, end.y < position.y { return }
    if start.x < position.x, end.x < position.x { return }
    let side =
      (end.x - start.x) * (position.y - start.y) - (position.x - start.x) * (end.y - start.y)
    if start.y == end.y {
      let isBetween =
        min(start.x, end.x) <= position.x && position.x <= max(start.x, end.x)
      if isBetween { isOnBoundary = true }
      return
    }
    // The edge spans the height of the position, so a side of nought means that it lies on it.
    if side == 0 {
      isOnBoundary = true
      return
    }
    guard (start.y <= position.y) != (end.y <= position.y) else { return }
    if (side > 0) == (end.y > start.y) { isInside.toggle() }
  }

  var location: RingLocation { isOnBoundary ? .boundary : isInside ? .inside : .outside }
}
