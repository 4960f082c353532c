internal import Foundation
internal import PortolanArchives
internal import PortolanTileFiles
internal import PortolanTiles

extension FuzzTarget {
  /// A tile package with bundles of version 2 (`.tpkx`) is opened and read, one of its files
  /// being the input.
  static let compactCacheV2 = tilePackage("compact-v2", TilePackageSeeds.compactV2)

  /// A tile package with bundles of version 1 (`.tpk`), the same way.
  static let compactCacheV1 = tilePackage("compact-v1", TilePackageSeeds.compactV1)

  /// A vector tile package (`.vtpk`), the same way, with its styles, sprites and fonts.
  static let vectorTilePackage = tilePackage("vector-tiles", TilePackageSeeds.vector)

  private static func tilePackage(_ name: String, _ parts: [PackagePart]) -> FuzzTarget {
    FuzzTarget(
      name, cost: 8, words: FormatWords.json + FormatWords.xml,
      seeds: PackagePart.seeds(of: parts)
    ) { data in
      guard let first = data.first else { return }
      let archive = MemoryByteSource(
        StoredArchive.data(
          of: PackagePart.files(of: parts, replacing: Int(first), by: data.dropFirst())),
        name: "fuzzed.tpkx")
      // All bundles are listed for a part of the inputs only: it takes longer than all the rest.
      try read(TilePackageFile.open(archive), countsTiles: data.count.isMultiple(of: 16))
    }
  }

  private static func read(_ package: TilePackageFile, countsTiles: Bool) throws {
    switch package {
    case .raster(let raster):
      try readTiles(raster.tile)
      if countsTiles { _ = try raster.tileCounts() }
      _ = try (raster.layers, raster.itemInformation(), raster.thumbnail())
    case .vector(let vector):
      try readTiles(vector.tile)
      if countsTiles { _ = try vector.tileCounts() }
      try read(vector)
    }
  }

  /// Asks for tiles that are there and that are not; a damaged one must not hide the others.
  private static func readTiles(_ tile: (TileID) throws(TileError) -> Tile?) throws(TileError) {
    var failure: TileError?
    for level in 0...2 {
      for cell in 0..<4 {
        do { _ = try tile(TileID(level: level, row: cell / 2, column: cell % 2)) } catch {
          failure = error
        }
      }
    }
    if let failure { throw failure }
  }

  private static func read(_ package: VectorTilePackage) throws {
    _ = try package.tileMap()?.tileCounts
    _ = try package.tileToOverzoom(for: TileID(level: 20, row: 5, column: 1 << 19))
    _ = try (package.style(), package.metadata(), package.itemInformation(), package.fontStacks())
    for scale in [VectorTilePackage.SpriteScale.single, .double] {
      _ = try package.sprites(scale: scale)
    }
    _ = try package.glyphs(fontStack: "Noto Sans Regular", range: 0...255)
  }
}
