internal import Foundation
internal import PortolanFiles
internal import PortolanSQLite

extension LibraryError {
  /// What keeps a database of a map from being read now; what is wrong with its contents is for the caller.
  ///
  /// - Parameters:
  ///   - error: What SQLite said.
  ///   - database: The file.
  init(reading error: DatabaseError, of database: URL) {
    let file = database.path(percentEncoded: false)
    self =
      switch error.code {
      case .busy, .locked: .beingWritten(file: file, by: error.holder?.description)
      case .interrupted: .cancelled
      default: .unreadable(file: file, reason: error.message)
      }
  }

  /// The lock of another program that kept a database from being read; `nil` for all that does not pass by
  /// itself.
  init?(lockedOutBy error: any Error, at place: URL) {
    switch error {
    case LibraryError.beingWritten(let file, let holder):
      self = .beingWritten(file: file, by: holder)
    case let error as DatabaseError where error.code == .busy || error.code == .locked:
      self.init(reading: error, of: error.file.map { URL(filePath: $0) } ?? place)
    default: return nil
    }
  }
}
