internal import Foundation
internal import PortolanJSON

/// A true curve of Esri JSON, which starts at the vertex before it.
///
/// `c` is a circular arc through a position, `a` an arc of a circle or ellipse around a centre,
/// `b` a cubic Bézier curve. Curves are drawn as straight lines of at most 2° of an arc, so that
/// they deviate by less than 1/6000 of the radius.
///
/// - SeeAlso: [Curve objects](https://developers.arcgis.com/rest/services-reference/enterprise/geometry-objects/)
struct EsriJSONCurve {
  private enum Form {
    case arc(through: Coordinate)
    case ellipse(Ellipse, isClockwise: Bool)
    case bezier(Coordinate, Coordinate)
  }

  /// The ordinates of the vertex at which the curve ends.
  let end: [JSONValue]
  private let form: Form

  /// Reads a curve; `nil` if the object is none.
  init?(_ object: JSONObject) {
    guard let member = object.members.first, let elements = member.value.array,
      let end = elements.first?.array, elements.count > 1,
      let second = Self.coordinate(elements[1])
    else { return nil }
    self.end = end
    switch member.name {
    case "c": form = .arc(through: second)
    case "b":
      guard elements.count > 2, let third = Self.coordinate(elements[2]) else { return nil }
      form = .bezier(second, third)
    case "a":
      guard elements.count > 3, let isClockwise = elements[3].double else { return nil }
      let rotation = elements.count > 4 ? elements[4].double ?? 0 : 0
      let ratio = elements.count > 6 ? elements[6].double ?? 1 : 1
      guard ratio > 0, ratio.isFinite else { return nil }
      form = .ellipse(
        Ellipse(center: second, rotation: rotation, ratio: ratio), isClockwise: isClockwise != 0)
    default: return nil
    }
  }

  /// The positions between `start` and `end`, without either.
  func positions(from start: Coordinate, to end: Coordinate) -> [Coordinate] {
    switch form {
    case .arc(let middle): return Self.arc(from: start, through: middle, to: end)
    case .ellipse(let ellipse, let isClockwise):
      return ellipse.arc(from: start, to: end, isClockwise: isClockwise)
    case .bezier(let first, let second):
      return (1..<Self.bezierLines).map { step in
        Self.bezier(start, first, second, end, at: Double(step) / Double(Self.bezierLines))
      }
    }
  }

  private static let bezierLines = 64

  private static func coordinate(_ value: JSONValue) -> Coordinate? {
    guard let x = value[0]?.double, let y = value[1]?.double else { return nil }
    return Coordinate(x: x, y: y)
  }

  private static func arc(
    from start: Coordinate, through middle: Coordinate, to end: Coordinate
  ) -> [Coordinate] {
    // Three positions in a line are no arc, and the line is what it looks like.
    guard let (circle, isClockwise) = Self.circle(from: start, through: middle, to: end) else {
      return [middle]
    }
    return circle.arc(from: start, to: end, isClockwise: isClockwise)
  }

  /// The positions of an arc of a circle between `start` and `middle`, and between `middle` and `end`; none
  /// where the three are in a line.
  static func halves(
    from start: Coordinate, through middle: Coordinate, to end: Coordinate
  ) -> (first: [Coordinate], second: [Coordinate]) {
    guard start != middle,
      let (circle, isClockwise) = Self.circle(from: start, through: middle, to: end)
    else { return ([], []) }
    return (
      circle.arc(from: start, to: middle, isClockwise: isClockwise),
      circle.arc(from: middle, to: end, isClockwise: isClockwise)
    )
  }

  private static func circle(
    from start: Coordinate, through middle: Coordinate, to end: Coordinate
  ) -> (Ellipse, isClockwise: Bool)? {
    // An arc that ends where it starts is a circle, and the position is on the opposite side.
    guard start != end else {
      let center = Coordinate(x: (start.x + middle.x) / 2, y: (start.y + middle.y) / 2)
      return (Ellipse(center: center), false)
    }
    let (a, b) = (middle.x - start.x, middle.y - start.y)
    let (c, d) = (end.x - start.x, end.y - start.y)
    let turn = 2 * (a * d - b * c)
    let (near, far) = (a * a + b * b, c * c + d * d)
    let center = Coordinate(
      x: start.x + (d * near - b * far) / turn, y: start.y + (a * far - c * near) / turn)
    guard turn != 0, center.x.isFinite, center.y.isFinite else { return nil }
    return (Ellipse(center: center), turn < 0)
  }

  private static func bezier(
    _ start: Coordinate, _ first: Coordinate, _ second: Coordinate, _ end: Coordinate,
    at share: Double
  ) -> Coordinate {
    let rest = 1 - share
    let weights = [
      rest * rest * rest, 3 * rest * rest * share, 3 * rest * share * share, share * share * share,
    ]
    return zip([start, first, second, end], weights).reduce(Coordinate(x: 0, y: 0)) {
      Coordinate(x: $0.x + $1.0.x * $1.1, y: $0.y + $1.0.y * $1.1)
    }
  }
}

/// The center of an elliptic arc, and the scaling of the circle that it is part of.
private struct Ellipse {
  let center: Coordinate
  /// Of the longer axis, in radians, counter-clockwise from the east.
  var rotation = 0.0
  /// The shorter axis over the longer one.
  var ratio = 1.0

  func arc(from start: Coordinate, to end: Coordinate, isClockwise: Bool) -> [Coordinate] {
    let (first, last) = (polar(start), polar(end))
    // An arc that is straight but for the last digits has its centre so far off that both ends are in one
    // direction; only one that ends where it begins is a circle.
    guard start == end || first.angle != last.angle else { return [] }
    var sweep = last.angle - first.angle
    if isClockwise {
      while sweep >= 0 { sweep -= 2 * .pi }
    } else {
      while sweep <= 0 { sweep += 2 * .pi }
    }
    guard sweep.isFinite, first.radius.isFinite, last.radius.isFinite else { return [] }
    let lines = max(1, Int((abs(sweep) / (.pi / 90)).rounded(.up)))
    return (1..<lines).map { step in
      let share = Double(step) / Double(lines)
      // The ends seldom are equally far from the centre to the last digit.
      let radius = first.radius + share * (last.radius - first.radius)
      return position(angle: first.angle + share * sweep, radius: radius)
    }
  }

  private func polar(_ position: Coordinate) -> (angle: Double, radius: Double) {
    let (x, y) = (position.x - center.x, position.y - center.y)
    let along = x * cos(rotation) + y * sin(rotation)
    let across = (y * cos(rotation) - x * sin(rotation)) / ratio
    return (atan2(across, along), (along * along + across * across).squareRoot())
  }

  private func position(angle: Double, radius: Double) -> Coordinate {
    let (along, across) = (radius * cos(angle), radius * sin(angle) * ratio)
    return Coordinate(
      x: center.x + along * cos(rotation) - across * sin(rotation),
      y: center.y + along * sin(rotation) + across * cos(rotation))
  }
}
