internal import PortolanApp
internal import PortolanFeatures
internal import PortolanJSON

/// Takes back the last edit.
struct EditUndoCommand: MapCommand {
  static let declaration = CommandDeclaration(
    "edit undo", summary: "Take back the last edit of this session.", topic: .editing,
    parameters: [MapChoice.map, MapChoice.number],
    discussion: [
      "Edits can be undone, the last one first, as long as the map is open: in the shell, or in a "
        + "script that made them."
    ])

  let choice: MapChoice

  init(parsing arguments: Arguments) throws(UsageError) { choice = try MapChoice(arguments) }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    let undone = try await map.editing.undo()
    let left = map.editing.state.undoCount
    var blocks = undone.map { TextDocument.Block.line("Took back: \($0.sentence).") }
    blocks.append(.line(left == 0 ? "Nothing is left to undo." : "\(left) left to undo."))
    return CommandResult(
      text: TextDocument(blocks),
      json: ["undone": .array(undone.map(\.json)), "undoCount": .integer(Int64(left))])
  }
}

/// Lists the edits that are not synchronized.
struct ChangesCommand: MapCommand {
  static let declaration = CommandDeclaration(
    "changes", summary: "List what differs from what was synchronized last.", topic: .editing,
    parameters: [MapChoice.map, MapChoice.number],
    discussion: [
      "Of tables that keep a history every edit since then is listed, whichever program made it; of "
        + "others only the edits of this session are known."
    ],
    examples: [.init("changes --map canyonlands", "of a map on disk")])

  let choice: MapChoice

  init(parsing arguments: Arguments) throws(UsageError) { choice = try MapChoice(arguments) }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    let page = ChangesPage(changes: try await map.editing.changes())
    return CommandResult(text: page.text, json: page.json)
  }
}

/// The list of changes as text and as JSON.
struct ChangesPage {
  let changes: EditingModel.Changes

  var text: TextDocument {
    var blocks: [TextDocument.Block] = []
    if let date = changes.lastSync.flatMap(CivilDate.init) {
      blocks.append(.line("Synchronized last on \(date.iso8601)."))
    }
    guard !changes.all.isEmpty else {
      return TextDocument(blocks + [.line("There are no changes.")] + notes)
    }
    let rows = changes.tables.flatMap { table in
      table.changes.map { change in
        [
          table.layerTitle, "\(change.objectID)", change.kind?.rawValue ?? "",
          change.attachments.map { "\($0.kind.rawValue) \($0.id)" }.joined(separator: ", "),
        ]
      }
    }
    blocks.append(
      .table(
        TextTable(
          [.init("layer"), .init("id", .right), .init("change"), .init("attachments")], rows: rows))
    )
    return TextDocument(blocks + notes)
  }

  /// What cannot be known.
  private var notes: [TextDocument.Block] {
    let titles = changes.tables.filter { !$0.hasHistory }.map { "«\($0.layerTitle)»" }
    guard !titles.isEmpty else { return [] }
    let verb = titles.count == 1 ? "keeps" : "keep"
    return [
      .paragraph(
        "Note: \(titles.joined(separator: ", ")) \(verb) no history; only the edits of this session "
          + "are known.", indent: 0)
    ]
  }

  var json: JSONValue {
    [
      "lastSync": changes.lastSync.flatMap(CivilDate.init).map { .string($0.iso8601) } ?? .null,
      "tables": .array(
        changes.tables.map { table in
          [
            "table": .string(table.table), "layer": .string(table.layerTitle),
            "hasHistory": .bool(table.hasHistory), "changes": .array(table.changes.map(\.json)),
          ]
        }),
    ]
  }
}

extension LocalChange {
  /// The change in a few words.
  fileprivate var sentence: String {
    let feature = "feature \(objectID) of \(table)"
    return switch kind {
    case .add: "\(feature), which had been added"
    case .update: "a change of \(feature)"
    case .delete: "the removal of \(feature)"
    case nil: "a change to the attachments of \(feature)"
    }
  }

  fileprivate var json: JSONValue {
    [
      "table": .string(table), "objectId": .integer(objectID),
      "globalId": globalID.map(JSONValue.string) ?? .null,
      "kind": kind.map { .string($0.rawValue) } ?? .null,
      "attachments": .array(
        attachments.map {
          [
            "id": .integer($0.id), "globalId": $0.globalID.map(JSONValue.string) ?? .null,
            "kind": .string($0.kind.rawValue),
          ]
        }),
    ]
  }
}
