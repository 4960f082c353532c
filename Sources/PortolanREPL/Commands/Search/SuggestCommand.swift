internal import PortolanApp

/// Tells what may be meant by a text that is being typed.
struct SuggestCommand: MapCommand {
  static let text = Parameter.argument(
    "TEXT", "What was typed so far; the last word may be unfinished.", count: .atLeastOne)

  static let declaration = CommandDeclaration(
    "suggest", summary: "Suggest places of the map for what is being typed.", topic: .map,
    parameters: [text, SearchedLayers.layer, MapChoice.map, MapChoice.number],
    discussion: [
      "Lists at most 12 names and addresses of the map. \"pick N\" finds one of them and shows it. With "
        + "--layer only that layer is searched.",
      "Where --map names a package with several maps, all of them are searched, unless --number says which; "
        + "so are the others where the open map has no match or lacks the layer.",
    ],
    examples: [.init("suggest 12 oak", "an address that begins like this")])

  let choice: MapChoice
  private let typed: String
  private let layers: SearchedLayers

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    layers = try SearchedLayers(arguments)
    typed = try arguments.values(of: Self.text, as: .text).joined(separator: " ")
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    session.app.packageSearch.clear()
    let hasOthers = !choice.choosesOneMap && session.app.packageSearch.hasSeveralMaps
    let keys: Set<String>?
    do { keys = try layers.keys(in: map) } catch let error as Failure
      where error.code == .noSuchLayer && hasOthers
    {
      // Others of its package may have the layer; if none has, the search says so.
      guard let result = try await runOnAllMaps(in: session) else { throw error }
      return result
    }
    await map.search.suggest(typed, in: keys)
    try Task.checkCancellation()
    if map.search.state.proposals.isEmpty, hasOthers,
      let result = try await runOnAllMaps(in: session)
    {
      return result
    }
    if case .failed(let problem) = map.search.state { throw problem }
    let page = SuggestionsPage(typed: typed, state: map.search.state)
    return CommandResult(
      text: page.text, json: page.json, status: FoundPlacesPage.exitCode(of: map.search.state))
  }

  @MainActor func runOnAllMaps(in session: Session) async throws -> CommandResult? {
    let search = session.app.packageSearch
    try await layers.inAllMaps { try await search.suggest(typed, in: $0) }
    if case .failed(let problem) = search.state { throw problem }
    return FoundInPackagePage(state: search.state).suggestions(for: typed)
  }
}
