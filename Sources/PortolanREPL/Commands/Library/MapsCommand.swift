internal import PortolanApp

/// Lists the maps of this device, and those that can be had.
struct MapsCommand: LibraryCommand {
  static let refresh = Parameter.flag("refresh", "Ask the portals for the latest list first.")

  static let text = Parameter.argument(
    "TEXT", "Words of the titles and summaries to list.", count: .any)
  static let sort = Parameter.option(
    "sort", "ORDER", "Order maps on this device first, by title, size or date.",
    completion: .choice(MapListOrder.allCases.map(\.rawValue)))

  static let details = Parameter.flag(
    "details", "Show what each map on this device contains and when it expires.")

  static let declaration = CommandDeclaration(
    "maps", summary: "List the maps on this device, and those that can be downloaded.",
    topic: .library, parameters: [text, sort, details, refresh, Thumbnail.flag],
    discussion: [
      "What is on this device is always listed, whatever portals say or fail to say. Without a "
        + "network only that is. Maps that have expired say so. \"areas WEBMAP\" puts a web map and its areas on the list."
    ],
    examples: [
      .init("maps --refresh", "with the latest from the portals"),
      .init("maps naperville --sort date", "those of that name, the latest first"),
    ])

  private let refreshes: Bool
  private let showsDetails: Bool
  private let showsPictures: Bool
  private let words: String
  private let order: MapListOrder?

  init(parsing arguments: Arguments) throws(UsageError) {
    refreshes = arguments.isSet(Self.refresh)
    showsDetails = arguments.isSet(Self.details)
    showsPictures = arguments.isSet(Thumbnail.flag)
    words = try arguments.values(of: Self.text, as: .text).joined(separator: " ")
    let name = try arguments.value(
      of: Self.sort, as: .choice(MapListOrder.allCases.map(\.rawValue)))
    order = name.flatMap(MapListOrder.init)
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let maps = try await library.loadedMaps()
    if refreshes { _ = try await maps.checkUpdates() }
    await maps.readContents()
    let found = maps.state.items.matching(words)
    var page = MapListPage(
      items: order.map { found.sorted(by: $0) } ?? found, banner: maps.state.banner,
      hint: words.isEmpty ? nil : "No map on the list has \"\(words)\" in its title.")
    page.showsDetails = showsDetails
    page.isAttended = session.attends(to: maps.state.items.compactMap(\.transfer))
    if showsPictures { try await page.showThumbnails(of: maps, in: session.pictureFormat) }
    return CommandResult(
      text: page.text, json: page.json, status: refreshes ? page.status : .done)
  }
}
