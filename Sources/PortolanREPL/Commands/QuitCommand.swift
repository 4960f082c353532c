internal import PortolanJSON

/// Ends the session, or the script that it stands in.
struct QuitCommand: Command {
  static let declaration = CommandDeclaration(
    "quit", aliases: ["exit"], summary: "Leave.", topic: .shell,
    discussion: ["Ctrl-D on an empty line does the same. In a script it ends the script."])

  init(parsing arguments: Arguments) throws(UsageError) {}

  @MainActor func run(in session: Session) async throws -> CommandResult {
    var result =
      session.options.format == .json
      ? CommandResult(text: TextDocument([]), json: ["ended": true]) : CommandResult()
    result.endsSession = true
    return result
  }
}
