public import Foundation

/// The reason why a file cannot be shared, where the portal is not the reason.
public enum SharingError: Error, Hashable, Sendable {
  /// There is no such file.
  case noSuchFile(file: String)
  /// The file cannot be read, or is empty.
  case unreadable(file: String)
  /// The file was changed while it was uploaded.
  case changed(file: String)
  /// Another process is sharing the file.
  case inUse(file: String)
  /// An item of the same title and type is there already.
  case itemExists(title: String, id: String)
  /// Several items of the title and type are there, and it is not said which one is replaced.
  case severalItems(title: String, ids: [String])
  /// The item that is to be replaced belongs to another user, or has another type.
  case notReplaceable(title: String, id: String)
  /// The portal did not finish storing the file.
  case notStored(title: String)
  /// The portal could not store the file; why, as the end of a sentence.
  case refused(title: String, reason: String)
  /// The item's data on the portal are not as long as the file.
  case incomplete(title: String, expected: Int, actual: Int)
  /// The file is of a kind that portals do not take.
  case unknownKind(file: String)
}

extension SharingError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .noSuchFile(let file): "There is no file \"\(file)\"."
    case .unreadable(let file): "\"\(file)\" cannot be read, or is empty."
    case .changed(let file): "\"\(file)\" was changed while it was uploaded."
    case .inUse(let file): "\"\(file)\" is being shared by another process."
    case .itemExists(let title, let id): "\"\(title)\" is on the portal already, as \(id)."
    case .severalItems(let title, let ids):
      "\(ids.count) of your items are called \"\(title)\": \(ids.joined(separator: ", "))."
    case .notReplaceable(let title, let id):
      "\"\(title)\" (\(id)) cannot be replaced: it belongs to another user, or has another type."
    case .notStored(let title): "The portal has not finished storing \"\(title)\"."
    case .refused(let title, let reason): "The portal has not stored \"\(title)\": \(reason)."
    case .incomplete(let title, let expected, let actual):
      "The portal holds \(actual) of the \(expected) bytes of \"\(title)\"."
    case .unknownKind(let file): "\"\(file)\" is not a file that is shared on portals."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .noSuchFile: "Check the path."
    case .unreadable: "Check that the file is not empty and that you may read it."
    case .changed: "Wait until it is complete, and share it again."
    case .inUse: "Wait until it is finished."
    case .itemExists: "Choose another title, or replace it."
    case .severalItems: "Give the id of the one that is to be replaced."
    case .notReplaceable: "Give the id of an item of yours that holds a file of the same kind."
    case .notStored: "Share the file again later; what was uploaded is kept."
    case .refused: "Share the file again; it is uploaded from the beginning."
    case .incomplete: "Share the file again."
    case .unknownKind:
      "Share a .mmpk, .tpk, .tpkx, .vtpk, .geodatabase, .gpkg, .geojson or .csv file."
    }
  }
}
