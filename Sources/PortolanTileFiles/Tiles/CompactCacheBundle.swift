internal import Foundation
internal import PortolanTiles

/// A file of up to 16,384 tiles with an index.
protocol CompactCacheBundle: Sendable {
  /// The bytes of a tile of this bundle as stored, or `nil` if it has none there.
  ///
  /// A tile whose index record or size field is wrong throws; the others stay readable.
  func data(of tile: TileID) throws(TileError) -> Data?

  /// Lends the bytes of a tile as stored, without copying them where they are in memory already.
  func withData<Result>(
    of tile: TileID, _ body: (UnsafeRawBufferPointer) throws(TileError) -> Result
  ) throws(TileError) -> Result?

  /// The cells of the tiles that the index lists, row by row: 128 times the row, and the column.
  func cells() throws(TileError) -> [Int]
}

extension CompactCacheBundle {
  /// Reads the bytes, then lends the copy.
  func withData<Result>(
    of tile: TileID, _ body: (UnsafeRawBufferPointer) throws(TileError) -> Result
  ) throws(TileError) -> Result? {
    guard let data = try data(of: tile) else { return nil }
    return try unsafe data.lend(body)
  }
}

/// The parts that both versions of bundles have in common.
enum CompactCacheFormat {
  /// Records in an index.
  static let recordCount = BundleID.side * BundleID.side
  /// Bytes that give a tile's size, before its data.
  static let sizeFieldLength = 4
  /// The largest tile that is read: what the 24 bits of a record of version 2 can say.
  static let maximumTileSize = 1 << 24
  /// Bytes of an offset.
  static let offsetLength = 5
}
