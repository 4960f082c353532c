import Foundation
import PortolanFiles
import PortolanTestSupport
import PortolanTileCache
import PortolanTileFiles
import PortolanTiles
import Testing

/// Caches on disks that are full, or that nobody can write to.
@Suite(.temporaryDirectory) struct UnwritableCacheTests {
  private static let seen = TileID(level: 9, row: 240, column: 270)
  private static let other = TileID(level: 9, row: 0, column: 0)

  private let server = TileServerStub()

  /// Makes a cache with a region, and closes it.
  private func fill(
    _ file: String, _ levels: ClosedRange<Int> = 7...9, named name: String = "Area 1"
  ) async throws {
    let cache = try MapCache.stub(server, { $0.policy.allowsBulk = true }, file: file)
    let box = TileRegion.box(west: 10, south: 10, east: 12.7, north: 12.7)
    let region = try await cache.store.createRegion(
      named: name, of: cache.config, RegionPlan(box, levels: levels), now: server.now())
    try await RegionDownloader(cache, region, clock: CountingClock()).run()
    _ = try await cache.loadTile(at: Self.seen)
    await cache.settle()
  }

  /// Looks whether all that was there is there, and can be read.
  private func expectEverything(_ cache: MapCache) async throws {
    let region = try await cache.store.region(named: "Area 1")
    #expect(region.progress.isComplete)
    #expect(try await cache.store.coverage(of: region).allSatisfy(\.isWhole))
    #expect(try await cache.loadTile(at: Self.seen, mode: .cacheOnly).path == .hit)
    let source = try await cache.store.source(of: region)
    var count = 0
    for try await id in source.tileIDs {
      #expect(try await source.tile(at: id) != nil)
      count += 1
    }
    #expect(count == region.plan.count)
    #expect(try await cache.store.explain(Self.seen, of: cache.config).stored != nil)
    #expect(try await cache.store.statistics().tileCount == region.plan.count)
    let file = temporaryDirectory.appending(path: "out.mbtiles")
    #expect(try await cache.store.exportRegion(named: "Area 1", to: file).tileCount == count)
    #expect(await cache.store.setAside == nil)
  }

  @Test(.needsMounting)
  func `On a full disk all that is here is answered, and kept again when there is room`()
    async throws
  {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 4)
    try await fill("disk/MapCache.sqlite")
    let filling = disk.url.appending(path: "filling")
    try Self.fillDisk(with: filling)
    let cache = try MapCache.stub(server, file: "disk/MapCache.sqlite")
    try await expectEverything(cache)
    #expect(try await cache.loadTile(at: Self.other).path == .fetched)
    await cache.settle()
    #expect(try await cache.loadTile(at: Self.other).path == .fetched)
    let full = TileCacheError.diskFull(file: cache.store.url.path(percentEncoded: false))
    #expect(await cache.storageFailure == full)
    try FileManager.default.removeItem(at: filling)
    #expect(try await cache.loadTile(at: Self.other).path == .fetched)
    #expect(try await cache.loadTile(at: Self.other).path == .hit)
    #expect(try await cache.store.deleteRegion(named: "Area 1").tileCount > 0)
    #expect(disk.url.lastPathComponent == "disk", "it is mounted all the time")
  }

  @Test(.needsMounting, arguments: [7...9, 7...12])
  func `On a full disk a region can be deleted, which makes room`(
    _ levels: ClosedRange<Int>
  ) async throws {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 8)
    try await fill("disk/MapCache.sqlite", levels)
    try Self.fillDisk(with: disk.url.appending(path: "filling"))
    let cache = try MapCache.stub(server, file: "disk/MapCache.sqlite")
    let count = try await cache.store.region(named: "Area 1").plan.count
    #expect(try await cache.store.deleteRegion(named: "Area 1").tileCount == count)
    #expect(try await cache.store.regions().isEmpty)
    #expect(try await cache.store.statistics().tileCount == 0)
    #expect(FreeSpace.byteCount(at: disk.url) ?? 0 > 100 * count)
    #expect(try await cache.loadTile(at: Self.other).path == .fetched)
    #expect(try await cache.loadTile(at: Self.other).path == .hit)
    #expect(disk.url.lastPathComponent == "disk", "it is mounted all the time")
  }

  @Test(.needsMounting, arguments: [4, 8])
  func `A region that has filled the disk itself can be deleted, which makes room`(
    _ megabytes: Int
  ) async throws {
    let disk = try SmallDisk(
      at: temporaryDirectory.appending(path: "disk"), megabytes: megabytes)
    let file = "disk/MapCache.sqlite"
    do {
      let cache = try MapCache.stub(server, { $0.policy.allowsBulk = true }, file: file)
      let box = TileRegion.box(west: 10, south: 10, east: 12.7, north: 12.7)
      let region = try await cache.store.createRegion(
        named: "Area", of: cache.config, RegionPlan(box, levels: 7...16), now: server.now())
      await #expect(
        throws: TileCacheError.diskFull(file: cache.store.url.path(percentEncoded: false))
      ) {
        try await RegionDownloader(cache, region, clock: CountingClock()).run()
      }
    }
    let free = FreeSpace.byteCount(at: disk.url) ?? 0
    let cache = try MapCache.stub(server, file: file)
    #expect(try await cache.store.region(named: "Area").progress.stored > 1_000)
    #expect(try await cache.store.deleteRegion(named: "Area").tileCount > 1_000)
    #expect(try await cache.store.regions().isEmpty)
    #expect(FreeSpace.byteCount(at: disk.url) ?? 0 > free + megabytes << 18)
    #expect(disk.url.lastPathComponent == "disk", "it is mounted all the time")
  }

  @Test(.needsMounting)
  func `On a disk that is full again and again the last region can be deleted too`() async throws {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 8)
    for (number, name) in ["Area 1", "Area 2", "Area 3"].enumerated() {
      try await fill("disk/MapCache.sqlite", 7...8 + number, named: name)
    }
    let cache = try MapCache.stub(server, file: "disk/MapCache.sqlite")
    for (number, name) in ["Area 1", "Area 2", "Area 3"].enumerated() {
      try Self.fillDisk(with: disk.url.appending(path: "filling \(number)"))
      // The tiles of the first two are those of the third, too, so that no room is made.
      #expect(try await (cache.store.deleteRegion(named: name).tileCount > 0) == (number == 2))
    }
    #expect(try await cache.store.regions().isEmpty)
    #expect(disk.url.lastPathComponent == "disk", "it is mounted all the time")
  }

  @Test(.needsMounting, arguments: [false, true])
  func `On a full disk what no region keeps can be cleared, which makes room`(
    _ isOpenElsewhere: Bool
  ) async throws {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 32)
    let file = "disk/MapCache.sqlite"
    var filled: MapCache? = try MapCache.stub(server, file: file)
    for column in 0..<3_000 {
      _ = try await filled?.loadTile(at: TileID(level: 14, row: 7_000, column: column))
    }
    await filled?.settle()
    // An open cache has its tiles in a log, which others cannot shorten on a full disk without more
    // ado.
    if !isOpenElsewhere { filled = nil }
    try Self.fillDisk(with: disk.url.appending(path: "filling"))
    let cache = try MapCache.stub(server, file: file)
    let west = TileRegion.box(west: -180, south: -85, east: -158, north: 85)
    let cleared = try await cache.clear(west, levels: 0...14)
    #expect((990...1_010).contains(cleared.tileCount))
    #expect(try await cache.clear().tileCount == 3_000 - cleared.tileCount)
    #expect(try await cache.store.statistics().tileCount == 0)
    #expect(try await cache.loadTile(at: Self.other).path == .fetched)
    #expect(try await cache.loadTile(at: Self.other).path == .hit)
    #expect(disk.url.lastPathComponent == "disk", "it is mounted all the time")
  }

  private static func fillDisk(with url: URL) throws {
    #expect(FileManager.default.createFile(atPath: url.path(percentEncoded: false), contents: nil))
    let file = try FileHandle(forWritingTo: url)
    for size in [1 << 16, 1 << 12] {
      // It ends when the disk is full.
      while (try? file.write(contentsOf: Data(repeating: 1, count: size))) != nil {}
    }
    try file.close()
    #expect(FreeSpace.byteCount(at: url) ?? .max < 4_096)
  }

  @Test(.needsMounting)
  func `On a read-only medium all that is here is answered, and what comes is shown`() async throws
  {
    try await fill("MapCache.sqlite")
    let written = temporaryDirectory.appending(path: "MapCache.sqlite")
    let medium = try ReadOnlyMedium(at: temporaryDirectory.appending(path: "medium")) { folder in
      try FileManager.default.copyItem(at: written, to: folder.appending(path: "MapCache.sqlite"))
    }
    let cache = try MapCache.stub(server, file: "medium/MapCache.sqlite")
    try await expectEverything(cache)
    #expect(try await cache.loadTile(at: Self.other).tile != nil)
    await #expect(throws: TileCacheError.self) {
      try await cache.store.deleteRegion(named: "Area 1")
    }
    try await expectEverything(cache)
    #expect(medium.url.lastPathComponent == "medium", "it is mounted all the time")
  }
}
