internal import PortolanApp
internal import PortolanJSON
internal import PortolanJobs

/// Synchronizes stored maps with their services.
struct SyncCommand: LibraryCommand {
  static let maps = Parameter.argument(
    "MAP", "The id of a stored map, or its title; the open map unless given.", count: .any,
    completion: .word(.storedMap))
  static let all = Parameter.flag(
    "all", "Every stored map that can be synchronized, one after the other.")
  static let direction = Parameter.option(
    "direction", "DIRECTION",
    "In which direction edits go: upload, download, or bidirectional, which it is unless given.",
    completion: .choice(SyncModel.Direction.allCases.map(\.rawValue)))
  static let wait = Parameter.flag(
    "wait", "Wait at the prompt until the job ends; Ctrl-C stops waiting, and it goes on.")

  static let declaration = CommandDeclaration(
    "sync", summary: "Synchronize stored maps with their services.", topic: .library,
    parameters: [maps, all, direction, wait],
    discussion: [
      "Edits of others come in first, then yours are sent. A feature that both have edited is left as "
        + "it is on both sides until you decide; \"conflicts\" lists such features, and edits "
        + "that the service refuses. The exit status is 3 while there are any.",
      "A synchronization that fails leaves the map and its edits as they were. Edits of the open map "
        + "can no longer be undone afterwards.",
      "A map that was imported is synchronized when it is named, with the accounts that you are signed in "
        + "with; from then on --all includes it.",
    ],
    examples: [
      .init("sync", "the open map"),
      .init("sync \"Around Portland\" --direction upload", "without what others have edited"),
      .init("sync --all", "whatever can be synchronized"),
    ])

  private let names: [String]
  private let wantsAll: Bool
  private let direction: SyncModel.Direction
  private let waits: Bool

  init(parsing arguments: Arguments) throws(UsageError) {
    names = try arguments.values(of: Self.maps, as: .text)
    wantsAll = arguments.isSet(Self.all)
    waits = arguments.isSet(Self.wait)
    let choices = SyncModel.Direction.allCases.map(\.rawValue)
    direction =
      try arguments.value(of: Self.direction, as: .choice(choices))
      .flatMap(SyncModel.Direction.init) ?? .bidirectional
    guard names.isEmpty || !wantsAll else {
      throw UsageError("Give either MAP or --all.")
    }
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let model = try await library.sync()
    let jobs = try await library.loadedJobs()
    let ids =
      wantsAll
      ? try await model.synchronizedMaps()
      : try await StoredMapChoice(names: names).ids(with: library, in: session)
    guard !ids.isEmpty else {
      return CommandResult(
        text: TextDocument("There are no maps on this device that can be synchronized."),
        json: ["jobs": []])
    }
    var submitted: [JobID] = []
    for id in ids {
      await session.app.endEditing(ofStored: id)
      submitted.append(try await model.sync(id, direction).job.id)
    }
    let result = try await JobFollower(jobs: jobs, session: session, waits: waits)
      .result(of: submitted)
    for id in ids { await session.app.storedMapHasChanged(id) }
    return result
  }
}

/// The stored maps that a line names, or the one that is open.
struct StoredMapChoice {
  let names: [String]

  @MainActor func ids(
    with library: LibraryScreens, in session: Session
  ) async throws -> [String] {
    guard !names.isEmpty else {
      guard let id = session.app.storedID else {
        throw UsageError(
          "No stored map is open.", suggestion: "Name one; \"maps\" lists the maps on this device.")
      }
      return [id]
    }
    let maps = try await library.loadedMaps()
    let titles = maps.state.items.filter(\.canOpenOffline).map(\.title)
    return try names.map { name in
      try Problem.suggesting(name, among: titles) { () throws(Problem) in
        try maps.storedItem(named: name)
      }.id
    }
  }
}
