internal import PortolanApp
internal import PortolanJSON

/// A step of a tour: a few words, then a command as anyone could type it.
struct TourStep {
  /// The introduction to the step.
  let words: String
  let command: String
  /// Whether the network is cut before it.
  var cutsNetwork = false
  /// The failures that are a person's choice, or follow from it, and do not end the tour.
  var tolerated: Set<ErrorCode> = []
}

extension Script {
  /// A script of steps that are announced one by one.
  init(
    _ steps: [TourStep], in session: Session,
    prepare: @escaping @MainActor (TourStep) async throws -> Void = { _ in }
  ) {
    let lines = steps.enumerated().compactMap { ScriptLine(number: $0 + 1, text: $1.command) }
    self.init(lines: lines, file: nil) { line in
      let announcement = TextDocument([
        .blank, .paragraph(steps[line.number - 1].words, indent: 0), .line("> \(line.text)"),
        .blank,
      ])
      try session.presenter.present(CommandResult(text: announcement, json: .null))
    } prepare: { line in
      try await prepare(steps[line.number - 1])
    } tolerates: { failure, line in
      steps[line.number - 1].tolerated.contains(failure.code)
    }
  }
}
