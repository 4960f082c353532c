internal import Foundation

/// The position of a feature on the grid of the tiles of a zoom.
package struct FeatureGeometry: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case points, lines, polygon
  }

  /// A place: to the right and down from the top left corner of the world.
  package struct Point: Hashable, Sendable {
    package var x: Double
    package var y: Double

    /// A place on the grid, or in degrees, as its owner says.
    package init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// The units along the side of a tile.
  package static let unitsPerTile = 8192.0

  /// The kind of the paths.
  package var kind: Kind
  /// The zoom of the tiles whose grid this is.
  package var zoom: Int
  /// Points one by one, lines, or rings.
  package var paths: [[Point]]

  /// A geometry on the grid of a zoom.
  package init(kind: Kind, zoom: Int, paths: [[Point]]) {
    self.kind = kind
    self.zoom = min(max(zoom, 0), 30)
    self.paths = paths
  }

  /// The units around the world.
  var worldSize: Double { Self.unitsPerTile * pow(2, Double(zoom)) }

  /// The nearest place of the grid to one in degrees.
  package static func point(longitude: Double, latitude: Double, zoom: Int) -> Point {
    let size = unitsPerTile * pow(2, Double(min(max(zoom, 0), 30)))
    let sine = sin(min(max(latitude, -89.99), 89.99) * .pi / 180)
    let down = 0.5 - 0.25 * log((1 + sine) / (1 - sine)) / .pi
    return Point(
      x: ((longitude + 180) / 360 * size).rounded(), y: (down * size).rounded())
  }

  /// A place of the grid in degrees.
  func degrees(_ point: Point) -> Point {
    let latitude = atan(sinh(.pi * (1 - 2 * point.y / worldSize))) * 180 / .pi
    return Point(x: point.x / worldSize * 360 - 180, y: latitude)
  }
}
