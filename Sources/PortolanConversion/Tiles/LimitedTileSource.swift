internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanTiles

/// Some of the tiles of a source: those of certain levels, or in a certain extent.
struct LimitedTileSource: TileSource {
  let info: TileSourceInfo
  private let source: any TileSource
  private let levels: ClosedRange<Int>?
  private let ground: Envelope?

  /// - Parameters:
  ///   - source: All tiles.
  ///   - levels: The levels that are wanted; all if `nil`.
  ///   - extent: The requested extent, in degrees on WGS 84; all if `nil`.
  /// - Throws: ``GeometryError`` if the extent has no place in the reference of the tiles.
  init(
    _ source: any TileSource, levels: ClosedRange<Int>?, extent: Envelope?
  ) throws(GeometryError) {
    self.source = source
    self.levels = levels
    let reference = source.info.scheme.spatialReference
    ground = try extent.map { extent throws(GeometryError) in
      try Projection(from: .wgs84, to: reference).project(extent)
    }
    var info = source.info
    if let levels, let all = info.levels, levels.overlaps(all) {
      info.levels = all.clamped(to: levels)
    }
    if let ground, let full = info.fullExtent { info.fullExtent = full.intersection(ground) }
    self.info = info
  }

  private func holds(_ id: TileID) -> Bool {
    guard levels?.contains(id.level) ?? true else { return false }
    guard let ground, let tile = source.info.scheme.envelope(of: id) else { return true }
    // A tile that only touches the extent shows nothing of it.
    return tile.xMin < ground.xMax && tile.xMax > ground.xMin && tile.yMin < ground.yMax
      && tile.yMax > ground.yMin
  }

  func tile(at id: TileID) async throws(TileError) -> Tile? {
    holds(id) ? try await source.tile(at: id) : nil
  }

  func hasEmptyTile(at id: TileID) async throws(TileError) -> Bool {
    try await source.hasEmptyTile(at: id)
  }

  /// Refuses levels on which there are no tiles, which a source counts faster than it lists them.
  ///
  /// - Parameter file: The file, as messages name it.
  /// - Throws: ``ConversionError/noSuchLevels(_:file:available:)``, ``TileError`` if the source cannot be
  ///   read.
  func checkLevels(of file: String) async throws {
    guard let levels else { return }
    let counts: [Int: Int]
    do throws(TileError) { counts = try await source.tileCounts() } catch {
      // Only the list shows how much of a damaged index can be read.
      guard case .damaged = error else { throw error }
      return
    }
    guard !counts.isEmpty, !counts.keys.contains(where: levels.contains) else { return }
    throw ConversionError.noSuchLevels(levels, file: file, available: counts.keys.sorted())
  }

  func tileCounts() async throws(TileError) -> [Int: Int] {
    guard ground != nil else {
      return try await source.tileCounts().filter { levels?.contains($0.key) ?? true }
    }
    var counts: [Int: Int] = [:]
    for try await id in tileIDs { counts[id.level, default: 0] += 1 }
    return counts
  }

  var tileIDs: TileIDs { source.tileIDs.including { holds($0) } }

  func metadata() async throws(TileError) -> JSONValue? { try await source.metadata() }
}
