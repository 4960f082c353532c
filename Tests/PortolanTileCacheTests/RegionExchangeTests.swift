import Foundation
import PortolanFiles
import PortolanSQLite
import PortolanTestSupport
import PortolanTileCache
import PortolanTileFiles
import PortolanTiles
import Testing

@Suite(.temporaryDirectory) struct RegionExchangeTests {
  private let server = TileServerStub()
  private static let box = TileRegion.box(west: 10, south: 10, east: 12.7, north: 12.7)

  /// A cache with a region of real pictures.
  private func filled(_ file: String = "MapCache.sqlite") async throws -> MapCache {
    let cache = try MapCache.stub(server, { $0.policy.allowsBulk = true }, file: file)
    let region = try await cache.store.createRegion(
      named: "Area 1", of: cache.config, RegionPlan(Self.box, levels: 7...9), now: server.now())
    try await RegionDownloader(cache, region, clock: CountingClock()).run()
    return cache
  }

  @Test(arguments: ["a.mbtiles", "a.pmtiles", "a.tpkx"])
  func `An exported region is the same when imported elsewhere`(_ name: String) async throws {
    let cache = try await filled()
    let url = temporaryDirectory.appending(path: name)
    let summary = try await cache.store.exportRegion(named: "Area 1", to: url)
    let region = try await cache.store.region(named: "Area 1")
    #expect(summary.tileCount == region.plan.count)
    let other = try MapCache.stub(server, file: "other.sqlite")
    let imported = try await other.store.importRegion(
      from: url, named: "Copy", onConflict: .rename, now: server.now())
    #expect(imported.tileCount == region.plan.count)
    #expect(imported.region.progress.isComplete)
    #expect(imported.region.state == .finished)
    let source = try await other.store.source(of: imported.region)
    for try await id in cache.stored.tileIDs {
      #expect(try await source.tile(at: id) == cache.stored.tile(at: id))
    }
    let (mine, theirs) = (
      try await cache.store.statistics(), try await other.store.statistics()
    )
    #expect(mine.byteCount == theirs.byteCount)
    #expect(theirs.pinnedByteCount == theirs.byteCount)
  }

  @Test func `Where a region of that name is there, people choose what happens`() async throws {
    let cache = try await filled()
    let url = temporaryDirectory.appending(path: "Area 1.mbtiles")
    _ = try await cache.store.exportRegion(named: "Area 1", to: url)
    func take(_ conflict: ImportConflict) async throws -> ImportedRegion {
      try await cache.store.importRegion(from: url, onConflict: conflict, now: server.now())
    }
    #expect(try await take(.skip).isSkipped)
    let merged = try await take(.merge)
    #expect(merged.region.name == "Area 1")
    #expect(merged.tileCount == merged.region.plan.count)
    #expect(merged.region.progress.stored == merged.region.plan.count)
    #expect(try await take(.rename).region.name == "Area 1 (2)")
    #expect(try await cache.store.regions().map(\.name) == ["Area 1", "Area 1 (2)"])
    let replaced = try await take(.replace)
    #expect(replaced.region.name == "Area 1")
    #expect(!replaced.region.isImported && replaced.region.source == cache.config.cacheName)
    #expect(replaced.region.state == .finished)
    for name in ["Area 1", "Area 1 (2)"] { _ = try await cache.store.deleteRegion(named: name) }
    #expect(try await cache.store.statistics().byteCount == 0)
  }

  @Test func `A region that is replaced keeps its server, for what the file lacks`() async throws {
    let cache = try await filled()
    let url = temporaryDirectory.appending(path: "Area 1.mbtiles")
    _ = try await cache.store.exportRegion(named: "Area 1", to: url)
    try Connection(at: url, access: .readWrite).execute(
      "DELETE FROM tiles WHERE rowid = (SELECT max(rowid) FROM tiles)")
    let replaced = try await cache.store.importRegion(
      from: url, onConflict: .replace, now: server.now())
    #expect(replaced.region.progress.remaining == 1 && replaced.region.state == .paused)
    try await RegionDownloader(cache, replaced.region, clock: CountingClock()).run()
    #expect(try await cache.store.region(named: "Area 1").progress.isComplete)
    #expect(try await cache.store.configs().count == 1)
  }

  @Test func `What is replaced stays until the file is read, and its tiles change with no other`()
    async throws
  {
    let cache = try await filled()
    let url = temporaryDirectory.appending(path: "Area 1.mbtiles")
    _ = try await cache.store.exportRegion(named: "Area 1", to: url)
    func take() async throws -> ImportedRegion {
      try await cache.store.importRegion(
        from: url, named: "Copy", onConflict: .replace, now: server.now())
    }
    let first = try await take()
    let second = try await take()
    #expect(first.region.source == "Copy")
    #expect(second.region.name == "Copy" && second.region.source != "Copy")
    #expect(second.region.progress == first.region.progress)
    #expect(try await cache.store.regions().map(\.name) == ["Area 1", "Copy"])
    #expect(try await take().region.source == "Copy")
  }

  @Test func `A name that differs only in case is that of the region which is there`() async throws
  {
    let cache = try await filled()
    let url = temporaryDirectory.appending(path: "area 1.mbtiles")
    _ = try await cache.store.exportRegion(named: "Area 1", to: url)
    func take(_ conflict: ImportConflict) async throws -> ImportedRegion {
      try await cache.store.importRegion(from: url, onConflict: conflict, now: server.now())
    }
    #expect(try await take(.skip).isSkipped)
    #expect(try await take(.merge).region.name == "Area 1")
    #expect(try await take(.replace).region.name == "Area 1")
    #expect(try await take(.rename).region.name == "area 1 (2)")
    #expect(try await cache.store.regions().map(\.name) == ["Area 1", "area 1 (2)"])
  }

  @Test func `An import that is broken off leaves nothing, and what was there before`()
    async throws
  {
    let cache = try await filled()
    let url = temporaryDirectory.appending(path: "Area 1.mbtiles")
    _ = try await cache.store.exportRegion(named: "Area 1", to: url)
    let before = try await cache.store.region(named: "Area 1")
    for name in ["Area 1", "Copy"] {
      let date = server.now()
      let work = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await cache.store.importRegion(
          from: url, named: name, onConflict: .replace, now: date)
      }
      await #expect(throws: TileCacheError.cancelled) { try await work.value }
    }
    #expect(try await cache.store.regions() == [before])
  }

  @Test func `A file that is none leaves nothing behind`() async throws {
    let cache = try await filled()
    let url = temporaryDirectory.appending(path: "broken.mbtiles")
    try Data("no".utf8).write(to: url)
    for conflict in ImportConflict.allCases {
      await #expect(throws: TileCacheError.self) {
        try await cache.store.importRegion(
          from: url, named: "Area 1", onConflict: conflict, now: server.now())
      }
    }
    #expect(try await cache.store.regions().map(\.name) == ["Area 1"])
    #expect(try await cache.store.region(named: "Area 1").progress.isComplete)
  }

  @Test func `A region that is to be replaced stays until the other one is whole`() async throws {
    let cache = try await filled()
    let url = temporaryDirectory.appending(path: "Area 1.mbtiles")
    _ = try await cache.store.exportRegion(named: "Area 1", to: url)
    let before = try await cache.store.region(named: "Area 1")
    try Connection(at: cache.store.url, access: .readWrite).execute(
      "CREATE TRIGGER fails BEFORE INSERT ON tile BEGIN SELECT RAISE(ABORT, 'no'); END")
    await #expect(throws: TileCacheError.self) {
      try await cache.store.importRegion(from: url, onConflict: .replace, now: server.now())
    }
    #expect(try await cache.store.regions() == [before])
    let source = try await cache.store.source(of: before)
    for try await id in cache.stored.tileIDs { #expect(try await source.tile(at: id) != nil) }
  }

  @Test func `An ending that names no file of tiles is refused`() async throws {
    let cache = try await filled()
    await #expect(throws: TileCacheError.self) {
      try await cache.store.exportRegion(
        named: "Area 1", to: temporaryDirectory.appending(path: "a.zip"))
    }
  }

  @Test func `A region is exported by several processes at a time, and not while it is changed`()
    async throws
  {
    let cache = try await filled()
    let region = try await cache.store.region(named: "Area 1")
    let locks = URL(filePath: cache.store.url.path(percentEncoded: false) + ".locks")
    // Another process exports the region, too.
    let other = try #require(try ByteLock.attempt(at: region.id, of: locks, sharing: true))
    let summary = try await cache.store.exportRegion(
      named: "Area 1", to: temporaryDirectory.appending(path: "a.mbtiles"))
    #expect(summary.tileCount == region.plan.count)
    #expect(!cache.store.isInUse(region))
    await #expect(throws: TileCacheError.regionInUse("Area 1")) {
      try await RegionDownloader(cache, region, clock: CountingClock()).run(.update)
    }
    other.release()
    let writer = try #require(try ByteLock.attempt(at: region.id, of: locks))
    #expect(cache.store.isInUse(region))
    await #expect(throws: TileCacheError.regionInUse("Area 1")) {
      try await cache.store.exportRegion(
        named: "Area 1", to: temporaryDirectory.appending(path: "b.mbtiles"))
    }
    writer.release()
  }

  @Test func `An export counts as no look at the tiles`() async throws {
    let cache = try await filled()
    _ = try await cache.stored.tile(at: TileID(level: 7, row: 60, column: 67))
    let before = try await cache.store.statistics().sources
    _ = try await cache.store.exportRegion(
      named: "Area 1", to: temporaryDirectory.appending(path: "a.mbtiles"))
    #expect(before.first?.hits == 1 || before.first?.misses == 1)
    #expect(try await cache.store.statistics().sources == before)
  }
}
