internal import Foundation
internal import PortolanArchives
internal import PortolanFiles
internal import PortolanTiles

/// Copies tiles one by one.
struct TileCopy {
  /// After how many tiles progress is reported.
  private static let step = 256
  /// The largest vector tile, decompressed.
  private static let maximumTileSize = 64 << 20

  private let plan: TileConversionPlan
  private let progress: @Sendable (TileConversion.Progress) -> Void
  private var formats: Set<TileFormat> = []
  private var summary: TileConversionSummary
  private var recompressed = 0
  private var emptyCount = 0

  init(
    _ plan: TileConversionPlan, progress: @escaping @Sendable (TileConversion.Progress) -> Void
  ) {
    self.plan = plan
    self.progress = progress
    summary = plan.summary
  }

  /// Copies the tiles of the plan, and finishes the file.
  consuming func write<Writer: TileWriter & ~Copyable>(
    to writer: consuming Writer
  ) async throws(TileError) -> TileConversionSummary {
    var done = 0
    do {
      for try await id in plan.tileIDs {
        try await copy(id, to: &writer)
        done += 1
        if done.isMultiple(of: Self.step) { tell(done) }
      }
    } catch {
      // A part of the index, which was noted when the tiles were listed.
      guard case .damaged = error else { throw error }
    }
    if summary.tileCounts.isEmpty, let damage = summary.damages.first { throw damage }
    try writer.finish()
    tell(plan.total)
    try await describe()
    return summary
  }

  private func tell(_ done: Int) {
    progress(TileConversion.Progress(done: min(done, plan.total), total: plan.total))
  }

  private mutating func copy<Writer: TileWriter & ~Copyable>(
    _ id: TileID, to writer: inout Writer
  ) async throws(TileError) {
    guard let target = plan.target(of: id) else { return }
    do throws(TileError) {
      guard let stored = try await read(id) else {
        emptyCount += 1
        return
      }
      let tile = try wrapped(stored, id)
      try writer.add(tile.data, at: target)
      formats.insert(tile.format)
      summary.tileCounts[target.level, default: 0] += 1
    } catch {
      switch error {
      case .damagedTile, .damaged: summary.add(error)
      case .cancelled, .unreadable, .unwritable, .alreadyExists, .unsupported, .cannotHold,
        .holdsPictures, .unknownEnding, .noTiles, .nothingToWrite, .tooManyTiles:
        throw error
      }
    }
  }

  /// The tile; `nil` if it is one of no bytes.
  private func read(_ id: TileID) async throws(TileError) -> Tile? {
    let source = plan.conversion.source
    if let tile = try await source.tile(at: id) { return tile }
    if try await source.hasEmptyTile(at: id) { return nil }
    throw .damagedTile(id, file: source.info.name, reason: "it is listed and is not there")
  }

  /// The tile as the new file keeps such tiles.
  private mutating func wrapped(_ tile: Tile, _ id: TileID) throws(TileError) -> Tile {
    let name = plan.conversion.target.lastPathComponent
    guard tile.format != .webp || plan.conversion.format.isWebMercatorQuad else {
      throw .cannotHold(file: name, reason: "tile packages have no name for the format WebP")
    }
    guard !tile.format.isRaster else { return tile }
    guard plan.conversion.format.isWebMercatorQuad else {
      throw .holdsPictures(file: name)
    }
    let others = formats.first { !$0.isRaster }
    let wanted: TileFormat =
      plan.conversion.format == .mbtiles ? .gzippedVectorTile : others ?? tile.format
    guard wanted != tile.format else { return tile }
    recompressed += 1
    do throws(ArchiveError) {
      let data =
        wanted == .vectorTile
        ? try Gzip.decompress(tile.data, limit: Self.maximumTileSize, name: name)
        : try Gzip.compress(tile.data)
      return Tile(data: data, format: wanted)
    } catch {
      throw .damagedTile(id, file: name, reason: error.plainReason)
    }
  }

  private mutating func describe() async throws(TileError) {
    if plan.conversion.format.isWebMercatorQuad, formats.count > 1 {
      summary.limitations.append(.mixedFormats(formats))
    }
    if emptyCount > 0 { summary.limitations.append(.emptyTilesLeftOut(tileCount: emptyCount)) }
    // What cannot be counted is damaged, which was noted when the tiles were listed.
    if let count = try? await plan.conversion.source.unaddressedTileCount(), count > 0 {
      summary.limitations.append(.unaddressedTilesLeftOut(tileCount: count))
    }
    if recompressed > 0 { summary.limitations.append(.recompressed(tileCount: recompressed)) }
    if let package = plan.conversion.source as? TilePackage, !package.layers.isEmpty {
      summary.limitations.append(.legendLeftOut)
    }
    guard let package = plan.conversion.source as? VectorTilePackage else { return }
    summary.limitations.append(.styleLeftOut)
    // A package without its index is one whose tiles are all that there is.
    if let map = try? package.tileMap() {
      let count = map.leafCount(aboveLevel: summary.tileCounts.keys.max() ?? 0)
      if count > 0 { summary.limitations.append(.leavesCoverFinerTiles(tileCount: count)) }
    }
  }
}
