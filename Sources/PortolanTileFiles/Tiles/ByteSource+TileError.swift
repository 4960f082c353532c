internal import Foundation
internal import PortolanArchives
internal import PortolanTiles

extension ByteSource {
  /// The bytes in `range`, failures in this module's words.
  func bytes(_ range: Range<Int>) throws(TileError) -> Data {
    do { return try read(range) } catch { throw TileError(error) }
  }

  /// The bytes of a tile that follow a size field which must say the same.
  ///
  /// - Parameters:
  ///   - tile: The tile, for messages.
  ///   - offset: Where its first byte stands.
  ///   - size: How many bytes the index gives it.
  /// - Returns: The bytes of the tile alone.
  /// - Throws: ``TileError/damagedTile(_:file:reason:)`` if it says something else.
  func tileData(_ tile: TileID, at offset: Int, size: Int) throws(TileError) -> Data {
    let field = try bytes(offset - CompactCacheFormat.sizeFieldLength..<offset)
    let stored = field.littleEndian(at: 0, count: CompactCacheFormat.sizeFieldLength)
    guard stored == size else {
      let reason = "the index says \(size) bytes, the size field \(stored)"
      throw .damagedTile(tile, file: name, reason: reason)
    }
    return try bytes(offset..<offset + size)
  }
}
