internal import PortolanApp

/// Lists the maps of this device, and those that can be had.
struct MapsCommand: LibraryCommand {
  static let refresh = Parameter.flag("refresh", "Ask the portals first what they have now.")

  static let declaration = CommandDeclaration(
    "maps", summary: "List the maps on this device, and those that can be downloaded.",
    topic: .library, parameters: [refresh, Thumbnail.flag],
    discussion: [
      "What is on this device is always listed, whatever portals say or fail to say. Without a "
        + "network only that is. \"areas WEBMAP\" puts a web map and its areas on the list."
    ],
    examples: [.init("maps --refresh", "with the latest from the portals")])

  private let refreshes: Bool
  private let showsPictures: Bool

  init(parsing arguments: Arguments) throws(UsageError) {
    refreshes = arguments.isSet(Self.refresh)
    showsPictures = arguments.isSet(Thumbnail.flag)
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let maps = try await library.loadedMaps()
    if refreshes { await maps.refresh() }
    var page = MapListPage(items: maps.state.items, banner: maps.state.banner)
    if showsPictures { try await page.showThumbnails(of: maps, in: session.pictureFormat) }
    return CommandResult(
      text: page.text, json: page.json, status: refreshes ? page.status : .done)
  }
}
