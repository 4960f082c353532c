internal import Foundation
internal import PortolanTileCache
internal import PortolanTiles

/// Looks at a cache that a killed process has left: whether its figures are those of its tiles.
struct RegionInspection {
  /// What was seen.
  struct Result {
    var faults: [String] = []
    /// The tiles that are here.
    var tiles: Set<TileID> = []
    var regions: [CrashRegion: CachedRegion] = [:]
  }

  let file: URL

  /// Looks; a cache that is not there yet is empty.
  func look() async throws -> Result {
    var result = Result()
    guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else {
      return result
    }
    let store = try TileCacheStore(at: file)
    if let aside = await store.setAside {
      result.faults.append("the cache was damaged, and is \(aside.lastPathComponent) now")
    }
    for region in try await store.regions() {
      guard let name = CrashRegion(rawValue: region.name) else {
        result.faults.append("there is a region \(region.name)")
        continue
      }
      result.regions[name] = region
      try await look(at: region, in: store, &result)
    }
    try await checkFigures(store, &result)
    return result
  }

  private func look(
    at region: CachedRegion, in store: TileCacheStore, _ result: inout Result
  ) async throws {
    let progress = region.progress
    let covered = try await store.coverage(of: region).reduce(0) { $0 + $1.done }
    // While a region is deleted its figures are no longer kept.
    if region.state != .deleting, covered != progress.done {
      result.faults.append("\(region.name) counts \(progress.done) tiles and marks \(covered)")
    }
    if progress.done + progress.failed > progress.planned || progress.failed > 0 {
      result.faults.append("\(region.name) has \(progress)")
    }
    for level in region.plan.levels {
      let states = try await store.tileStates(of: region, level: level, limit: .max) ?? [:]
      result.tiles.formUnion(states.filter { $0.value == .done }.keys)
    }
  }

  /// The bytes and the number of tiles, counted again, and what the tiles are.
  private func checkFigures(_ store: TileCacheStore, _ result: inout Result) async throws {
    let statistics = try await store.statistics()
    let bytes = result.tiles.reduce(0) { $0 + CrashTileServer.picture(of: $1).count }
    if statistics.tileCount != result.tiles.count {
      result.faults.append(
        "there are \(statistics.tileCount) tiles, of regions \(result.tiles.count)")
    }
    if statistics.byteCount != bytes || statistics.pinnedByteCount != bytes {
      result.faults.append(
        "\(statistics.byteCount) bytes are counted, \(statistics.pinnedByteCount) of regions, for "
          + "\(bytes)")
    }
    guard let config = try await store.config(named: "tiles") else { return }
    let source = CachedTileSource(config, store: store)
    for tile in result.tiles.sorted().filter({ ($0.row + $0.column).isMultiple(of: 17) }) {
      let data = try await source.tile(at: tile)?.data
      if data != CrashTileServer.picture(of: tile) {
        result.faults.append("\(tile) is \(data == nil ? "missing" : "another")")
        return
      }
    }
  }
}
