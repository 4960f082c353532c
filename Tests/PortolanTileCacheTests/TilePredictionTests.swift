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
    let loaded = await cache.loadNeighbourhood(of: [tile], budget: 30)
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
    let refreshed = try await cache.refreshStaleTiles(budget: 30)
    #expect(refreshed.tileCount == 2)
    #expect(server.paths.dropFirst(before) == ["/5/2/3.png", "/5/1/3.png"])
  }
}
