internal import PortolanJSON

/// Writes the script with which a shell completes commands and options.
struct CompletionCommand: Command {
  static let shell = Parameter.argument(
    "SHELL", "The shell: bash, zsh or fish.", completion: .choice(Shell.allCases.map(\.rawValue)))

  static let declaration = CommandDeclaration(
    "completion", summary: "Write a completion script for a shell.", topic: .shell,
    parameters: [shell],
    discussion: [
      "The script completes the names of commands, options, their choices and files. Load it where "
        + "the shell starts: in ~/.bashrc with source <(portolan completion bash); for zsh in a "
        + "file called _portolan in a folder of $fpath; for fish in "
        + "~/.config/fish/completions/portolan.fish."
    ],
    examples: [
      .init("completion bash > /etc/bash_completion.d/portolan", "for all users of a machine")
    ])

  /// A shell that completions are written for.
  private enum Shell: String, CaseIterable, Sendable {
    case bash
    case zsh
    case fish
  }

  private let shell: Shell

  init(parsing arguments: Arguments) throws(UsageError) {
    let name = try arguments.required(Self.shell, as: .choice(Shell.allCases.map(\.rawValue)))
    shell = Shell(rawValue: name) ?? .bash
  }

  @MainActor func run(in session: Session) async throws -> CommandResult {
    let table = session.interpreter.commands
    let script =
      switch shell {
      case .bash: BashCompletion(table).script
      case .zsh: ZshCompletion(table).script
      case .fish: FishCompletion(table).script
      }
    let lines = script.split(separator: "\n", omittingEmptySubsequences: false)
    return CommandResult(
      text: TextDocument(lines.map { .line(String($0)) }),
      json: ["shell": .string(shell.rawValue), "script": .string(script)])
  }
}
