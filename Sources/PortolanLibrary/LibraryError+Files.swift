package import PortolanFiles

extension LibraryError {
  /// What a fault of a file that was to be written or moved means for the library.
  package init(_ error: FileError) {
    let file = error.file ?? "The library"
    self =
      switch error {
      case .cancelled: .cancelled
      case .diskFull: .diskFull(file: file)
      case .readOnly: .readOnlyHome(file: file, reason: error.reason)
      case .unreadable, .notAFile, .truncated: .unreadable(file: file, reason: error.reason)
      case .durabilityUnknown(_, let reason): .durabilityUnknown(file: file, reason: reason)
      default: .unwritable(file: file, reason: error.reason)
      }
  }

  /// What a fault of a file that was to be read means for the library.
  init(reading error: FileError) {
    if case .cancelled = error {
      self = .cancelled
    } else {
      self = .unreadable(file: error.file ?? "The library", reason: error.reason)
    }
  }
}
