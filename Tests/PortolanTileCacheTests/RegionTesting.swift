import PortolanTestSupport
import PortolanTileCache
import PortolanTiles

/// Tests that download regions from the stub of a server.
protocol RegionTesting {}

extension RegionTesting {
  func download(
    _ cache: MapCache, _ region: CachedRegion, _ pass: RegionPass = .missing,
    _ progress: @escaping @Sendable (RegionProgress) -> Void = { _ in }
  ) async throws -> CachedRegion {
    try await RegionDownloader(cache, region, clock: CountingClock()).run(pass, progress: progress)
  }

  func path(_ tile: TileID) -> String { "/\(tile.level)/\(tile.column)/\(tile.row).png" }

  func tiles(_ region: CachedRegion) -> [TileID] {
    region.plan.levels.flatMap { level in
      (region.plan.shape.rows(level: level) ?? 0..<0).flatMap { row in
        region.plan.shape.columns(level: level, row: row).flatMap { columns in
          columns.map { TileID(level: level, row: row, column: $0) }
        }
      }
    }
  }
}
