internal import PortolanApp

/// Lists the regions of the cache, or all about one.
struct TilesRegionsCommand: TileCacheCommand {
  static let region = Parameter.argument(
    "NAME", "The name of a region.", count: .atMostOne, completion: .word(.tileRegion))

  static let declaration = CommandDeclaration(
    "tiles regions", summary: "List the regions of tiles, or the complete levels of one.",
    topic: .tiles, parameters: [region],
    discussion: [
      "With a name: which levels are complete, and which tiles failed and why. \"tiles download NAME\" "
        + "resumes a region that was interrupted."
    ],
    examples: [
      .init("tiles regions", "all regions"), .init("tiles regions \"Area 1\"", "all about one"),
    ])

  private let name: String?

  init(parsing arguments: Arguments) throws(UsageError) {
    name = try arguments.value(of: Self.region, as: .text)
  }

  @MainActor func run(
    with tiles: TileRegionsModel, in session: Session
  ) async throws -> CommandResult {
    try await tiles.load()
    guard let name else { return TileRegionListPage(regions: tiles.state.regions).result }
    return TileRegionDetailsPage(details: try await tiles.details(of: name)).result
  }
}
