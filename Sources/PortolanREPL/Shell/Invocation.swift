/// A command line that has been understood.
public struct Invocation: Sendable {
  /// The options, with those of the session where the line names none.
  public var options: GlobalOptions

  /// The command with its arguments, or `nil` if the line names none.
  public var command: (any Command)?

  /// Understands the words of a command line.
  ///
  /// `--help` turns a command into its explanation, and `--version` into the version.
  public init(
    parsing words: [String], commands: CommandTable, options: GlobalOptions
  ) throws(UsageError) {
    self.options = options
    var parser = ArgumentParser(words)
    guard var name = try parser.commandName(&self.options) else {
      command = Self.replacement(for: nil, self.options)
      return
    }
    let members = commands.members(ofFamily: name)
    if commands.hasCommand(named: name) {
      if let member = parser.word(among: members) { name += " \(member)" }
    } else if !members.isEmpty {
      guard let member = try parser.commandName(&self.options) else {
        guard let help = Self.replacement(for: name, self.options) else {
          throw UsageError(
            "\"\(name)\" alone does nothing.",
            suggestion: "Say what to do: \(members.joined(separator: ", ")).")
        }
        command = help
        return
      }
      name += " \(member)"
    }
    let type = try commands.command(named: name)
    let declaration = type.declaration
    do throws(UsageError) {
      let arguments = try parser.arguments(of: declaration, &self.options)
      if let replacement = Self.replacement(for: declaration.name, self.options) {
        command = replacement
        return
      }
      try arguments.checkComplete(for: declaration)
      command = try type.init(parsing: arguments)
    } catch {
      throw error.explained(by: declaration)
    }
  }

  private static func replacement(
    for name: String?, _ options: GlobalOptions
  ) -> (any Command)? {
    if options.wantsHelp { return HelpCommand(explaining: name) }
    return options.wantsVersion ? VersionCommand() : nil
  }

  /// The command of a line within a session, which may not have an option that only its start
  /// obeys.
  func commandWithinSession(of session: GlobalOptions) throws(UsageError) -> any Command {
    let changed = [
      (GlobalOptions.homeOption, session.home != options.home),
      (GlobalOptions.portalOption, session.portal != options.portal),
      (GlobalOptions.offlineFlag, session.isOffline != options.isOffline),
    ]
    if let late = changed.first(where: \.1)?.0 {
      throw UsageError(
        "\(late.label) can only be given when Portolan starts.",
        suggestion: "Leave, and start it with \"portolan \(late.spelling)\".")
    }
    guard let command else {
      throw UsageError(
        "There is no command on this line.", suggestion: "Type \"help\" for the list of commands.")
    }
    return command
  }
}
