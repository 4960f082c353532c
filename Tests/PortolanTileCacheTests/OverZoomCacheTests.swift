import Foundation
import PortolanLocks
import PortolanTestSupport
import PortolanTileCache
import PortolanTiles
import Testing

/// Tiles beyond the highest level of a source that are kept.
@Suite(.temporaryDirectory) struct OverZoomCacheTests {
  private let server = TileServerStub()
  private let id = TileID(level: 21, row: 5, column: 9)

  private static func tile(_ text: String) -> Tile {
    Tile(data: TileServerStub.picture(text), format: .png)
  }

  @Test func `An enlarged tile is made once, and again when its source has changed`()
    async throws
  {
    let cache = try MapCache.stub(server) { $0.cachesOverZoom = true }
    let kept = try #require(OverZoomCache(of: cache.config, in: cache.store, now: server.now))
    let made = Locked(0)
    for (ancestor, count) in [("a", 1), ("a", 1), ("b", 2), ("b", 2), ("a", 3)] {
      let part = Self.tile("part of \(ancestor)")
      let tile = try await kept.tile(at: id, madeOf: Self.tile(ancestor)) {
        () async throws(TileError) -> Tile? in
        made.withLock { $0 += 1 }
        return part
      }
      #expect(tile == part)
      #expect(made.withLock { $0 } == count, "\(ancestor)")
    }
    // None of them is a tile of the source.
    #expect(try await cache.stored.tileCounts().isEmpty)
    #expect(try await cache.store.statistics().tileCount == 1)
    #expect(try await cache.store.removeOverZoom(of: cache.config).tileCount == 1)
    #expect(try await cache.store.statistics().tileCount == 0)
    #expect(try await cache.store.removeOverZoom(of: cache.config).tileCount == 0)
  }

  @Test func `Another source of that name is neither written to nor removed`() async throws {
    let cache = try MapCache.stub(server) { $0.cachesOverZoom = true }
    let other = try MapCacheConfig(
      withUrlTemplate: "https://other/{z}/{x}/{y}.png", cacheName: cache.config.overZoomName)
    _ = try await cache.store.source(other)
    let kept = try #require(OverZoomCache(of: cache.config, in: cache.store, now: server.now))
    let part = Self.tile("part")
    let tile = try await kept.tile(at: id, madeOf: Self.tile("a")) {
      () async throws(TileError) -> Tile? in part
    }
    #expect(tile == part)
    #expect(try await cache.store.statistics().tileCount == 0)
    try await cache.store.removeOverZoom(of: cache.config)
    #expect(try await cache.store.config(named: other.cacheName) != nil)
  }

  @Test func `Enlarged tiles are kept where that is wanted, which goes with the source`() throws {
    let cache = try MapCache.stub(server)
    let isKept = OverZoomCache(of: cache.config, in: cache.store, now: server.now) != nil
    #expect(!isKept)
    for isWanted in [true, false] {
      var config = cache.config
      config.cachesOverZoom = isWanted
      #expect(try MapCacheConfig(json: config.json).cachesOverZoom == isWanted)
    }
  }
}
