/// Why rendering cases of the style specification differ, where the drawing reports nothing.
///
/// The longest beginning of a case's name counts.
enum StyleRenderingReasons {
  static let unexamined = "Not examined."

  private static let reasons: [(cases: [String], reason: String)] = [
    (["raster-", "retina-raster", "zoomed-raster"], "Raster layers of styles are not drawn."),
    (
      ["fill-opacity", "geojson/inline-polygon-fill", "extent/1024-fill"],
      "Pixels at an edge are covered by the share that is inside; expected is an area that a line "
        + "of a pixel makes wider."
    ),
    (
      ["circle-blur/literal-stroke"], "The line around a circle is drawn sharp, beside its blur."
    ),
    (["geojson/clustered"], "Points of GeoJSON are not clustered."),
    (
      ["line-pattern"],
      "Copies of a pattern stand straight, one after the other; expected are copies that bend."
    ),
    (
      ["text-arabic"],
      "Joined letters are set in the fonts of this machine; expected are those of the style."
    ),
    (["text-writing-mode"], "Text is level, never upright in columns."),
  ]

  static func reason(_ name: String) -> String {
    let found = reasons.flatMap { row in row.cases.map { ($0, row.reason) } }
      .filter { name.hasPrefix($0.0) }.max { $0.0.count < $1.0.count }
    return found?.1 ?? unexamined
  }
}
