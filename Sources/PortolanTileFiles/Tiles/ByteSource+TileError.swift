internal import Foundation
internal import PortolanArchives
internal import PortolanTiles

extension ByteSource {
  /// The bytes in `range`, failures in this module's words.
  func bytes(_ range: Range<Int>) throws(TileError) -> Data {
    do { return try read(range) } catch { throw TileError(error) }
  }

  /// Lends the bytes in `range`, failures in this module's words.
  func lend<Result>(
    _ range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(TileError) -> Result
  ) throws(TileError) -> Result {
    let result: Swift.Result<Result, TileError>
    do {
      result = try unsafe withBytes(in: range) { bytes in
        Swift.Result { () throws(TileError) in try unsafe body(bytes) }
      }
    } catch {
      throw TileError(error)
    }
    return try result.get()
  }

  /// Lends the bytes of a tile that follow a size field which must say the same.
  ///
  /// - Parameters:
  ///   - tile: The tile, for messages.
  ///   - offset: The offset of its first byte.
  ///   - size: How many bytes the index gives it.
  ///   - body: What reads them.
  /// - Returns: What `body` returns.
  /// - Throws: ``TileError/damagedTile(_:file:reason:)`` if it says something else.
  func lendTile<Result>(
    _ tile: TileID, at offset: Int, size: Int,
    _ body: (UnsafeRawBufferPointer) throws(TileError) -> Result
  ) throws(TileError) -> Result {
    let field = CompactCacheFormat.sizeFieldLength
    return try unsafe lend(offset - field..<offset + size) { bytes throws(TileError) in
      let stored = unsafe Int(
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self)))
      guard stored == size else {
        let reason = "the index says \(size) bytes, the size field \(stored)"
        throw .damagedTile(tile, file: name, reason: reason)
      }
      return try unsafe body(UnsafeRawBufferPointer(rebasing: bytes[field...]))
    }
  }

  /// The bytes of a tile that follow a size field which must say the same.
  ///
  /// - Parameters:
  ///   - tile: The tile, for messages.
  ///   - offset: The offset of its first byte.
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
