internal import PortolanApp
internal import PortolanGeometry

/// Finds places of the map.
struct FindCommand: MapCommand {
  static let text = Parameter.argument(
    "TEXT", "Words in any order, a crossing such as \"Main & 2nd\", or a coordinate.", count: .any)
  static let place = Parameter.option(
    "at", "LON,LAT", "Find what is near a place, instead of a text.")
  static let within = Parameter.option(
    "within", "METRES", "With --at, how far away places may be; 100 unless given.")
  static let limit = Parameter.option("limit", "N", "The most places to list; 10 unless given.")

  static let declaration = CommandDeclaration(
    "find", summary: "Find places of the map by name, address or coordinate.", topic: .map,
    parameters: [
      text, place, within, limit, SearchedLayers.layer, MapChoice.map, MapChoice.number,
    ],
    discussion: [
      "Looks in the layers that the map's author chose for searching, else in all with names or "
        + "addresses, also those that are switched off. The best match comes first; \"pick N\" "
        + "shows one of the list. The first search of a map makes its index. With --layer only that "
        + "layer is searched; coordinates are found all the same.",
      "Where --map names a package with several maps, all of them are searched, unless --number says which; "
        + "so are the others where the open map has no match or lacks the layer. The list says which map each "
        + "place is of, and \"pick N\" opens it.",
    ],
    examples: [
      .init("find 12 oakwood st", "an address"), .init("find \"Main & 2nd\"", "a crossing"),
      .init("find 44.3876, -68.2079", "latitude and longitude, or UTM, or MGRS"),
      .init("find --at -68.2079,44.3876", "what is near a place"),
      .init("find portland --layer Towns --layer Lighthouses", "in two layers"),
    ])

  /// The subject of the search.
  private enum Subject: Sendable {
    case text(String)
    case place(Coordinate, within: Double)
  }

  let choice: MapChoice
  private let subject: Subject
  private let count: Int
  private let layers: SearchedLayers

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    layers = try SearchedLayers(arguments)
    let typed = try arguments.values(of: Self.text, as: .text).joined(separator: " ")
    let place = try arguments.value(of: Self.place, as: .coordinate)
    let distance = try arguments.value(of: Self.within, as: .positiveNumber)
    count = try arguments.value(of: Self.limit, as: .integer(in: 1...1000)) ?? 10
    switch (typed.isEmpty, place) {
    case (false, nil):
      guard distance == nil else { throw UsageError("--within can only be given with --at.") }
      subject = .text(typed)
    case (true, let place?): subject = .place(place, within: distance ?? 100)
    case (true, nil), (false, _?): throw UsageError("Give TEXT or --at LON,LAT.")
    }
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    session.app.packageSearch.clear()
    let hasOthers = !choice.choosesOneMap && session.app.packageSearch.hasSeveralMaps
    if case .place(let place, _) = subject { session.noteIfSwapped([place]) }
    let keys: Set<String>?
    do { keys = try layers.keys(in: map) } catch let error as Failure
      where error.code == .noSuchLayer && hasOthers
    {
      // Others of its package may have the layer; if none has, the search says so.
      guard let result = try await runOnAllMaps(in: session) else { throw error }
      return result
    }
    switch subject {
    case .text(let typed): await map.search.find(typed, limit: count, in: keys)
    case .place(let place, let distance):
      await map.search.findNearest(to: place, within: distance, limit: count, in: keys)
    }
    try Task.checkCancellation()
    if map.search.state.places.isEmpty, hasOthers,
      let result = try await runOnAllMaps(in: session)
    {
      return result
    }
    if case .failed(let problem) = map.search.state { throw problem }
    let page = FoundPlacesPage(state: map.search.state)
    return CommandResult(
      text: page.text, json: page.json, status: FoundPlacesPage.exitCode(of: map.search.state))
  }

  @MainActor func runOnAllMaps(in session: Session) async throws -> CommandResult? {
    let search = session.app.packageSearch
    switch subject {
    case .text(let typed):
      try await layers.inAllMaps { try await search.find(typed, limit: count, in: $0) }
    case .place(let place, let distance):
      // It was noted where the open map was searched before.
      if choice.namesWholePackage { session.noteIfSwapped([place]) }
      try await layers.inAllMaps {
        try await search.findNearest(to: place, within: distance, limit: count, in: $0)
      }
    }
    if case .failed(let problem) = search.state { throw problem }
    return FoundInPackagePage(state: search.state).places
  }
}
