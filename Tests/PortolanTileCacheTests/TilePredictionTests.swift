import Foundation
import PortolanTestSupport
import PortolanTileCache
import PortolanTiles
import PortolanTransport
import Testing

@Suite(.temporaryDirectory) struct TilePredictionTests {
  private let server = TileServerStub()
  private let tile = TileID(level: 5, row: 10, column: 0)

  @Test func `The neighbourhood of what is viewed is loaded, across the antimeridian too`()
    async throws
  {
    let cache = try MapCache.stub(server)
    _ = try await cache.loadTile(at: tile)
    let loaded = await cache.loadNeighbourhood(of: [tile], budget: .max)
    #expect(loaded.tileCount == 8 + 1 + 4)
    #expect(server.paths.contains("/5/31/10.png"))
    #expect(server.paths.contains("/4/0/5.png"))
    #expect(server.paths.contains("/6/1/21.png"))
    #expect(Set(server.paths).count == server.paths.count)
    #expect(await cache.loadNeighbourhood(of: [tile], budget: .max).tileCount == 0)
  }

  @Test func `Loading ahead keeps to its budget, and does nothing without a network`() async throws
  {
    let cache = try MapCache.stub(server)
    let loaded = await cache.loadNeighbourhood(of: [tile], budget: 40)
    #expect(loaded.tileCount == 2)
    server.fail(.offline)
    let before = server.requests.count
    #expect(await cache.loadNeighbourhood(of: [tile], budget: .max).tileCount == 0)
    #expect(server.requests.count == before + 1)
  }

  @Test func `Stale tiles are asked for again, those used last first`() async throws {
    let cache = try MapCache.stub(server) { $0.expiry = .fixed(seconds: 10) }
    let tiles = (0..<4).map { TileID(level: 5, row: 3, column: $0) }
    for tile in tiles { _ = try await cache.loadTile(at: tile) }
    server.move(by: 11)
    _ = try await cache.loadTile(at: tiles[3])
    let before = server.requests.count
    let refreshed = await cache.refreshStaleTiles(budget: 40)
    #expect(refreshed.tileCount == 2)
    #expect(server.paths.dropFirst(before) == ["/5/2/3.png", "/5/1/3.png"])
  }

  @Test func `While no tile is requested, the neighbourhood of the viewed tile is loaded`()
    async throws
  {
    let cache = try MapCache.stub(server)
    let budget = PredictionBudget(byteCount: 10_000)
    let source = PredictingTileSource(
      cache, TilePredictor(cache, budget: budget, clock: CountingClock()))
    #expect(try await source.tile(at: tile) != nil)
    await source.predictor.settle()
    // The tile, eight around it, the one above it, four below it.
    #expect(server.requests.count == 14)
    #expect(server.paths.first == "/5/0/10.png")
    #expect(await budget.remaining < 10_000)
  }

  @Test func `A budget is for all sources together`() async throws {
    let budget = PredictionBudget(byteCount: 40)
    for name in ["one", "two"] {
      let cache = try MapCache.stub(server, { $0.cacheName = name }, file: "\(name).sqlite")
      let predictor = TilePredictor(cache, budget: budget, clock: CountingClock())
      _ = try await PredictingTileSource(cache, predictor).tile(at: tile)
      await predictor.settle()
    }
    // Two tiles that were viewed, two that the budget is for.
    #expect(server.requests.count == 4)
  }

  @Test func `A service that is browsed is loaded ahead too`() async throws {
    let service = try MapCache.stub(
      server, { $0.loadTileMode = .serverOnly }, file: "service.sqlite")
    let cache = try MapCache.stub(server)
    let browsed = BrowsedTileSource(
      service, as: cache.config, store: cache.store, now: server.now)
    _ = try await browsed.tile(at: tile)
    #expect(await browsed.loadNeighbourhood(of: [tile], budget: .max).tileCount == 13)
    #expect(await browsed.loadNeighbourhood(of: [tile], budget: .max).tileCount == 0)
    server.move(by: 30 * 86_400)
    #expect(await browsed.refreshStaleTiles(budget: .max).tileCount == 14)
  }
}
