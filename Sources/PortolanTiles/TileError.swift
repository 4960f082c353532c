public import Foundation

/// Why a tile source did not answer.
public enum TileError: Error, Hashable, Sendable {
  /// The task was cancelled.
  case cancelled
  /// One tile is damaged; others may be fine.
  case damagedTile(TileID, file: String, reason: String)
  /// The file, or a part of it, is not what it should be.
  case damaged(file: String, place: String, reason: String)
  /// The file cannot be opened or read.
  case unreadable(file: String, reason: String)
  /// The file cannot be written.
  case unwritable(file: String, reason: String)
  /// Something is there already that is to stay.
  case alreadyExists(file: String)
  /// The file is none of the kind that it is opened as, or has something that is not understood; the
  /// reason is a clause.
  case unsupported(file: String, reason: String)
  /// The file that is written has no place for such tiles; the reason is a clause.
  case cannotHold(file: String, reason: String)
  /// The file can hold pictures alone, and the tiles are vector tiles.
  case holdsPictures(file: String)
  /// The name of the file ends like that of no file of tiles that is written here.
  case unknownEnding(file: String)
  /// The file holds no such tiles: "tiles", or which ones.
  case noTiles(file: String, kind: String = "tiles")
  /// There is no tile for the file that is written.
  case nothingToWrite(file: String)
  /// The file says that it holds more tiles than are copied one by one.
  case tooManyTiles(file: String, count: Int, limit: Int)
}

extension TileError {
  /// The fault, as a clause for people.
  package var clause: String {
    switch self {
    case .damagedTile(_, _, let reason), .damaged(_, _, let reason), .unreadable(_, let reason),
      .unwritable(_, let reason), .unsupported(_, let reason):
      reason
    case .cancelled: "it was cancelled"
    case .alreadyExists: "something is there already"
    case .cannotHold(_, let reason): "it cannot hold these tiles, for \(reason)"
    case .holdsPictures: "it cannot hold vector tiles, only pictures"
    case .unknownEnding: "its name ends like that of no file of tiles"
    case .noTiles(_, let kind): "it holds no \(kind)"
    case .nothingToWrite: "there are no tiles for it"
    case .tooManyTiles: "it holds too many tiles"
    }
  }
}

extension TileError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .cancelled: "Reading tiles was cancelled."
    case .damagedTile(let id, let file, let reason):
      "Tile \(id.address) of \(file) is damaged: \(reason)."
    case .damaged(let file, let place, let reason): "\(file) is damaged, in \(place): \(reason)."
    case .unreadable(let file, let reason): "\(file) cannot be read: \(reason)."
    case .unwritable(let file, let reason): "\(file) cannot be written: \(reason)."
    case .alreadyExists(let file): "\(file) exists already."
    case .unsupported(let file, let reason): "\(file) cannot be used: \(reason)."
    case .cannotHold(let file, let reason): "\(file) cannot hold these tiles: \(reason)."
    case .holdsPictures(let file): "\(file) cannot hold vector tiles, only pictures."
    case .unknownEnding(let file) where Self.isVectorTilePackage(file):
      "Tiles alone do not make a vector tile package, such as \(file)."
    case .unknownEnding(let file): "The name \(file) ends like that of no file of tiles."
    case .noTiles(let file, let kind): "\(file) holds no \(kind)."
    case .nothingToWrite(let file): "\(file) was not made: there are no tiles for it."
    case .tooManyTiles(let file, let count, let limit):
      "\(file) holds \(count) tiles, more than the \(limit) that are copied into a new file."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .cancelled, .unsupported: nil
    case .alreadyExists: "Choose another name, or move away what is there."
    case .cannotHold: "Choose another format for them."
    case .holdsPictures: "Let its name end in .mbtiles or .pmtiles."
    case .unknownEnding(let file) where Self.isVectorTilePackage(file):
      "Let its name end in .mbtiles or .pmtiles: a .vtpk needs the style as well."
    case .unknownEnding: "Let it end in .mbtiles, .pmtiles, .tpkx or .tpk."
    case .noTiles: "Check what the file contains."
    case .nothingToWrite: "Check that the source has tiles in what was chosen of it."
    case .damagedTile: "The rest of the map can be used; get the file again to repair this tile."
    case .damaged: "Copy or download the file again."
    case .tooManyTiles: "Convert an extract of the file: fewer levels or a smaller area."
    case .unwritable:
      "Check that the folder exists, that you may write there, and that there is free space."
    case .unreadable: "Check that the file exists and that you may read it."
    }
  }

  private static func isVectorTilePackage(_ file: String) -> Bool {
    file.lowercased().hasSuffix(".vtpk")
  }
}
