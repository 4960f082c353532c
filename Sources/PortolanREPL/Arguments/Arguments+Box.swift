internal import PortolanGeometry

/// The units of the edges of a box on a command line.
enum BoxUnits: Hashable, Sendable {
  /// The units of the spatial reference that is meant.
  case any
  /// Degrees.
  case degrees
  /// Degrees as data may count them, be it eastward from 0 to 360.
  case degreesUpTo360
  /// Degrees, where a box whose west is greater than its east crosses the antimeridian.
  case degreesAcrossAntimeridian
}

extension Arguments {
  /// The boxes that a parameter gives as `west,south,east,north`.
  ///
  /// A box that can hold nothing is refused with the edge that is wrong, rather than found empty.
  func boxes(of parameter: Parameter, in units: BoxUnits) throws(UsageError) -> [Envelope] {
    let boxes = try values(of: parameter, as: .edges)
    for box in boxes {
      guard let problem = units.problem(with: box.envelope) else { continue }
      throw UsageError(
        "\(parameter.label) is \"\(box.text)\"; \(problem.message).",
        suggestion: problem.suggestion)
    }
    return boxes.map(\.envelope)
  }

  /// The box of a parameter that is given at most once.
  func box(of parameter: Parameter, in units: BoxUnits) throws(UsageError) -> Envelope? {
    try boxes(of: parameter, in: units).first
  }
}

/// The four edges of a box as they were typed, whether they make a box or not.
struct TypedEdges: Hashable, Sendable {
  let text: String
  let envelope: Envelope
}

extension ValueFormat<TypedEdges> {
  /// `west,south,east,north`.
  static let edges = ValueFormat(
    "four numbers, west,south,east,north, such as -69,43.5,-68,44.5"
  ) { text in
    guard let numbers = Self.numbers(text, count: 4) else { return nil }
    return TypedEdges(
      text: text,
      envelope: Envelope(xMin: numbers[0], yMin: numbers[1], xMax: numbers[2], yMax: numbers[3]))
  }
}

/// A fault in a box, as the rest of a sentence, and what to give instead.
private struct BoxProblem {
  let message: String
  let suggestion: String
}

extension BoxUnits {
  private static let order = "Give west,south,east,north in this order."

  fileprivate func problem(with box: Envelope) -> BoxProblem? {
    if self != .any, let problem = problem(withDegreesOf: box) { return problem }
    if box.yMin > box.yMax {
      return BoxProblem(
        message: "its south edge, \(Self.text(box.yMin)), lies north of its north edge, "
          + Self.text(box.yMax),
        suggestion: Self.order)
    }
    guard box.xMin > box.xMax, self != .degreesAcrossAntimeridian else { return nil }
    let halves = "What lies across the antimeridian takes two boxes: one up to 180, one from -180."
    return BoxProblem(
      message: "its west edge, \(Self.text(box.xMin)), lies east of its east edge, "
        + Self.text(box.xMax),
      suggestion: self == .any ? Self.order : "\(Self.order) \(halves)")
  }

  private func problem(withDegreesOf box: Envelope) -> BoxProblem? {
    let greatest: Double = self == .degreesUpTo360 ? 360 : 180
    for (edge, value) in [("west", box.xMin), ("east", box.xMax)]
    where value < -180 || value > greatest {
      return BoxProblem(
        message: "its \(edge) edge, \(Self.text(value)), is no longitude: these go from -180 to "
          + Self.text(greatest),
        suggestion: "Give west,south,east,north in degrees.")
    }
    for (edge, value) in [("south", box.yMin), ("north", box.yMax)] where abs(value) > 90 {
      return BoxProblem(
        message: "its \(edge) edge, \(Self.text(value)), is no latitude: these go from -90 to 90",
        suggestion: "Give west,south,east,north in degrees, longitudes before latitudes.")
    }
    return nil
  }

  private static func text(_ number: Double) -> String { DecimalText.text(number, decimals: 9) }
}
