internal import Foundation
internal import PortolanTiles

/// The storage of the bytes of tiles.
protocol TileStorage: Sendable {
  /// The levels that there are folders for.
  var levels: ClosedRange<Int>? { get }

  /// The bytes as stored, whatever they are, or `nil` if there are none.
  func data(of tile: TileID) throws(TileError) -> Data?

  /// Lends the bytes as stored, without copying them where they are in memory already; `nil` if
  /// there are none.
  func withData<Result>(
    of tile: TileID, _ body: (UnsafeRawBufferPointer) throws(TileError) -> Result
  ) throws(TileError) -> Result?

  /// How many tiles there are, by level.
  func tileCounts() throws(TileError) -> [Int: Int]

  /// The addresses of the tiles there are.
  var tileIDs: TileIDs { get }

  /// The file that a tile is in or would be, for messages.
  func place(of tile: TileID) -> String
}

extension TileStorage {
  /// Reads the bytes, then lends the copy.
  func withData<Result>(
    of tile: TileID, _ body: (UnsafeRawBufferPointer) throws(TileError) -> Result
  ) throws(TileError) -> Result? {
    guard let data = try data(of: tile) else { return nil }
    return try unsafe data.lend(body)
  }

  /// Lends the tile with its format found from its bytes.
  func withTile<Result>(
    at id: TileID, _ body: (RawSpan, TileFormat) -> Result
  ) throws(TileError) -> Result? {
    guard id.row >= 0, id.column >= 0 else { return nil }
    return try unsafe withData(of: id) { bytes throws(TileError) in
      guard let format = unsafe TileFormat(detecting: bytes) else {
        throw .unknownFormat(of: id, file: place(of: id))
      }
      return unsafe body(bytes.bytes, format)
    }
  }

  /// The tile with its format found from its bytes.
  func tile(at id: TileID) throws(TileError) -> Tile? {
    guard id.row >= 0, id.column >= 0, let data = try data(of: id) else { return nil }
    return try Tile(data, at: id, file: place(of: id))
  }
}
