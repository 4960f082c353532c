internal import PortolanApp

/// The commands of a shell, found by name or alias.
public struct CommandTable: Sendable {
  /// The commands in the order of the list that `help` prints.
  public let commands: [any Command.Type]

  /// Creates a table.
  public init(_ commands: [any Command.Type]) { self.commands = commands }

  /// The commands of the shell itself.
  public static let shell = CommandTable([
    HelpCommand.self, RunCommand.self, CompletionCommand.self, VersionCommand.self,
    QuitCommand.self,
  ])

  /// Every command of `portolan`.
  public static let standard = CommandTable(
    [
      InspectCommand.self, FeaturesCommand.self, ConvertCommand.self, UnpackCommand.self,
      CreatePackageCommand.self, PreviewCommand.self, OpenCommand.self, CloseCommand.self,
      TableOfContentsCommand.self, ShowCommand.self, HideCommand.self,
      LegendCommand.self, BookmarksCommand.self, BookmarksAddCommand.self,
      BookmarksRemoveCommand.self, GoToCommand.self, IdentifyCommand.self,
      SuggestCommand.self, FindCommand.self, PickCommand.self,
      PopupCommand.self, AttachmentsCommand.self, RelatedCommand.self, ViewCommand.self,
      SnapshotCommand.self, TilesCommand.self,
      TilesGetCommand.self, TilesDownloadCommand.self, TilesStatusCommand.self,
      TilesRegionsCommand.self, TilesClearCommand.self, TilesExportCommand.self,
      TilesImportCommand.self, TilesExplainCommand.self, TilesServeCommand.self,
      TilesBasemapCommand.self,
      DemoCommand.self, WebCommand.self,
      EditAddCommand.self,
      EditSetCommand.self, EditMoveCommand.self, EditRemoveCommand.self, EditAttachCommand.self,
      EditDetachCommand.self,
      EditFormCommand.self, EditUndoCommand.self, ChangesCommand.self, SignInCommand.self,
      SignOutCommand.self, WhoAmICommand.self, PortalInfoCommand.self, SearchCommand.self,
      ItemCommand.self, ShareCommand.self, WebMapCommand.self, NetworkCommand.self,
      SettingsCommand.self,
      LayerRetryCommand.self, LayerSkipCommand.self, DemoPortalCommand.self,
      StatusCommand.self, MapsCommand.self, AreasCommand.self, DownloadCommand.self,
      CapabilitiesCommand.self, EstimateCommand.self, TakeOfflineCommand.self,
      JobsCommand.self, JobsMoveCommand.self, JobsLogCommand.self, JobsForgetCommand.self,
      PauseCommand.self, ResumeCommand.self, CancelCommand.self, RetryCommand.self,
      AcceptCommand.self, DeleteCommand.self, UndoCommand.self, RollBackCommand.self,
      ImportCommand.self, ExportCommand.self, UpdatesCommand.self, UpdateCommand.self,
      SyncCommand.self, ConflictsCommand.self, ConflictsResolveCommand.self,
      StorageCommand.self,
      AuditCommand.self, RepairCommand.self, KeptCommand.self, KeptRestoreCommand.self,
      KeptDeleteCommand.self,
    ] + shell.commands)

  /// The declarations, in order.
  var declarations: [CommandDeclaration] {
    // A closure, not a key path: key paths into existential metatypes crash Swift 6.3.1.
    commands.map { $0.declaration }
  }

  /// The first words of the commands' names, each once.
  var firstWords: [String] {
    var seen: Set<Substring> = []
    return declarations.compactMap { declaration in
      declaration.name.split(separator: " ").first.flatMap {
        seen.insert($0).inserted ? String($0) : nil
      }
    }
  }

  /// The second words of the commands whose first word is `name`; none for other commands.
  func members(ofFamily name: String) -> [String] {
    declarations.compactMap { declaration in
      let words = declaration.name.split(separator: " ")
      return words.count == 2 && words[0] == name ? String(words[1]) : nil
    }
  }

  /// Whether there is a command called `name`.
  func hasCommand(named name: String) -> Bool {
    declarations.contains { $0.name == name || $0.aliases.contains(name) }
  }

  /// The name that the values of a line begin with; `nil` while a word of it is missing.
  func longestName(startingWith values: [String]) -> String? {
    guard let first = values.first else { return nil }
    let members = members(ofFamily: first)
    let isPlain = members.isEmpty || hasCommand(named: first)
    guard values.count > 1, !members.isEmpty, members.contains(values[1]) || !isPlain else {
      return isPlain ? first : nil
    }
    return "\(first) \(values[1])"
  }

  /// The command called `name`.
  func command(named name: String) throws(UsageError) -> any Command.Type {
    let found = commands.first {
      $0.declaration.name == name || $0.declaration.aliases.contains(name)
    }
    if let found { return found }
    let known = declarations.flatMap { [$0.name] + $0.aliases }
    throw UsageError(
      "There is no command \"\(name)\".",
      suggestion: Suggestion.sentence(for: name, among: known)
        ?? "Type \"help\" for the list of commands.")
  }
}
