public import Foundation

/// Why the library of stored maps cannot do what it was asked.
public enum LibraryError: Error, Hashable, Sendable {
  /// The catalogue cannot be read or written.
  case catalogue(file: String, reason: String)
  /// The catalogue was written by a newer Portolan.
  case newerCatalogue(file: String, version: Int)
  /// There is no room.
  case diskFull(file: String)
  /// A file or folder cannot be written or moved.
  case unwritable(file: String, reason: String)
  /// A file of a map is not what it should be.
  case damaged(file: String, reason: String)
  /// There is no stored map of that name.
  case noSuchMap(String)
  /// There is no such map in the trash, or none at all.
  case notInTrash(String?)
  /// The files of a stored map are gone.
  case filesMissing(map: String)
  /// Some process has the map open.
  case inUse(map: String)
  /// The map holds edits that its service has not got yet.
  case unsentEdits(map: String, count: Int)
  /// Whether the map holds edits that its service has not received cannot be determined.
  case editsUnknown(map: String, reason: String)
  /// What was to be deleted does not lie in a folder that Portolan has marked.
  case notOurs(file: String)
  /// The work was cancelled; all is as before.
  case cancelled
}

extension LibraryError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .catalogue(let file, let reason): "The catalogue \(file) cannot be used: \(reason)."
    case .newerCatalogue(let file, let version):
      "The catalogue \(file) has version \(version), which a newer Portolan has written."
    case .diskFull(let file): "There is no room for \(file)."
    case .unwritable(let file, let reason): "\(file) cannot be written: \(reason)."
    case .damaged(let file, let reason): "\(file) is damaged: \(reason)."
    case .filesMissing(let map): "The files of «\(map)» are gone."
    case .inUse(let map): "«\(map)» is open."
    case .unsentEdits(let map, let count):
      "«\(map)» holds \(count == 1 ? "an edit" : "\(count) edits") not sent yet."
    case .editsUnknown(let map, let reason):
      "Whether \"\(map)\" holds edits that were not sent cannot be determined: \(reason)"
    case .notOurs(let file): "\(file) is not Portolan's to delete."
    case .cancelled: "The work was cancelled."
    case .notInTrash(let name?): "There is no map «\(name)» in the trash."
    case .notInTrash(nil): "The trash is empty."
    case .noSuchMap(let name): "There is no map «\(name)» on this device."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .catalogue:
      "Check that you may write there; «repair» makes a damaged catalogue anew from the maps."
    case .newerCatalogue: "Use that version, or another home folder with --home."
    case .diskFull: "Free some space; «storage» tells what takes it."
    case .unwritable: "Check that there is room on the disk and that you may write there."
    case .filesMissing: "Download it again; «repair» takes the record away."
    case .damaged: "Delete the map and download it again."
    case .inUse: "Close it, here and in other windows, and try again."
    case .unsentEdits: "Send them with «sync», or discard them with --discard-edits."
    case .editsUnknown:
      "Close the map where it is open and try again. Nothing was changed."
    case .notOurs, .cancelled: nil
    case .noSuchMap: "«maps» lists them."
    case .notInTrash: "«storage» tells what was deleted and can be taken back."
    }
  }
}
