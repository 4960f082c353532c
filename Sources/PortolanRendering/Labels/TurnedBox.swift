internal import Foundation
internal import PortolanGeometry

/// A rectangle that may be turned, in pixels.
struct TurnedBox: Hashable, Sendable {
  let corners: [Coordinate]
  let bounds: Envelope

  init(_ box: Envelope) { self.init(corners: box.polygon.rings[0].coordinates.dropLast()) }

  /// The box of a text of that size at its place.
  init(_ run: TextRun, width: Double, height: Double, margin: Double) {
    let left = -width * run.anchor.x - margin
    let top = -height * run.anchor.y - margin
    let (right, bottom) = (left + width + 2 * margin, top + height + 2 * margin)
    let (cosine, sine) = (cos(run.angle * .pi / 180), sin(run.angle * .pi / 180))
    self.init(
      corners: [(left, top), (right, top), (right, bottom), (left, bottom)].map { x, y in
        Coordinate(
          x: run.position.x + x * cosine - y * sine, y: run.position.y + x * sine + y * cosine)
      })
  }

  private init(corners: some Sequence<Coordinate>) {
    self.corners = Array(corners)
    bounds = self.corners.reduce(into: .empty) { $0.include($1) }
  }

  /// Whether both share a part: no line along a side has them on different sides.
  func overlaps(_ other: TurnedBox) -> Bool {
    guard bounds.intersects(other.bounds) else { return false }
    return !isApart(from: other) && !other.isApart(from: self)
  }

  private func isApart(from other: TurnedBox) -> Bool {
    (0..<2).contains { side in
      let (start, end) = (corners[side], corners[side + 1])
      let axis = Coordinate(x: end.x - start.x, y: end.y - start.y)
      func range(_ corners: [Coordinate]) -> (Double, Double) {
        corners.reduce((Double.infinity, -Double.infinity)) { range, corner in
          let place = corner.x * axis.x + corner.y * axis.y
          return (min(range.0, place), max(range.1, place))
        }
      }
      let (own, their) = (range(corners), range(other.corners))
      return own.1 <= their.0 || their.1 <= own.0
    }
  }
}
