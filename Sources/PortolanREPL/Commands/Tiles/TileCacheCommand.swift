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
    let result: CommandResult
    do {
      result = try await run(with: tiles, in: session)
    } catch let problem as Problem where problem.code == .badAddress {
      // An address that makes no sense is one that the line gives: others were read before they were kept.
      var failure = Failure(problem)
      failure.status = .wrongUsage
      throw failure
    }
    session.offerWords()
    return result
  }
}
