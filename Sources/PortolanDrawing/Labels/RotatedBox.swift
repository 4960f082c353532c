package import PortolanGeometry

/// A rectangle that may be rotated, in pixels.
package struct RotatedBox: Hashable, Sendable {
  package let corners: [Coordinate]
  package let bounds: Envelope

  /// A box that is not rotated.
  package init(_ box: Envelope) { self.init(corners: box.polygon.rings[0].coordinates.dropLast()) }

  /// The box of a text of that size at its place.
  init(_ run: TextRun, width: Double, height: Double, margin: Double) {
    let box = Envelope(
      xMin: -width * run.anchor.x, yMin: -height * run.anchor.y,
      xMax: width * (1 - run.anchor.x), yMax: height * (1 - run.anchor.y))
    self.init(box, around: run.position, angle: run.angle, margin: margin)
  }

  /// A box around its middle.
  package init(at station: PixelPath.Station, width: Double, height: Double, margin: Double) {
    let box = Envelope(
      xMin: -width / 2, yMin: -height / 2, xMax: width / 2, yMax: height / 2)
    self.init(box, around: station.point, angle: station.angle, margin: margin)
  }

  /// A box that is given from a point and rotated around it.
  package init(_ box: Envelope, around point: Coordinate, angle: Double, margin: Double) {
    let turn = PixelRotation(angle)
    let grown = box.expanded(by: margin)
    self.init(
      corners: grown.polygon.rings[0].coordinates.dropLast().map { corner in
        let place = turn(corner)
        return Coordinate(x: point.x + place.x, y: point.y + place.y)
      })
  }

  private init(corners: some Sequence<Coordinate>) {
    self.corners = Array(corners)
    bounds = self.corners.reduce(into: .empty) { $0.include($1) }
  }

  /// The box at another place.
  package func moved(by offset: Coordinate) -> RotatedBox {
    RotatedBox(corners: corners.map { Coordinate(x: $0.x + offset.x, y: $0.y + offset.y) })
  }

  /// Boxes nearer to each other touch.
  private static let touch = 1e-3

  /// Whether both touch: no line along a side has them on different sides.
  func overlaps(_ other: RotatedBox) -> Bool {
    guard bounds.expanded(by: Self.touch).intersects(other.bounds) else { return false }
    return !isApart(from: other) && !other.isApart(from: self)
  }

  private func isApart(from other: RotatedBox) -> Bool {
    (0..<2).contains { side in
      let (start, end) = (corners[side], corners[side + 1])
      let axis = Coordinate(x: end.x - start.x, y: end.y - start.y)
      let touch = Self.touch * (axis.x * axis.x + axis.y * axis.y).squareRoot()
      func range(_ corners: [Coordinate]) -> (Double, Double) {
        corners.reduce((Double.infinity, -Double.infinity)) { range, corner in
          let place = corner.x * axis.x + corner.y * axis.y
          return (min(range.0, place), max(range.1, place))
        }
      }
      let (own, their) = (range(corners), range(other.corners))
      return own.1 < their.0 - touch || their.1 < own.0 - touch
    }
  }
}
