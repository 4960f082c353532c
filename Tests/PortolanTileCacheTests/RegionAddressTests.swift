import Foundation
import PortolanSQLite
import PortolanTestSupport
import PortolanTiles
import Testing

@testable import PortolanTileCache

/// The tiles of a source that a region has, among many others.
@Suite(.temporaryDirectory) struct RegionAddressTests {
  private let server = TileServerStub()

  private func put(_ tiles: [TileID], in cache: MapCache) async throws {
    for tile in tiles {
      let stored = StoredTile(data: TileServerStub.picture("x"), fetched: server.now())
      try await cache.store.put(stored, at: tile, of: cache.config, capacity: nil)
    }
  }

  private func listed(_ source: CachedTileSource) async throws -> [TileID] {
    var found: [TileID] = []
    for try await id in source.tileIDs { found.append(id) }
    return found
  }

  @Test func `Tiles of a region are found without those around it`() async throws {
    let cache = try MapCache.stub(server)
    let inside = [
      TileID(level: 8, row: 100, column: 150), TileID(level: 8, row: 101, column: 151),
      TileID(level: 9, row: 201, column: 300),
    ]
    try await put(inside, in: cache)
    try Connection(at: cache.store.url, access: .readWrite).execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 19999)
      INSERT INTO tile (source, z, y, x, content, fetched, used)
        SELECT source, 8, 100 + i / 10000, 1000 + i % 10000, content, fetched, used
        FROM tile, n WHERE x = 150
      """)
    let shape = RegionShape(
      .box(west: 30.95, south: 30, east: 33.6, north: 35.9))
    let source = try #require(try await cache.store.knownSource(of: cache.config))
    let found = try await cache.store.addresses(
      from: TileID(level: 0, row: 0, column: 0), of: source,
      in: RegionStretches(shape: shape, levels: 0...9), limit: 10)
    #expect(found.tiles == inside.filter { shape.contains($0) } && found.next == nil)
    #expect(!found.tiles.isEmpty)
  }

  @Test(arguments: [
    TileRegion.box(west: 170, south: -20, east: -170, north: 20),
    .several([
      .box(west: 10, south: 10, east: 12, north: 12),
      .box(west: 60, south: -40, east: 65, north: -38),
    ]),
  ])
  func `A region has those of the tiles that its shape touches, in order`(
    _ region: TileRegion
  ) async throws {
    let cache = try MapCache.stub(server)
    var all: [TileID] = []
    for level in 0...5 {
      let side = 1 << level
      for row in 0..<side {
        for column in 0..<side where (column + row) % 3 != 0 {
          all.append(TileID(level: level, row: row, column: column))
        }
      }
    }
    try await put(all, in: cache)
    let source = CachedTileSource(
      cache.config, store: cache.store, in: (shape: region, levels: 1...5, name: "a"))
    let shape = RegionShape(region)
    #expect(
      try await listed(source) == all.filter { (1...5).contains($0.level) && shape.contains($0) })
  }
}
