/// Turns lines into commands and runs them.
public struct Interpreter: Sendable {
  /// A command that has run.
  struct Evaluation {
    /// The result.
    var result: CommandResult
    /// The session with the options of its line.
    var session: Session
  }

  /// The vocabulary.
  public let commands: CommandTable

  /// Creates an interpreter.
  public init(_ commands: CommandTable) { self.commands = commands }

  /// Whether a line is neither blank nor a comment.
  static func isCommand(_ line: String) -> Bool {
    let line = line.drop(while: \.isWhitespace)
    return !line.isEmpty && !line.hasPrefix("#")
  }

  /// Runs one line of a session and shows its result or why there is none.
  @MainActor public func run(_ line: String, in session: Session) async -> Outcome {
    guard Self.isCommand(line) else { return Outcome() }
    do {
      return show(try await evaluate(line, in: session))
    } catch {
      var session = session
      // A line that cannot be understood still fails in the form that it asks for.
      if GlobalOptions.asksForJSON(in: WordSplitter.scan(line).map(\.text)) {
        session.options.format = .json
      }
      return show(error, in: session)
    }
  }

  /// Runs a command and shows its result or why there is none.
  @MainActor public func run(_ command: any Command, in session: Session) async -> Outcome {
    do {
      session.reportWaits()
      return show(Evaluation(result: try await session.running(command), session: session))
    } catch {
      return show(error, in: session)
    }
  }

  /// Runs one line and returns its result, without showing it.
  @MainActor func evaluate(_ line: String, in session: Session) async throws -> Evaluation {
    let invocation = try Invocation(
      parsing: try WordSplitter.words(of: line), commands: commands, options: session.options)
    let command = try invocation.commandWithinSession(of: session.options)
    try Task.checkCancellation()
    var session = session
    session.options = invocation.options
    session.reportWaits()
    return Evaluation(result: try await session.running(command), session: session)
  }

  @MainActor private func show(_ evaluation: Evaluation) -> Outcome {
    do {
      try evaluation.session.presenter.present(evaluation.result)
    } catch {
      return show(error.afterWork, in: evaluation.session)
    }
    return Outcome(
      status: evaluation.result.status, endsSession: evaluation.result.endsSession)
  }

  @MainActor private func show(_ error: any Error, in session: Session) -> Outcome {
    // The user knows that they stopped a cancelled command, whatever error it ends with.
    let failure = Task.isCancelled ? .interrupted : Failure(error)
    session.presenter.present(failure)
    // The results of further lines could not be seen.
    return Outcome(status: failure.status, endsSession: failure.isOutputFailure)
  }
}
