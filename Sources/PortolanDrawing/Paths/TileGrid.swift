package import PortolanGeometry

/// The coordinates that a tile counts in, on the picture.
package struct TileGrid: Hashable, Sendable {
  /// The step from one to the next across the tile.
  package let across: Coordinate
  /// The step from one to the next down the tile.
  package let down: Coordinate
  private let area: Double

  /// `nil` if the tile has no area.
  package init?(across: Coordinate, down: Coordinate) {
    area = across.x * down.y - across.y * down.x
    guard area != 0, area.isFinite else { return nil }
    (self.across, self.down) = (across, down)
  }

  /// The length of a step.
  package var step: Double { (across.x * across.x + across.y * across.y).squareRoot() }

  /// The nearest whole steps.
  func rounded(_ way: Coordinate) -> Coordinate {
    let right = ((way.x * down.y - way.y * down.x) / area).rounded()
    let below = ((across.x * way.y - across.y * way.x) / area).rounded()
    return Coordinate(
      x: across.x * right + down.x * below, y: across.y * right + down.y * below)
  }
}
