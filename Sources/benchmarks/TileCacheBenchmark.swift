import Foundation
import PortolanTileCache
import PortolanTiles
import PortolanTransport
import Synchronization

/// A cache of tiles with a limit: 40,000 requests, few tiles much oftener than most, of the bench's
/// pyramid of 322 MB with 100 MB of room; what is not there is read from the source's folder.
struct TileCacheBenchmark: BenchmarkSuite {
  let name = "tile-cache"

  private static let requestCount = 40_000
  private static let capacity = 100_000_000
  private static let level = 7

  func run(_ bed: BenchmarkBed) async throws {
    let trace = Self.trace()
    await Contest(
      job: "A request of a tile cache with a limit",
      contenders: [
        ours("Portolan", bed, trace),
        hits("Portolan, hits alone", bed),
        bed.peer(
          "Python: files and an ordered dictionary", script: "bench_cache.py",
          row: "python: files + OrderedDict LRU"),
        bed.peer(
          "Python: SQLite, a commit per 100", script: "bench_cache.py",
          row: "python: SQLite LRU, a commit per 100"),
        bed.peer(
          "diskcache, least recently used", script: "bench_cache.py",
          row: "diskcache, least-recently-used"),
      ]
    ).run(on: bed)
  }

  private func ours(_ name: String, _ bed: BenchmarkBed, _ trace: [TileID]) -> Contender {
    .ours(name, count: trace.count) {
      let cache = try Self.emptyCache(bed, capacity: Self.capacity)
      for tile in trace {
        guard try await cache.loadTile(at: tile).tile != nil else {
          throw BenchmarkError("there is no tile \(tile)")
        }
      }
      let size = try await cache.store.statistics().ambientByteCount
      guard size <= Self.capacity else { throw BenchmarkError("the cache has \(size) bytes") }
    }
  }

  /// Tiles that are all there.
  private func hits(_ name: String, _ bed: BenchmarkBed) -> Contender {
    let tiles = (0..<1 << 5).flatMap { row in
      (0..<1 << 5).map { TileID(level: 5, row: row, column: $0) }
    }
    let filled = Mutex<MapCache?>(nil)
    return Contender(name: name) {
      let cache: MapCache
      if let known = filled.withLock({ $0 }) {
        cache = known
      } else {
        cache = try Self.emptyCache(bed, capacity: nil)
        for tile in tiles { _ = try await cache.loadTile(at: tile) }
        filled.withLock { $0 = cache }
      }
      var random = RandomNumbers()
      let clock = ContinuousClock()
      let start = clock.now
      for _ in 0..<Self.requestCount {
        let tile = tiles[Int(random.next()) % tiles.count]
        guard try await cache.loadTile(at: tile).path == .hit else {
          throw BenchmarkError("\(tile) is not there")
        }
      }
      return (clock.now - start) / .microseconds(1) / Double(Self.requestCount)
    }
  }

  private static func emptyCache(_ bed: BenchmarkBed, capacity: Int?) throws -> MapCache {
    let folder = bed.data("out/cache-portolan-\(capacity ?? 0)")
    if FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)) {
      try FileManager.default.removeItem(at: folder)
    }
    var config = try MapCacheConfig(
      withUrlTemplate: "http://bench.invalid/{z}/{x}/{y}.png", cacheName: "bench")
    config.capacity = capacity
    return MapCache(
      withConfig: config, store: try TileCacheStore(at: folder.appending(path: "cache.sqlite")),
      transport: FolderTransport(folder: bed.data("tiles")), now: { Date() })
  }

  /// Tiles by Zipf's law with the exponent 0.9, over all tiles in an order by chance.
  private static func trace() -> [TileID] {
    var random = RandomNumbers()
    var tiles = (0...level).flatMap { level in
      (0..<1 << level).flatMap { row in
        (0..<1 << level).map { TileID(level: level, row: row, column: $0) }
      }
    }
    for index in tiles.indices.reversed() {
      tiles.swapAt(index, Int(random.next()) % (index + 1))
    }
    var sums: [Double] = []
    for index in tiles.indices { sums.append((sums.last ?? 0) + 1 / pow(Double(index + 1), 0.9)) }
    let whole = sums[sums.count - 1]
    return (0..<requestCount).map { _ in
      let wanted = random.fraction() * whole
      var (low, high) = (0, sums.count - 1)
      while low < high {
        let middle = (low + high) / 2
        if sums[middle] > wanted { high = middle } else { low = middle + 1 }
      }
      return tiles[low]
    }
  }
}

/// Answers requests for tiles with the files of a folder.
private struct FolderTransport: HTTPTransport {
  let folder: URL

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    // A tile that is not there is one that the server does not have.
    let data = try? Data(contentsOf: folder.appending(path: request.url.path()))
    let head = HTTPResponseHead(
      status: data == nil ? 404 : 200, headers: ["Cache-Control": "max-age=86400"],
      url: request.url)
    try sink.begin(head)
    if let data { try sink.receive(data.bytes) }
    return head
  }
}
