import Foundation
import PortolanLocks
import PortolanSQLite
import PortolanTestSupport
import PortolanTiles
import Testing

@testable import PortolanTileCache

/// Tiles between the server and the file.
@Suite(.temporaryDirectory) struct TileArrivalsTests {
  private let server = TileServerStub()

  private func tile(_ column: Int) -> TileID { TileID(level: 10, row: 0, column: column) }

  private func arrival(_ column: Int, _ text: String = "x") throws -> TileArrivals.Arrival {
    TileArrivals.Arrival(
      stored: StoredTile(data: Data(text.utf8), fetched: server.now()), tile: tile(column),
      config: try MapCacheConfig(withUrlTemplate: "https://h/{z}/{x}/{y}.png"),
      source: CachedSourceID(number: 1), completion: { _ in })
  }

  /// The number of tiles in the file.
  private func count(in file: URL) throws -> Int {
    let connection = try Connection(at: file, access: .readOnly)
    let query = try connection.query("SELECT count(*) FROM tile")
    return try query.step() ? Int(query.integer(at: 0)) : 0
  }

  /// The arrivals, of which the first batch is being written.
  private func underWay(_ texts: String...) throws -> TileArrivals {
    var arrivals = TileArrivals()
    for text in texts { arrivals.add(try arrival(0, text)) }
    let begins = arrivals.begin()
    let batch = arrivals.next()
    #expect(begins)
    #expect(batch.count == texts.count)
    return arrivals
  }

  @Test func `Tiles that arrive during a write are written together`() throws {
    var arrivals = try underWay("x")
    let beginsTwice = arrivals.begin()
    #expect(!beginsTwice, "one writes at a time")
    for column in 1...3 { arrivals.add(try arrival(column)) }
    #expect(arrivals.byteCount == 4)
    let first = arrivals.finish()
    #expect(first.hasMore)
    let batch = arrivals.next()
    #expect(batch.map(\.tile) == (1...3).map(tile))
    let second = arrivals.finish()
    #expect(!second.hasMore)
    #expect(arrivals.byteCount == 0)
    let beginsAgain = arrivals.begin()
    #expect(beginsAgain)
  }

  @Test func `Tiles that nobody waits for gather until they are many, or somebody waits`() throws {
    var arrivals = TileArrivals()
    for column in 1..<TileArrivals.fullCount {
      arrivals.add(try arrival(column), isAwaited: false)
    }
    let gathers = arrivals.beginGathering()
    let gathersTwice = arrivals.beginGathering()
    #expect(gathers && !gathersTwice && !arrivals.isDue)
    var others = arrivals
    arrivals.add(try arrival(0), isAwaited: false)
    #expect(arrivals.isDue)
    let waits = others.observe {}
    #expect(waits && others.isDue)
  }

  @Test func `What arrives during a write and nobody waits for gathers again`() throws {
    var arrivals = try underWay("x")
    arrivals.add(try arrival(1), isAwaited: false)
    let first = arrivals.finish()
    #expect(!first.hasMore)
    let gathers = arrivals.beginGathering()
    let begins = arrivals.begin()
    #expect(gathers && begins)
    let batch = arrivals.next()
    #expect(batch.map(\.tile) == [tile(1)])
  }

  @Test func `In a large cache a tile that nobody waits for gets into the file by itself`()
    async throws
  {
    let store = try MapCache.stub(server).store
    let config = try MapCacheConfig(withUrlTemplate: "https://h/{z}/{x}/{y}.png")
    let stored = StoredTile(data: Data([1]), fetched: server.now())
    for column in 0..<Int(TileReadings.fewestTiles) {
      try await store.add(stored, at: tile(column), of: config, capacity: nil)
    }
    await store.written()
    let keepsPlaces = store.readings.withLock(\.keepsPlaces)
    #expect(keepsPlaces)
    let (results, continuation) = AsyncStream.makeStream(of: TileCacheError?.self)
    try await store.add(stored, at: tile(1_000), of: config, capacity: nil) {
      continuation.yield($0)
    }
    var iterator = results.makeAsyncIterator()
    let result = await iterator.next()
    #expect(result == .some(nil))
    #expect(try count(in: store.url) == Int(TileReadings.fewestTiles) + 1)
  }

  @Test func `The last of a tile is found until it is written itself`() throws {
    var arrivals = try underWay("old")
    let new = try arrival(0, "new")
    arrivals.add(new)
    _ = arrivals.finish()
    #expect(arrivals.find(tile(0), of: new.config)?.stored == new.stored)
    _ = arrivals.next()
    _ = arrivals.finish()
    #expect(arrivals.find(tile(0), of: new.config) == nil)
  }

  @Test func `An observer is called once earlier arrivals are written, and not sooner`() throws {
    var idle = TileArrivals()
    let waits = idle.observe {}
    #expect(!waits)
    var arrivals = try underWay("x")
    let waitsForFirst = arrivals.observe {}
    arrivals.add(try arrival(1))
    let waitsForSecond = arrivals.observe {}
    #expect(waitsForFirst && waitsForSecond)
    let first = arrivals.finish()
    #expect(first.observers.count == 1)
    _ = arrivals.next()
    let second = arrivals.finish()
    #expect(second.observers.count == 1)
  }

  @Test func `A tile that has come is found at once, though others keep it from being written`()
    async throws
  {
    let cache = try MapCache.stub(server)
    _ = try await cache.loadTile(at: tile(0))
    await cache.settle()
    let other = try Connection(at: cache.store.url, access: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    for column in 1...3 {
      #expect(try await cache.loadTile(at: tile(column)).path == .fetched)
      #expect(try await cache.loadTile(at: tile(column)).path == .hit)
    }
    #expect(try count(in: cache.store.url) == 1)
    try other.execute("COMMIT")
    await cache.settle()
    #expect(try count(in: cache.store.url) == 4)
    #expect(await cache.storageFailure == nil)
    let figures = try await cache.store.statistics().sources.first
    #expect(figures?.hits == 3)
    #expect(figures?.misses == 4)
  }

  @Test func `A process that is killed loses what has just come, and nothing else`() async throws {
    let cache = try MapCache.stub(server)
    for column in 0..<20 { _ = try await cache.loadTile(at: tile(column)) }
    await cache.settle()
    let other = try Connection(at: cache.store.url, access: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    for column in 20..<30 { _ = try await cache.loadTile(at: tile(column)) }
    // The files on the disk at this moment.
    for suffix in ["", "-wal"] {
      let path = cache.store.url.path(percentEncoded: false) + suffix
      try FileManager.default.copyItem(
        at: URL(filePath: path), to: temporaryDirectory.appending(path: "left.sqlite" + suffix))
    }
    try other.execute("COMMIT")
    let left = try MapCache.stub(server, file: "left.sqlite")
    for column in 0..<20 {
      #expect(try await left.loadTile(at: tile(column), mode: .cacheOnly).path == .hit)
    }
    let statistics = try await left.store.statistics()
    #expect(statistics.tileCount == 20)
    #expect(statistics.byteCount == (0..<20).reduce(0) { $0 + picture($1).count })
    #expect(await left.store.setAside == nil)
  }

  @Test func `Tiles in transit when the file proves damaged are stored in the next one`()
    async throws
  {
    let cache = try MapCache.stub(server)
    for column in 0..<50 { _ = try await cache.loadTile(at: tile(column)) }
    await cache.settle()
    let other = try Connection(at: cache.store.url, access: .readWrite)
    try other.emptyLog()
    try other.execute("BEGIN IMMEDIATE")
    #expect(try await cache.loadTile(at: tile(50)).path == .fetched)
    let file = try FileHandle(forUpdating: cache.store.url)
    let size = try file.seekToEnd()
    try file.seek(toOffset: 4_096)
    try file.write(contentsOf: Data(repeating: 0xA5, count: Int(size) - 4_096))
    try file.close()
    try other.execute("ROLLBACK")
    await cache.settle()
    #expect(await cache.storageFailure == nil)
    #expect(await cache.store.setAside != nil)
    let again = try MapCache.stub(server)
    #expect(try await again.loadTile(at: tile(50), mode: .cacheOnly).path == .hit)
    #expect(await again.store.setAside == nil)
  }

  private func picture(_ column: Int) -> Data { TileServerStub.picture("/10/\(column)/0.png") }

  @Test func `In a large cache room is made for several tiles, the least recently used first`()
    async throws
  {
    let capacity = (0..<300).reduce(0) { $0 + picture($1).count }
    let cache = try MapCache.stub(server) { $0.capacity = capacity }
    for column in 0..<300 { _ = try await cache.loadTile(at: tile(column)) }
    #expect(try await cache.diskSize() == capacity)
    await cache.settle()
    #expect(try await cache.loadTile(at: tile(0)).path == .hit)
    for column in 300..<304 {
      _ = try await cache.loadTile(at: tile(column))
      #expect(try await cache.diskSize() <= capacity)
    }
    #expect(try await cache.diskSize() >= capacity - capacity / 64)
    for column in [0, 299, 303] {
      #expect(try await cache.loadTile(at: tile(column), mode: .cacheOnly).path == .hit)
    }
    for column in 1...4 {
      await #expect(throws: TileCacheError.notCached(tile(column))) {
        try await cache.loadTile(at: tile(column), mode: .cacheOnly)
      }
    }
  }
}
