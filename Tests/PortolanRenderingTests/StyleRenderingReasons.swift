/// Why rendering cases of the style specification differ, where the drawing reports nothing.
///
/// The longest beginning of a case's name counts.
enum StyleRenderingReasons {
  static let unexamined = "Not examined."

  private static let reasons: [(cases: [String], reason: String)] = [
    (
      ["circle-radius/antimeridian"],
      "A circle is drawn once; expected is one that each tile draws whose buffer it is in, so that its "
        + "edge is darker."
    ),
    (
      ["geojson/inline-linestring-fill"],
      "A line that is filled has no sides that are certain; the case itself calls what is "
        + "expected arbitrary."
    ),
  ]

  static func reason(_ name: String) -> String {
    let found = reasons.flatMap { row in row.cases.map { ($0, row.reason) } }
      .filter { name.hasPrefix($0.0) }.max { $0.0.count < $1.0.count }
    return found?.1 ?? unexamined
  }
}
