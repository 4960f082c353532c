internal import Foundation

/// Lines of commands that run one after the other, until one fails.
struct Script {
  /// The lines, without blanks and comments.
  let lines: [ScriptLine]
  /// The file that they come from, for messages; `nil` if none.
  let file: String?
  /// Called before each line, to say what it is about; not with `--json`.
  var announce: @MainActor (ScriptLine) throws -> Void = { _ in }
  /// Called before each line, to make ready for it.
  var prepare: @MainActor (ScriptLine) async throws -> Void = { _ in }
  /// Whether a failure is shown and the next line follows all the same.
  var tolerates: @MainActor (Failure, ScriptLine) -> Bool = { _, _ in false }

  /// Runs the lines: prints each result as it comes or, with `--json`, gathers them in one
  /// document.
  @MainActor func run(in session: Session) async throws -> CommandResult {
    var session = session
    // The lines of a script share the map that one of them opens.
    session.keepsMap = true
    return session.options.format == .json
      ? try await recording(in: session) : try await printing(in: session)
  }

  @MainActor private func printing(in session: Session) async throws -> CommandResult {
    for line in lines {
      do {
        try announce(line)
        try await prepare(line)
        let evaluation = try await session.interpreter.evaluate(line.text, in: session)
        do { try evaluation.session.presenter.present(evaluation.result) } catch {
          throw error.afterWork
        }
        guard evaluation.result.status == .done else {
          return CommandResult(status: evaluation.result.status)
        }
        if evaluation.result.endsSession { return CommandResult() }
      } catch {
        let failure = located(error, at: line)
        guard !failure.isOutputFailure, tolerates(failure, line) else { throw failure }
        session.presenter.present(failure)
      }
    }
    return CommandResult()
  }

  @MainActor private func recording(in session: Session) async throws -> CommandResult {
    let sink = try session.presenter.makeDocumentSink()
    var recorder = ScriptRecorder(sink)
    for line in lines {
      do {
        try await prepare(line)
        let evaluation = try await session.interpreter.evaluate(line.text, in: session)
        try recorder.add(evaluation.result, of: line)
        if evaluation.result.status != .done || evaluation.result.endsSession {
          try recorder.end()
          return CommandResult(.streamed(sink), status: evaluation.result.status)
        }
      } catch {
        let failure = located(error, at: line)
        if tolerates(failure, line) { continue }
        try recorder.end(failure)
        return CommandResult(.streamed(sink), status: failure.status)
      }
    }
    try recorder.end()
    return CommandResult(.streamed(sink))
  }

  private func located(_ error: any Error, at line: ScriptLine) -> Failure {
    var failure = Failure(error)
    // A script inside a script has already said where.
    guard let file, failure.line == nil else { return failure }
    failure.line = line.number
    failure.file = failure.file ?? file
    return failure
  }
}

/// A line of a script that is neither blank nor a comment.
struct ScriptLine {
  let number: Int
  let text: String

  init?(number: Int, text: some StringProtocol) {
    let text = Self.withoutComment(text.trimmingCharacters(in: .whitespacesAndNewlines))
    guard Interpreter.isCommand(text) else { return nil }
    self.number = number
    self.text = text
  }

  /// The lines of a text; one that ends in a backslash continues in the next, as in a shell.
  static func lines(in text: String) -> [ScriptLine] {
    // By `isNewline`, since a carriage return and a line feed are one character.
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    var whole: [ScriptLine] = []
    var begun: (number: Int, text: String)?
    for (index, line) in lines.enumerated() {
      var text = (begun?.text ?? "") + line
      let number = begun?.number ?? index + 1
      begun = nil
      if index + 1 < lines.count, Self.continues(text) {
        text.removeLast()
        begun = (number, text)
      } else if let line = ScriptLine(number: number, text: text) {
        whole.append(line)
      }
    }
    return whole
  }

  /// Whether a line continues in the next: it ends in a backslash that no other one precedes, and is no
  /// comment.
  private static func continues(_ line: String) -> Bool {
    Interpreter.isCommand(line)
      && !line.reversed().prefix { $0 == "\\" }.count.isMultiple(of: 2)
  }

  /// The line without a comment at its end, which begins with a separate #: a colour does not.
  private static func withoutComment(_ line: String) -> String {
    let comment = WordSplitter.scan(line).first { $0.text == "#" && line[$0.start] == "#" }
    guard let comment, comment.start > line.startIndex else { return line }
    return line[..<comment.start].trimmingCharacters(in: .whitespaces)
  }
}
