/// One word of the shell's vocabulary.
///
/// A command takes its arguments when it is created and touches models and files only when it
/// runs, so that parsing is tested without a session. To add a command, write one such type and
/// name it in ``CommandTable/standard``; help, completion and "did you mean" follow from its
/// declaration.
public protocol Command: Sendable {
  /// The declaration of the command's name and parameters.
  static var declaration: CommandDeclaration { get }

  /// Takes the arguments, which hold every required parameter.
  init(parsing arguments: Arguments) throws(UsageError)

  /// Does the work; cancelling the task stops it.
  @MainActor func run(in session: Session) async throws -> CommandResult
}
