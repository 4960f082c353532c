import Foundation
import PortolanJSON
import PortolanSQLite
import PortolanTestSupport
import PortolanTileCache
import PortolanTiles
import PortolanTransport
import Testing

/// Keys in addresses and headers of sources, which are kept apart from the cache.
@Suite(.temporaryDirectory) struct SourceKeyTests {
  private let server = TileServerStub()
  private let tile = TileID(level: 3, row: 2, column: 1)

  private static let template = "https://me:s3cret1@h/{z}/{x}/{y}.png?style=day&apikey=s3cret2"

  private var file: URL { temporaryDirectory.appending(path: "MapCache.sqlite") }
  private var keys: URL { temporaryDirectory.appending(path: "MapCache.sqlite.keys") }

  private func config() throws -> MapCacheConfig {
    var config = try MapCacheConfig(withUrlTemplate: Self.template)
    config.address = "https://h/tiles.json?token=s3cret3"
    config.headers = ["X-Key": "s3cret4", "Referer": "https://app"]
    return config
  }

  private func cache(_ config: MapCacheConfig) throws -> MapCache {
    MapCache(
      withConfig: config, store: try TileCacheStore(at: file), transport: server, now: server.now)
  }

  /// Keeps a tile of a source.
  private func fill(_ config: MapCacheConfig) async throws {
    let cache = try cache(config)
    _ = try await cache.loadTile(at: tile)
    await cache.settle()
  }

  /// The content of the files of the cache, without that of the keys.
  private func text() throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: temporaryDirectory.path())
    let files = names.filter { !$0.hasSuffix(".keys") }
    // Journals go with the last connection, which may be at this moment; what was in them is in the file
    // then, which is therefore read after them.
    return files.sorted { $0.count > $1.count }.compactMap { name in
      let data = try? Data(contentsOf: temporaryDirectory.appending(path: name))
      return data.map { String(decoding: $0, as: UTF8.self) }
    }.joined()
  }

  @Test func `A cache holds no keys, and its sources have theirs`() async throws {
    let config = try config()
    try await fill(config)
    #expect(try !text().contains("s3cret"))
    let known = try #require(try await TileCacheStore(at: file).config(named: config.cacheName))
    #expect(known.urlTemplate.text == Self.template)
    #expect(known.address == config.address && known.headers == config.headers)
    let id = try await TileCacheStore(at: file).source(known)
    #expect(try await TileCacheStore(at: file).source(config) == id)
    let mode = try FileManager.default.attributesOfItem(atPath: keys.path())[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test func `A cache without its keys has its tiles, and takes a new key`() async throws {
    try await fill(config())
    try FileManager.default.removeItem(at: keys)
    let store = try TileCacheStore(at: file)
    let known = try #require(try await store.config(named: "MapCache"))
    #expect(!known.urlTemplate.text.contains("s3cret"))
    #expect(known.urlTemplate.text.contains("style=day"))
    #expect(try await cache(known).loadTile(at: tile, mode: .cacheOnly).path == .hit)
    _ = try await store.source(known)
    let id = try await store.source(config())
    #expect(try await store.config(named: "MapCache")?.urlTemplate.text == Self.template)
    #expect(try await store.source(known) == id)
  }

  @Test func `The keys of a cache that held them are moved when it is opened`() async throws {
    let config = try config()
    try await fill(config)
    do {
      let connection = try Connection(at: file, access: .readWrite)
      try connection.execute("UPDATE source SET definition = ?1", .blob(config.json.encoded()))
    }
    try FileManager.default.removeItem(at: keys)
    #expect(try text().contains("s3cret2"))
    let store = try TileCacheStore(at: file)
    #expect(try !text().contains("s3cret"))
    #expect(try await store.config(named: "MapCache")?.urlTemplate.text == Self.template)
    #expect(try await cache(config).stored.tileCounts() == [3: 1])
  }

  @Test func `A key goes with its source, and with the next key`() async throws {
    let old = try config()
    let store = try TileCacheStore(at: file)
    _ = try await store.source(old)
    var new = try MapCacheConfig(
      withUrlTemplate: Self.template.replacing("s3cret2", with: "another"))
    new.address = old.address
    _ = try await store.source(new)
    let kept = String(decoding: try Data(contentsOf: keys), as: UTF8.self)
    #expect(kept.contains("another") && !kept.contains("s3cret2") && !kept.contains("s3cret4"))
    try await store.removeSource(named: "MapCache")
    #expect(try !String(decoding: Data(contentsOf: keys), as: UTF8.self).contains("another"))
  }
}
