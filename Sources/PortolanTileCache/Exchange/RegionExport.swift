public import Foundation
public import PortolanTileFiles
internal import PortolanTiles

extension TileCacheStore {
  /// Writes the tiles of a region to a file: `.mbtiles`, `.pmtiles`, `.tpkx` or `.tpk`, by its ending.
  ///
  /// - Parameters:
  ///   - name: The region.
  ///   - url: The file; it appears when it is whole, and replaces what is there.
  ///   - progress: Called now and then with the part that is done.
  /// - Returns: What was written.
  /// - Throws: ``TileCacheError/noSuchRegion(_:)``, ``TileCacheError/tiles(_:)``.
  @concurrent nonisolated public func exportRegion(
    named name: String, to url: URL,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(TileCacheError) -> TileConversionSummary {
    guard let format = TileFileFormat(pathExtension: url.pathExtension) else {
      throw .tiles(.unsupported(file: url.lastPathComponent, feature: "an ending for no tile file"))
    }
    let region = try await region(named: name)
    let source = try await source(of: region)
    do {
      return try await TileConversion(from: source, to: url, as: format).run {
        progress($0.fraction)
      }
    } catch {
      throw error == .cancelled ? .cancelled : .tiles(error)
    }
  }

  /// The tiles of a region that are here.
  public func source(
    of region: CachedRegion
  ) async throws(TileCacheError) -> CachedTileSource {
    guard let config = try await config(named: region.source) else {
      throw .badSource(region.source, reason: "its record cannot be read")
    }
    return CachedTileSource(
      config, store: self,
      in: (shape: region.plan.region, levels: region.plan.levels, name: region.name))
  }
}
