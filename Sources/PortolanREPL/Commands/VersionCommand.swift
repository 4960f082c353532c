internal import PortolanApp
internal import PortolanJSON

/// Prints the version.
struct VersionCommand: Command {
  static let declaration = CommandDeclaration(
    "version", summary: "Print the version.", topic: .shell)

  init() {}

  init(parsing arguments: Arguments) throws(UsageError) {}

  @MainActor func run(in session: Session) async throws -> CommandResult {
    CommandResult(
      text: TextDocument("portolan \(ProductVersion.current)"),
      json: ["name": "portolan", "version": .string(ProductVersion.current)])
  }
}
