internal import Foundation
internal import PortolanApp
internal import PortolanJSON

/// Walks through the sample, so that a person sees in a minute what there is.
struct DemoCommand: Command {
  static let declaration = CommandDeclaration(
    "demo", summary: "Walk through the sample map, with no network at all.", topic: .shell,
    discussion: [
      "The sample is a mobile map package of the coast and the woods of Maine, built by Portolan's own "
        + "writers when it is first asked for. Each step is a command that works on your own maps too."
    ])

  /// A step of the tour.
  private struct Step {
    let words: String
    let command: String
  }

  init(parsing arguments: Arguments) throws(UsageError) {}

  @MainActor func run(in session: Session) async throws -> CommandResult {
    guard let sample = session.sample else {
      throw Failure("no-sample", "This build comes without the sample.")
    }
    let url = try await sample.package()
    let steps = Self.steps(of: url.path(percentEncoded: false))
    let lines = steps.enumerated().compactMap { ScriptLine(number: $0 + 1, text: $1.command) }
    let script = Script(lines: lines, file: nil) { line in
      let announcement = TextDocument([
        .blank, .paragraph(steps[line.number - 1].words, indent: 0), .line("> \(line.text)"),
        .blank,
      ])
      try session.presenter.present(CommandResult(text: announcement, json: .null))
    }
    return try await script.run(in: session)
  }

  private static func steps(of path: String) -> [Step] {
    let file = "'" + path.replacing("'", with: #"'\''"#) + "'"
    return [
      Step(
        words: "A mobile map package is a file with maps and all their data. This one holds three.",
        command: "open \(file)"),
      Step(words: "The layers of the first map, and which are on.", command: "toc"),
      Step(words: "What their symbols mean.", command: "legend"),
      Step(words: "Places that the author of the map named.", command: "bookmarks"),
      Step(words: "Go to one of them.", command: "go-to \"Portland Head\""),
      Step(words: "What is under a finger there?", command: "identify -70.2079,43.6231"),
      Step(words: "More about the first of them.", command: "popup 1"),
      Step(
        words: "Switch a layer off, and its features are no longer found.",
        command: "hide Lighthouses"),
      Step(words: "As before, without the lighthouse.", command: "identify -70.2079,43.6231"),
      Step(words: "Another map of the package, of the lighthouses only.", command: "open --map 2"),
      Step(
        words: "Close in, each lighthouse has a symbol of its own.",
        command: "view --center -70.2079,43.6231 --scale 25000"),
      Step(words: "Its legend.", command: "legend"),
      Step(words: "The lighthouse again.", command: "identify -70.2079,43.6231"),
      Step(
        words: "This map's popup has a chart, the files of the lighthouse and its history.",
        command: "popup 1"),
      Step(
        words: "The features themselves, as GeoJSON, by a condition.",
        command:
          "features \(file) --layer Towns --where \"POPULATION > 35000\""),
    ]
  }
}
