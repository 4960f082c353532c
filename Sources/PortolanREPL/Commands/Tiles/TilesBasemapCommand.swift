internal import PortolanApp
internal import PortolanJSON

/// Shows tiles below the open map.
struct TilesBasemapCommand: TileCacheCommand {
  static let what = Parameter.argument(
    "WHAT", "A region, a source, or a file of tiles.", completion: .word(.tileRegion))

  static let declaration = CommandDeclaration(
    "tiles basemap", summary: "Show a region, a source or a file of tiles below the open map.",
    topic: .tiles, parameters: [what, StyleChoice.style],
    discussion: [
      "It takes the place of the map's own basemap until the map is closed; nothing is stored. A "
        + "region is there without a network; a source is the cache with its server behind it. A name that a "
        + "file has as well means the region or the source, as in \"tiles serve\".",
      "Vector tiles are drawn with the style of their package, and those without one plainly, unless "
        + "--style gives another.",
    ],
    examples: [
      .init("tiles basemap \"Area 1\"", "a region below the map that is open"),
      .init("tiles basemap streets.pmtiles --style light.json", "vector tiles in a style of yours"),
    ])

  private let name: String
  private let style: StyleChoice

  init(parsing arguments: Arguments) throws(UsageError) {
    name = try arguments.required(Self.what, as: .text)
    style = try StyleChoice(arguments)
  }

  @MainActor func run(
    with tiles: TileRegionsModel, in session: Session
  ) async throws -> CommandResult {
    guard let map = session.app.map else {
      throw session.noMapOpen(
        atShell: "Give \"open MAP\" and \"tiles basemap\" at the prompt, or in a script.")
    }
    guard let basemap = try await tiles.layers(named: [name], in: session).first else {
      throw Failure(.notFound, "\"\(name)\" has no tiles.")
    }
    try await session.app.setBasemap(basemap)
    if let changed = session.app.map { try await style.apply(to: changed) }
    session.noteMapCloses()
    return CommandResult(
      text: TextDocument("\"\(map.state.title)\" is shown above \"\(basemap.name)\" now."),
      json: ["map": .string(map.state.title), "basemap": .string(basemap.name)])
  }
}
