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
  /// The file uses something that is not understood.
  case unsupported(file: String, feature: String)
  /// The file says that it holds more tiles than are copied one by one.
  case tooManyTiles(file: String, count: Int, limit: Int)
}

extension TileError {
  /// What is wrong, as a clause for people.
  package var clause: String {
    switch self {
    case .damagedTile(_, _, let reason), .damaged(_, _, let reason), .unreadable(_, let reason),
      .unwritable(_, let reason):
      reason
    case .cancelled: "it was cancelled"
    case .unsupported(_, let feature): "\(feature) is not supported"
    case .tooManyTiles: "it holds too many tiles"
    }
  }
}

extension TileError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .cancelled: "Reading tiles was cancelled."
    case .damagedTile(let id, let file, let reason): "Tile \(id) of \(file) is damaged: \(reason)."
    case .damaged(let file, let place, let reason): "\(file) is damaged, in \(place): \(reason)."
    case .unreadable(let file, let reason): "\(file) cannot be read: \(reason)."
    case .unwritable(let file, let reason): "\(file) cannot be written: \(reason)."
    case .unsupported(let file, let feature): "\(file) uses \(feature), which is not supported."
    case .tooManyTiles(let file, let count, let limit):
      "\(file) holds \(count) tiles, more than the \(limit) that are copied into a new file."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .cancelled, .unsupported: nil
    case .damagedTile: "The rest of the map can be used; get the file anew to mend this tile."
    case .damaged: "Copy or download the file again."
    case .tooManyTiles: "Convert an extract of the file: fewer levels or a smaller area."
    case .unwritable:
      "Check that the folder exists, that you may write there, and that there is free space."
    case .unreadable: "Check that the file exists and that you may read it."
    }
  }
}
