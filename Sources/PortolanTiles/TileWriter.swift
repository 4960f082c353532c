public import struct Foundation.Data

/// Writes tiles to a new file, as they are.
///
/// The file appears under its name, complete, when ``finish()`` returns; what was there before
/// stays until then, and stays if the writer is dropped, which leaves nothing behind. The same
/// tiles in the same order give the same bytes.
public protocol TileWriter: ~Copyable {
  /// Adds a tile; tiles may come in any order, and an address may be used once.
  ///
  /// - Parameters:
  ///   - tile: The encoded picture or vector tile.
  ///   - id: Its address in the scheme that the file is written for.
  /// - Throws: ``TileError/damagedTile(_:file:reason:)`` if no such tile can be stored there,
  ///   ``TileError/cannotHold(file:reason:)`` if the file can hold no tiles of that format,
  ///   ``TileError/unwritable(file:reason:)``.
  mutating func add(_ tile: Data, at id: TileID) throws(TileError)

  /// Writes what is left, and puts the file in its place, safe from a power cut.
  ///
  /// - Throws: ``TileError/nothingToWrite(file:)`` if no tile was added,
  ///   ``TileError/unwritable(file:reason:)``.
  consuming func finish() throws(TileError)
}
