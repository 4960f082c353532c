internal import PortolanApp

/// Lists the edits that could not be exchanged.
struct ConflictsCommand: LibraryCommand {
  static let map = Parameter.argument(
    "MAP", "The id of a stored map, or its title; the open map unless given.", count: .atMostOne,
    completion: .word(.storedMap))

  static let declaration = CommandDeclaration(
    "conflicts",
    summary: "List edits that conflict with those of others, or that a service rejects.",
    topic: .library, parameters: [map, ConflictsResolveCommand.map],
    discussion: [
      "Such edits stay as they are, here and at the service, until \"conflicts resolve N\" says which "
        + "of both holds. The list is made by \"sync\".",
      "Features of others that this copy cannot hold, such as a text that is too long for its field, are "
        + "listed as well. Each \"sync\" tries them again; change them at the service, or take the map "
        + "offline again.",
    ],
    examples: [.init("conflicts \"Around Portland\"", "one by one, value by value")])

  private let name: String?

  init(parsing arguments: Arguments) throws(UsageError) {
    let names = [
      try arguments.value(of: Self.map, as: .text),
      try arguments.value(of: ConflictsResolveCommand.map, as: .text),
    ].compactMap(\.self)
    guard names.count < 2 else { throw UsageError("Give either MAP or --map.") }
    name = names.first
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let ids = try await StoredMapChoice(names: [name].compactMap(\.self))
      .ids(with: library, in: session)
    let model = try await library.sync()
    try await model.loadConflicts(of: ids[0])
    session.listedConflicts.note(model)
    guard session.app.storedID == ids[0] else {
      return ConflictsPage(state: model.state, named: name).result
    }
    var page = ConflictsPage(state: model.state)
    for table in Set(model.state.conflicts.map(\.table)) {
      let title = session.app.map?.editing.layerTitle(ofTable: table)
      // If several files have tables of that name, it calls none by its title.
      if title != table { page.layerTitles[table] = title }
    }
    return page.result
  }
}

/// Decides on an edit that could not be exchanged.
struct ConflictsResolveCommand: LibraryCommand {
  static let number = Parameter.argument("N", "The number of the conflict.")
  static let mine = Parameter.flag(
    "mine", "Keep your edit and overwrite what the service has in the same fields.")
  static let theirs = Parameter.flag("theirs", "Discard your edit and keep the service's version.")
  static let map = Parameter.option(
    "map", "MAP", "The id of a stored map, or its title; the open map unless given.",
    completion: .word(.storedMap))

  static let declaration = CommandDeclaration(
    "conflicts resolve", aliases: ["resolve"],
    summary: "Resolve an edit that conflicts with those of others, or that a service rejects.",
    topic: .library, parameters: [number, EditParameters.values, mine, theirs, map],
    discussion: [
      "What is sent goes with the next \"sync\". With FIELD=VALUE your feature is changed first, and "
        + "then sent. --theirs discards your edit for good.",
      "What is sent is what you have changed: what others have changed in other fields of the feature, "
        + "or its shape, stays as they have it.",
      "After \"conflicts\" it is the conflict as it was listed that is resolved: if it was changed since, "
        + "nothing is done, and \"conflicts\" shows what there is now.",
    ],
    examples: [
      .init("conflicts resolve 1 --mine", "yours holds"),
      .init("conflicts resolve 2 NAME=\"Portland Head\"", "yours holds, with another name"),
    ])

  private let number: Int
  private let values: [(field: String, text: String)]
  private let takesMine: Bool
  private let takesTheirs: Bool
  private let name: String?

  init(parsing arguments: Arguments) throws(UsageError) {
    number = try arguments.required(Self.number, as: .integer(in: 0...Int(Int32.max)))
    values = try EditParameters.assignments(arguments)
    takesMine = arguments.isSet(Self.mine)
    takesTheirs = arguments.isSet(Self.theirs)
    name = try arguments.value(of: Self.map, as: .text)
    guard [takesMine || !values.isEmpty, takesTheirs].count(where: \.self) == 1 else {
      throw UsageError(
        "Give --mine, --theirs or FIELD=VALUE.",
        suggestion: Self.declaration.usageAdvice)
    }
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let id = try await StoredMapChoice(names: [name].compactMap(\.self))
      .ids(with: library, in: session)[0]
    let model = try await library.sync()
    try await model.loadConflicts(of: id)
    guard let listed = model.state.conflicts.first(where: { $0.id == number }) else {
      let map = name.map { " \(ShellWord.quoted($0))" } ?? ""
      throw Problem(
        message: "There is no conflict \(number).",
        suggestion: "\"conflicts\(map)\" lists those that there are.", kind: .absence)
    }
    let seen = session.listedConflicts.seen(number, in: model)
    await session.app.endEditing(ofStored: id)
    if values.isEmpty {
      try await model.resolve(number, as: takesTheirs ? .theirs : .mine, ifStill: seen)
    } else {
      try await model.resolve(number, setting: values, ifStill: seen)
    }
    await session.app.storedMapHasChanged(id)
    return ConflictsPage(
      state: model.state, resolved: number,
      outcome: takesTheirs ? .givenUp : listed.isSent ? .sent : .kept
    ).result
  }
}

/// The edits that could not be exchanged, as text and as JSON.
struct ConflictsPage {
  let state: SyncModel.State
  /// The name of the map in the line, unless that is the open one.
  var named: String?
  /// The titles of layers in the open map, by their tables.
  var layerTitles: [String: String] = [:]
  /// The number of the one that was decided on.
  var resolved: Int?
  /// The outcome for the edit.
  var outcome = Outcome.sent

  /// The outcome of an edit that was decided on.
  enum Outcome: String {
    case sent = "yours is sent with the next \"sync\""
    case kept = "yours stays on this device, for this map sends nothing of it"
    case givenUp = "yours is discarded for theirs"
  }

  var result: CommandResult {
    CommandResult(text: TextDocument(text), json: state.conflictsJSON(resolved: resolved))
  }

  private var text: [TextDocument.Block] {
    let title = state.title ?? ""
    if let resolved {
      let left = state.conflicts.count
      let rest = left == 0 ? "No conflict is left." : "\(left) \(left == 1 ? "is" : "are") left."
      return [.line("Conflict \(resolved) is resolved: \(outcome.rawValue). \(rest)")]
    }
    guard !state.conflicts.isEmpty else { return [.line("\"\(title)\" has no conflicts.")] }
    return state.conflicts.flatMap(blocks) + [.paragraph(advice, indent: 0)]
  }

  /// The advice on the listed edits.
  private var advice: String {
    let isSent = state.conflicts.contains(where: \.isSent)
    let map = named.map { " --map \(ShellWord.quoted($0))" } ?? ""
    let ways = [
      "\"conflicts resolve N --mine\(map)\" \(isSent ? "sends" : "keeps") yours",
      "\"--theirs\" gives it up",
    ]
    guard state.conflicts.contains(where: { $0.canEdit && !$0.values.isEmpty }) else {
      return ways.joined(separator: ", ") + "."
    }
    return ways.joined(separator: ", ") + ", and \"FIELD=VALUE\" changes yours"
      + (isSent ? " before it is sent." : ".")
  }

  /// The local edit of a feature, in words.
  private static func words(for edit: String) -> String {
    switch edit {
    case "add": "added here"
    case "update": "changed here"
    case "delete": "deleted here"
    case "attachments": "attachments changed here"
    default: "not changed here"
    }
  }

  private func blocks(_ conflict: SyncModel.Conflict) -> [TextDocument.Block] {
    let layer = layerTitles[conflict.table] ?? conflict.layerTitle ?? conflict.table
    var blocks: [TextDocument.Block] = [
      .line(
        "\(conflict.id)  \(layer) \(conflict.objectID), \(Self.words(for: conflict.edit)): "
          + conflict.reason)
    ]
    let unchanged = "(not changed here)"
    var rows = conflict.differences.map { difference in
      let mine = difference.isChangedHere == false ? unchanged : difference.mine ?? ""
      return [difference.label, mine, difference.theirs ?? ""]
    }
    if conflict.isMovedApart {
      let mine = conflict.isShapeChangedHere == false ? unchanged : "yours"
      rows.append(["position", mine, "theirs"])
    }
    if !rows.isEmpty, !conflict.isGoneThere {
      blocks.append(
        .table(TextTable([.init("field"), .init("mine"), .init("theirs")], rows: rows)))
    }
    for edit in conflict.related {
      let layer = layerTitles[edit.table] ?? edit.layerTitle ?? edit.table
      let words = Self.words(for: edit.edit)
      blocks.append(.line("   Decided with it: \(layer) \(edit.objectID), \(words)."))
    }
    return blocks
  }
}
