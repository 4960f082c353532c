internal import Foundation
internal import PortolanFiles
internal import PortolanSQLite

/// The bytes of a file that is being copied into the library.
///
/// One that this program has open as a database is read by SQLite's file system: the locks on it would go with a
/// descriptor that is opened beside it and closed, and other programs could write while it is being read or edited.
final class IncomingBytes: Sendable {
  let path: String
  /// How many there are.
  let count: Int
  private let url: URL
  /// `nil` for a database.
  private let file: OpenFile?

  private final class OpenFile: Sendable {
    let file: RegularFile

    init(_ url: URL) throws(FileError) { file = try RegularFile(at: url) }
  }

  /// Opens a file, or a link to it.
  init(of url: URL) throws(FileError) {
    self.url = url
    let isDatabase: Bool
    do { isDatabase = try StoredFile.beginsAsDatabase(url) } catch {
      // No descriptor is opened of what has the name of a database, or of its journal: SQLite would not
      // know of it.
      guard !StoredFile.isOfEditableDatabase(url.lastPathComponent) else {
        throw .unreadable(file: url.plainPath, reason: error.message)
      }
      // What cannot be looked at is reported as it is opened.
      isDatabase = false
    }
    if isDatabase, let status = try FileStatus(at: url, links: .followed) {
      path = url.plainPath
      count = status.byteCount
      file = nil
    } else {
      let opened = try OpenFile(url)
      path = opened.file.path
      count = opened.file.byteCount
      file = opened
    }
  }

  /// Some of the bytes.
  ///
  /// - Throws: ``FileError/truncated(file:offset:)`` if the file ends before the range does, and what keeps it from
  ///   being read.
  func read(_ range: Range<Int>) throws(FileError) -> Data {
    if let file { return try file.file.read(range) }
    let data: Data
    do { data = try LockedFileBytes.bytes(of: url, in: range) } catch {
      throw .unreadable(file: path, reason: error.message)
    }
    guard data.count == range.count else {
      throw .truncated(file: path, offset: range.lowerBound + data.count)
    }
    return data
  }
}
