internal import Foundation
internal import PortolanTiles

/// Where the bytes of tiles are.
protocol TileStorage: Sendable {
  /// The levels that there are folders for.
  var levels: ClosedRange<Int>? { get }

  /// The bytes as stored, whatever they are, or `nil` if there are none.
  func data(of tile: TileID) throws(TileError) -> Data?

  /// How many tiles there are, by level.
  func tileCounts() throws(TileError) -> [Int: Int]

  /// The addresses of the tiles there are.
  var tileIDs: TileIDs { get }

  /// The file that a tile is in or would be, for messages.
  func place(of tile: TileID) -> String
}

extension TileStorage {
  /// The tile with its format found from its bytes.
  func tile(at id: TileID) throws(TileError) -> Tile? {
    guard id.row >= 0, id.column >= 0, let data = try data(of: id) else { return nil }
    return try Tile(data, at: id, file: place(of: id))
  }
}
