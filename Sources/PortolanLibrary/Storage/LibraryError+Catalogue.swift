internal import Foundation
internal import PortolanFiles
internal import PortolanSQLite

extension LibraryError {
  /// What a failure of the catalogue at `file` means for the library.
  init(_ error: any Error, file: URL) {
    let path = file.path(percentEncoded: false)
    switch error {
    case let error as LibraryError: self = error
    case let error as DatabaseError: self = LibraryError(error, path: path, file)
    case is CancellationError: self = .cancelled
    default: self = .catalogue(file: path, reason: error.plainReason)
    }
  }

  private init(_ error: DatabaseError, path: String, _ file: URL) {
    self =
      switch error.code {
      case .full: .diskFull(file: path)
      case .busy, .locked:
        .busyCatalogue(file: path, by: FileLockHolder.find(for: file)?.description)
      case .corrupt, .notADatabase: .damagedCatalogue(file: path, reason: error.message)
      case .readOnly: .readOnlyHome(file: path, reason: error.message)
      default: .catalogue(file: path, reason: error.message)
      }
  }

  /// Why a catalogue can only be read, a clause: what SQLite says about a file that may not be
  /// written to is that it cannot be opened.
  func whyReadOnly(_ file: URL) -> String {
    let path = file.path(percentEncoded: false)
    let folder = file.deletingLastPathComponent().path(percentEncoded: false)
    guard [path, folder].allSatisfy(FileManager.default.isWritableFile) else {
      return "it may not be written to, or its medium can only be read"
    }
    return clause
  }

  /// What is wrong, as a clause for a sentence that names the file.
  var clause: String {
    switch self {
    case .diskFull: "the disk is full"
    case .catalogueGone: "it was deleted or moved away while it was open"
    case .readOnlyHome(_, let reason), .catalogue(_, let reason), .unwritable(_, let reason):
      reason.withoutFullStop
    default: plainReason
    }
  }

  /// Whether a catalogue that cannot be opened for writing may still be read.
  var leavesReading: Bool {
    switch self {
    case .diskFull, .readOnlyHome, .catalogue, .unwritable: true
    default: false
    }
  }
}
