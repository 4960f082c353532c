internal import PortolanJSON

/// Prints the version.
struct VersionCommand: Command {
  static let declaration = CommandDeclaration(
    "version", summary: "Print the version.", topic: .shell)

  /// The version of this build, as in CHANGELOG.md.
  static let current = "0.1.0"

  init() {}

  init(parsing arguments: Arguments) throws(UsageError) {}

  @MainActor func run(in session: Session) async throws -> CommandResult {
    CommandResult(
      text: TextDocument("portolan \(Self.current)"),
      json: ["name": "portolan", "version": .string(Self.current)])
  }
}
