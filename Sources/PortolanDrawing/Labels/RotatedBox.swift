package import PortolanGeometry

/// A rectangle that may be rotated, or a circle, in pixels.
package struct RotatedBox: Hashable, Sendable {
  package let corners: [Coordinate]
  package let bounds: Envelope
  /// The radius of a circle, which is around the middle of its corners.
  private let radius: Double?

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

  /// A circle.
  package init(around center: Coordinate, radius: Double) {
    let box = Envelope(
      xMin: center.x - radius, yMin: center.y - radius, xMax: center.x + radius,
      yMax: center.y + radius)
    self.init(corners: box.polygon.rings[0].coordinates.dropLast(), radius: radius)
  }

  private init(corners: some Sequence<Coordinate>, radius: Double? = nil) {
    self.corners = Array(corners)
    self.radius = radius
    bounds = self.corners.reduce(into: .empty) { $0.include($1) }
  }

  /// The box at another place.
  package func moved(by offset: Coordinate) -> RotatedBox {
    RotatedBox(
      corners: corners.map { Coordinate(x: $0.x + offset.x, y: $0.y + offset.y) }, radius: radius)
  }

  /// Boxes nearer to each other touch.
  private static let touch = 1e-3

  /// Whether both touch: no line along a side has them on different sides.
  func overlaps(_ other: RotatedBox) -> Bool {
    guard bounds.expanded(by: Self.touch).intersects(other.bounds) else { return false }
    switch (radius, other.radius) {
    case (nil, nil): return !isApart(from: other) && !other.isApart(from: self)
    case (let own?, let their?):
      return PixelPath.distance(bounds.center, other.bounds.center) < own + their
    case (let own?, nil): return other.distance(from: bounds.center) <= own
    case (nil, let their?): return distance(from: other.bounds.center) <= their
    }
  }

  /// The distance from a place to a rectangle, 0 inside.
  private func distance(from place: Coordinate) -> Double {
    let edges = corners.indices.map { index -> (start: Coordinate, x: Double, y: Double) in
      let (start, end) = (corners[index], corners[(index + 1) % corners.count])
      return (start, end.x - start.x, end.y - start.y)
    }
    let sides = edges.map { $0.x * (place.y - $0.start.y) - $0.y * (place.x - $0.start.x) }
    if sides.allSatisfy({ $0 >= 0 }) || sides.allSatisfy({ $0 <= 0 }) { return 0 }
    return edges.reduce(.infinity) { nearest, edge in
      let square = edge.x * edge.x + edge.y * edge.y
      let along = edge.x * (place.x - edge.start.x) + edge.y * (place.y - edge.start.y)
      let share = square > 0 ? min(max(along / square, 0), 1) : 0
      let foot = Coordinate(x: edge.start.x + edge.x * share, y: edge.start.y + edge.y * share)
      return min(nearest, PixelPath.distance(place, foot))
    }
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
