internal import PortolanApp

/// Lists the areas of a web map, merged with what is on this device.
struct AreasCommand: LibraryCommand {
  static let webMap = Parameter.argument(
    "WEBMAP",
    "The id of a web map, or the title of one on the list; all that are listed unless given.",
    count: .atMostOne, completion: .word(.webMap))

  static let declaration = CommandDeclaration(
    "areas", summary: "List the areas of a web map that can be taken offline.", topic: .library,
    parameters: [webMap, Thumbnail.flag],
    discussion: [
      "Asks the portal, and lists each area with what is on this device of it. The web map is on "
        + "the list of \"maps\" from then on. Without a network the areas on this device are listed; "
        + "if there are none, the exit status is 5. If the portal does not answer, what is known here "
        + "is listed, and the exit status is 3."
    ],
    examples: [
      .init("areas 3bc3179f17da44a0ac0bfdac4ad15664", "the areas of Explore Maine"),
      .init("areas", "those of every web map on the list"),
    ])

  private let name: String?
  private let showsPictures: Bool

  init(parsing arguments: Arguments) throws(UsageError) {
    name = try arguments.value(of: Self.webMap, as: .text)
    showsPictures = arguments.isSet(Thumbnail.flag)
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let maps = try await library.loadedMaps()
    // Counts the edits that were not sent, which the rows show.
    await maps.readContents()
    let areas = try await maps.areas(of: name, portal: session.options.portal)
    var page = MapListPage(
      items: areas, banner: maps.state.banner,
      hint: maps.state.banner == nil
        ? "There are no areas. The owner of a web map makes them; \"areas WEBMAP\" looks for them."
        : "No areas are known here.")
    if showsPictures { try await page.showThumbnails(of: maps, in: session.pictureFormat) }
    return CommandResult(text: page.text, json: page.json, status: page.status)
  }
}
