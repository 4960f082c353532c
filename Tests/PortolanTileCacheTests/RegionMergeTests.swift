import Foundation
import PortolanSQLite
import PortolanTestSupport
import PortolanTileCache
import PortolanTileFiles
import PortolanTiles
import PortolanTransport
import Testing

/// Files that are imported where something stands already that is not whole, or of another kind.
@Suite(.temporaryDirectory) struct RegionMergeTests {
  private static let box = TileRegion.box(west: 10, south: 10, east: 12.7, north: 12.7)

  private let server = TileServerStub()

  private func cache(
    _ file: String = "MapCache.sqlite", _ change: (inout MapCacheConfig) -> Void = { _ in }
  ) throws -> MapCache {
    try MapCache.stub(
      server,
      {
        $0.policy.allowsBulk = true
        change(&$0)
      }, file: file)
  }

  private func download(
    _ cache: MapCache, _ ground: TileRegion = box, levels: ClosedRange<Int> = 7...9
  ) async throws -> CachedRegion {
    let region = try await cache.store.createRegion(
      named: "Area 1", of: cache.config, RegionPlan(ground, levels: levels), now: server.now())
    return try await RegionDownloader(cache, region, clock: CountingClock()).run()
  }

  private func export(_ cache: MapCache, _ name: String = "Area 1.mbtiles") async throws -> URL {
    let url = temporaryDirectory.appending(path: name)
    _ = try await cache.store.exportRegion(named: "Area 1", to: url)
    return url
  }

  @Test(arguments: ImportConflict.allCases)
  func `A region whose deletion was broken off is not there, whatever a file is to do with it`(
    _ conflict: ImportConflict
  ) async throws {
    let cache = try cache()
    let region = try await download(cache)
    let url = try await export(cache)
    try Connection(at: cache.store.url, access: .readWrite).execute(
      "UPDATE region SET state = 'deleting'")
    try Connection(at: cache.store.url, access: .readWrite).execute(
      "DELETE FROM region_block WHERE z = 9")
    let imported = try await cache.store.importRegion(
      from: url, onConflict: conflict, now: server.now())
    #expect(!imported.isSkipped && imported.region.isImported)
    #expect(imported.tileCount == region.plan.count)
    #expect(imported.region.name == "Area 1" && imported.region.state == .finished)
    #expect(try await cache.store.coverage(of: imported.region).allSatisfy(\.isWhole))
    #expect(try await cache.store.regions().count == 1)
  }

  @Test func `Vector tiles do not take the place of pictures`() async throws {
    let roads = try cache("roads.sqlite") { $0.format = .vectorTile }
    for row in 0..<8 {
      for column in 0..<16 {
        let tile = "/3/\(column)/\(row).png"
        server.answer(tile, 200, Data([0x1A, UInt8(tile.utf8.count)]) + Data(tile.utf8))
      }
    }
    _ = try await download(roads, levels: 3...3)
    let url = try await export(roads, "roads.mbtiles")
    server.answer("/3/4/3.png", 200, TileServerStub.picture("hills"))
    let hills = try cache()
    let before = try await download(hills, levels: 3...3)
    let size = try await hills.diskSize()
    await #expect(
      throws: TileCacheError.tiles(
        .unsupported(
          file: "roads.mbtiles", reason: "it holds vector tiles, and its source has pictures"))
    ) {
      try await hills.store.importRegion(
        from: url, named: "Area 1", onConflict: .merge, now: server.now())
    }
    await #expect(throws: TileCacheError.self) {
      try await hills.store.importRegion(
        from: url, named: "Roads", of: hills.config, onConflict: .skip, now: server.now())
    }
    #expect(try await hills.store.regions() == [before])
    #expect(try await hills.diskSize() == size)
  }

  @Test(arguments: [ImportConflict.merge, .replace])
  func `Tiles of an old file are asked for again where there is a network`(
    _ conflict: ImportConflict
  ) async throws {
    let cache = try cache()
    let region = try await download(cache)
    let url = try await export(cache)
    let written = server.now()
    try FileManager.default.setAttributes(
      [.modificationDate: written], ofItemAtPath: url.path(percentEncoded: false))
    server.move(by: 3_600)
    let imported = try await cache.store.importRegion(
      from: url, named: region.name, onConflict: conflict, now: server.now())
    #expect(imported.region.state == .finished && imported.region.updated == written)
    server.move(by: 1)
    let tile = TileID(level: 7, row: 60, column: 67)
    let kept = try await cache.loadTile(at: tile, mode: .cacheOnly)
    #expect(kept.path == .staleHit && kept.fetched == written)
    #expect(try await cache.loadTile(at: tile).path == .fetched)
    server.move(by: 1)
    #expect(try await cache.loadTile(at: tile).path == .hit)
  }

  @Test(arguments: [ImportConflict.merge, .replace])
  func `Tiles of the server that are newer than a file stay`(
    _ conflict: ImportConflict
  )
    async throws
  {
    let cache = try cache()
    let region = try await download(cache)
    let url = try await export(cache)
    try FileManager.default.setAttributes(
      [.modificationDate: server.now()], ofItemAtPath: url.path(percentEncoded: false))
    server.move(by: 3_600)
    let tile = TileID(level: 7, row: 60, column: 67)
    server.answer("/7/67/60.png", 200, TileServerStub.picture("new"), ["ETag": "\"2\""])
    _ = try await cache.fetchTileFromServer(at: tile)
    let imported = try await cache.store.importRegion(
      from: url, named: region.name, onConflict: conflict, now: server.now())
    #expect(imported.olderCount == 1)
    #expect(imported.tileCount == region.plan.count - 1)
    #expect(imported.region.state == .finished && imported.region.progress.isComplete)
    let kept = try await cache.loadTile(at: tile, mode: .cacheOnly)
    #expect(kept.tile?.data == TileServerStub.picture("new") && kept.path == .hit)
    // A tile that seems to come from the future, since a clock was wrong, is not known to be newer.
    let again = try await cache.store.importRegion(
      from: url, named: region.name, onConflict: conflict,
      now: server.now().addingTimeInterval(-60))
    #expect(again.olderCount == 0)
  }

  @Test(arguments: ["a.mbtiles", "a.pmtiles", "a.tpkx"])
  func `An exported file has the dates of its tiles, and those elsewhere that are newer stay`(
    _ name: String
  ) async throws {
    let mine = try cache()
    let region = try await download(mine)
    server.move(by: 7_200)
    // One tile of the file is newer than all of theirs.
    _ = try await mine.fetchTileFromServer(at: TileID(level: 7, row: 60, column: 67))
    let url = try await export(mine, name)
    server.move(by: -3_600)
    let theirs = try cache("theirs.sqlite")
    _ = try await download(theirs)
    server.move(by: 7_200)
    let imported = try await theirs.store.importRegion(
      from: url, named: region.name, onConflict: .merge, now: server.now())
    #expect(imported.tileCount == 1)
    #expect(imported.olderCount == region.plan.count - 1)
    #expect(imported.region.state == .finished && imported.region.progress.isComplete)
  }

  @Test func `An old file that has no tiles for a region does not make it old`() async throws {
    let far = try cache("far.sqlite")
    _ = try await download(far, .box(west: -50, south: -30, east: -47, north: -27))
    let url = try await export(far)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 0)],
      ofItemAtPath: url.path(percentEncoded: false))
    let cache = try cache()
    let region = try await download(cache)
    let imported = try await cache.store.importRegion(
      from: url, named: region.name, onConflict: .merge, now: server.now())
    #expect(imported.tileCount == 0 && imported.leftOutCount > 0)
    #expect(imported.region.updated == region.updated && region.updated != nil)
  }

  @Test func `A region from a file grows with each file that is merged into it`() async throws {
    let here = try cache()
    _ = try await download(here)
    let first = try await export(here)
    let far = try cache("far.sqlite")
    let other = try await download(
      far, .box(west: -50, south: -30, east: -47, north: -27), levels: 8...10)
    let second = try await export(far, "far.mbtiles")
    let cache = try cache("merged.sqlite")
    let made = try await cache.store.importRegion(
      from: first, named: "Copy", onConflict: .skip, now: server.now())
    let merged = try await cache.store.importRegion(
      from: second, named: "Copy", onConflict: .merge, now: server.now())
    #expect(merged.leftOutCount == 0 && merged.tileCount == other.plan.count)
    #expect(merged.region.plan.levels == 7...10 && merged.region.state == .finished)
    let progress = merged.region.progress
    #expect(progress.stored == made.region.progress.stored + other.plan.count)
    #expect(progress.planned == progress.stored && progress.isComplete)
    // All of it is exported, and none of what lies between.
    let both = temporaryDirectory.appending(path: "both.mbtiles")
    let written = try await cache.store.exportRegion(named: "Copy", to: both)
    #expect(written.tileCount == progress.stored)
    let again = try await cache.store.importRegion(
      from: first, named: "Copy", onConflict: .merge, now: server.now())
    #expect(again.region.plan == merged.region.plan && again.region.progress == progress)
    // One that goes around all that was there takes its place.
    let whole = try await cache.store.importRegion(
      from: both, named: "Copy", onConflict: .merge, now: server.now())
    #expect(whole.leftOutCount == 0 && whole.region.progress == progress)
    let deleted = try await cache.store.deleteRegion(named: "Copy")
    #expect(deleted.tileCount == progress.stored)
    #expect(try await cache.diskSize() == 0)
  }

  @Test func `A merge that is broken off leaves figures that add up`() async throws {
    let whole = try cache("whole.sqlite")
    _ = try await download(whole, levels: 7...12)
    let rest = try await export(whole, "whole.mbtiles")
    let corners = try cache("corners.sqlite")
    _ = try await download(
      corners,
      .several([
        .box(west: 10, south: 10, east: 10.01, north: 10.01),
        .box(west: 12.69, south: 12.69, east: 12.7, north: 12.7),
      ]), levels: 7...12)
    let few = try await export(corners)
    let cache = try cache()
    let made = try await cache.store.importRegion(
      from: few, named: "Copy", onConflict: .skip, now: server.now())
    try Connection(at: cache.store.url, access: .readWrite).execute(
      """
      CREATE TRIGGER fails BEFORE INSERT ON tile WHEN (SELECT count(*) FROM tile) > 600
      BEGIN SELECT RAISE(ABORT, 'no'); END
      """)
    await #expect(throws: TileCacheError.self) {
      try await cache.store.importRegion(
        from: rest, named: "Copy", onConflict: .merge, now: server.now())
    }
    let left = try await cache.store.region(named: "Copy").progress
    #expect(left.stored > made.region.progress.stored)
    #expect(left.done + left.failed + left.remaining == left.planned)
  }

  @Test func `A region is not taken for another that has its name since`() async throws {
    let cache = try cache()
    let old = try await download(cache)
    _ = try await cache.store.deleteRegion(named: "Area 1")
    server.move(by: 1)
    let new = try await download(cache, levels: 7...7)
    #expect(new.id == old.id)
    await #expect(throws: TileCacheError.noSuchRegion("Area 1")) {
      try await RegionDownloader(cache, old, clock: CountingClock()).run(.update)
    }
    #expect(try await cache.store.region(named: "Area 1") == new)
  }
}
