internal import PortolanApp

/// A command on the cache of tiles.
protocol TileCacheCommand: Command {
  /// Does the work with the screen of the cache.
  @MainActor func run(
    with tiles: TileRegionsModel, in session: Session
  ) async throws -> CommandResult
}

extension TileCacheCommand {
  @MainActor func run(in session: Session) async throws -> CommandResult {
    guard let tiles = session.app.tiles else {
      throw Problem(message: "This build of Portolan keeps no tiles.", kind: .absence)
    }
    let result = try await run(with: tiles, in: session)
    session.offerWords()
    return result
  }
}
