internal import Foundation
internal import PortolanTiles

/// The formats of the tiles of a file, counted as they are added.
struct TileFormatTally {
  /// How many tiles there are of each format.
  private(set) var counts: [TileFormat: Int] = [:]

  /// Counts a tile, found out by its bytes.
  ///
  /// - Throws: ``TileError/damagedTile(_:file:reason:)`` if the bytes are like nothing known,
  ///   ``TileError/cannotHold(file:reason:)`` if one file cannot hold it with the others.
  mutating func add(_ data: Data, at id: TileID, file: String) throws(TileError) -> TileFormat {
    let format = try Tile(data, at: id, file: file).format
    guard format != .lerc else {
      throw .cannotHold(file: file, reason: "the format LERC is not supported")
    }
    if let other = counts.keys.first, other != format, !(other.isRaster && format.isRaster) {
      throw .cannotHold(
        file: file, reason: "\(other.rawValue) and \(format.rawValue) do not go into one file")
    }
    counts[format, default: 0] += 1
    return format
  }

  /// The format of most tiles.
  var commonest: TileFormat? {
    counts.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key
  }
}
