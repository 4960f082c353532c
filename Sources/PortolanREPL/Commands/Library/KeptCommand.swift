internal import PortolanApp
internal import PortolanJSON

/// Lists damaged maps that were set aside, since they may hold edits.
struct KeptCommand: LibraryCommand {
  static let declaration = CommandDeclaration(
    "kept", summary: "List maps that were set aside with their edits.", topic: .library,
    discussion: [
      "A damaged map that may hold edits is never deleted by Portolan itself, but set aside; so is a "
        + "deleted one with edits when it is downloaded again. "
        + "\"open\", \"changes\" and \"convert\" take the paths that are listed here, and read what "
        + "can still be read; \"kept restore\" puts one back on the list of maps, and "
        + "\"kept delete\" deletes one for good."
    ])

  init(parsing arguments: Arguments) throws(UsageError) {}

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let storage = try await library.storage()
    try await storage.listKept()
    let page = KeptPage(kept: storage.kept ?? [])
    return CommandResult(text: page.text, json: page.json)
  }
}

/// Puts a map that was set aside back on the list.
struct KeptRestoreCommand: LibraryCommand {
  static let name = Parameter.argument("NAME", "The name in the list of \"kept\".")

  static let declaration = CommandDeclaration(
    "kept restore", summary: "Put a map that was set aside back on the list.", topic: .library,
    parameters: [name],
    discussion: [
      "It comes back with the edits in it, its latest version if there are several; the others stay "
        + "set aside. Where another map has its title, a number is added. A map that does not open "
        + "stays where it is."
    ])

  private let name: String

  init(parsing arguments: Arguments) throws(UsageError) {
    name = try arguments.required(Self.name, as: .text)
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let restored = try await library.storage().putBackKept(name)
    return CommandResult(
      text: TextDocument("\"\(restored.title)\" is on the list again, with the edits in it."),
      json: restored.json)
  }
}

/// Deletes for good a map that was set aside.
struct KeptDeleteCommand: LibraryCommand {
  static let name = Parameter.argument("NAME", "The name in the list of \"kept\".")

  static let declaration = CommandDeclaration(
    "kept delete", summary: "Permanently delete a map that was set aside.", topic: .library,
    parameters: [name],
    discussion: [
      "Asks first; --yes answers. Edits in it that were not sent are lost with it: there is no "
        + "\"undo\"."
    ])

  private let name: String

  init(parsing arguments: Arguments) throws(UsageError) {
    name = try arguments.required(Self.name, as: .text)
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let storage = try await library.storage()
    try await storage.listKept()
    if storage.kept?.contains(where: { $0.name == name }) == true {
      try await session.confirm(
        "Delete \"\(name)\" permanently, with any edits in it?",
        otherwise: "\"\(name)\" was not deleted.")
    }
    let removal = try await storage.deleteKept(name)
    return CommandResult(
      text: TextDocument("\"\(name)\" is deleted, \(ByteCount.text(removal.byteCount))."),
      json: removal.json)
  }
}

/// What was set aside, as text and as JSON.
struct KeptPage {
  let kept: [StorageModel.Kept]

  var text: TextDocument {
    guard !kept.isEmpty else { return TextDocument("Nothing was set aside.") }
    return TextDocument(
      kept.flatMap { map in
        let title = map.title.map { " (\"\($0)\")" } ?? ""
        let paths = map.geodatabases.isEmpty ? [map.path] : map.geodatabases
        let reason = map.isDeleted ? ", deleted before it was downloaded again" : ""
        return [.line("\(map.name)\(title), \(ByteCount.text(map.byteCount))\(reason)")]
          + paths.map { TextDocument.Block.paragraph($0, indent: 2) }
      })
  }

  var json: JSONValue { ["kept": .array(kept.map(\.json))] }
}
