/// Lists the commands, or explains one.
struct HelpCommand: Command {
  static let command = Parameter.argument(
    "COMMAND", "The command to explain.", count: .any, completion: .command)

  static let declaration = CommandDeclaration(
    "help", aliases: ["?"], summary: "List the commands, or explain one.", topic: .shell,
    parameters: [command],
    examples: [
      .init("help", "all commands"), .init("help run", "what a script may hold"),
    ])

  let name: String?

  init(parsing arguments: Arguments) throws(UsageError) {
    let words = try arguments.values(of: Self.command, as: .text)
    name = words.isEmpty ? nil : words.joined(separator: " ")
  }

  /// Explains one command, or all of them.
  init(explaining name: String?) { self.name = name }

  @MainActor func run(in session: Session) async throws -> CommandResult {
    let commands = session.interpreter.commands
    guard let name else { return CommandListing(commands.declarations).result }
    let family = commands.declarations.filter { $0.name.hasPrefix(name + " ") }
    if !family.isEmpty, !commands.hasCommand(named: name) {
      return CommandListing(family, family: name).result
    }
    return CommandManual(try commands.command(named: name).declaration, family: family).result
  }
}
