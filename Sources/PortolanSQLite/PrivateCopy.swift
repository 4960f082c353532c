internal import CSQLite
internal import Foundation
internal import PortolanFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A copy of a database with its journals, recovered, in a folder that goes when it does, or that the next
/// copy removes if the process has died.
///
/// For files that hold what was committed only together with a journal or log, and that may not be
/// written. What is copied is what lies on the disk; a file that changes meanwhile is not used.
final class PrivateCopy {
  /// The path of the recovered copy.
  let path: String
  private let folder: PrivateFolder
  private let original: FileSurroundings
  private let stamp: [[Int]]

  /// The path of the original file.
  var originalPath: String { original.path }

  /// Whether the file that was copied is as it was.
  var isCurrent: Bool { original.stamp == stamp }

  /// Copies a file through a connection to it, whose locks a descriptor of our own would end.
  ///
  /// `nil` if the file was written meanwhile.
  ///
  /// - Parameters:
  ///   - original: The file.
  ///   - handle: A connection to it.
  ///   - isCopied: Called before it is looked at whether the copy is of one state.
  /// - Throws: ``DatabaseError`` if the copy cannot be made or recovered.
  init?(
    of original: FileSurroundings, through handle: ConnectionHandle, isCopied: () -> Void = {}
  ) throws(DatabaseError) {
    folder = try Self.makeFolder()
    path =
      folder.url.appending(path: (original.path as NSString).lastPathComponent)
      .path(percentEncoded: false)
    self.original = original
    stamp = original.stamp
    try Self.copyMain(of: handle, to: path)
    for suffix in original.journals { try Self.copy(original.path + suffix, to: path + suffix) }
    isCopied()
    guard isCurrent else { return nil }
    try recover()
  }

  /// Rolls back the journal, or folds the log into the file.
  private func recover() throws(DatabaseError) {
    let handle = try ConnectionHandle(
      opening: DatabaseLocation(path: path, access: .edit, .writing))
    try handle.prepare(for: .edit, mappedSize: 0)
    try handle.run("PRAGMA journal_mode = DELETE")
  }

  private static func makeFolder() throws(DatabaseError) -> PrivateFolder {
    let parent = FileManager.default.temporaryDirectory
    do throws(FileError) { return try PrivateFolder(in: parent) } catch {
      let code = if case .diskFull = error { SQLITE_FULL } else { SQLITE_CANTOPEN }
      throw DatabaseError(
        extendedCode: code, message: error.reason, sql: nil,
        file: parent.path(percentEncoded: false))
    }
  }

  private static func copyMain(
    of handle: ConnectionHandle, to path: String
  ) throws(DatabaseError) {
    var length: sqlite3_int64 = 0
    var code = unsafe csqlite_main_length(handle.pointer, &length)
    guard code == SQLITE_OK else { throw handle.failure(code) }
    try unsafe write(to: path) { offset, buffer throws(DatabaseError) in
      let count = Int(min(Int64(buffer.count), length - offset))
      guard count > 0 else { return 0 }
      code = unsafe csqlite_read_main(handle.pointer, buffer.baseAddress, Int32(count), offset)
      guard code == SQLITE_OK else { throw handle.failure(code) }
      return count
    }
  }

  private static func copy(_ source: String, to path: String) throws(DatabaseError) {
    let descriptor = unsafe open(source, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(source) }
    defer { close(descriptor) }
    try unsafe write(to: path) { offset, buffer throws(DatabaseError) in
      let count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, Int(offset))
      guard count >= 0 else { throw failure(source) }
      return count
    }
  }

  /// Writes what `read` puts into the buffer, until that is nothing.
  private static func write(
    to path: String,
    _ read: (Int64, UnsafeMutableRawBufferPointer) throws(DatabaseError) -> Int
  ) throws(DatabaseError) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { unsafe buffer.deallocate() }
    var offset: Int64 = 0
    while true {
      let count = unsafe try read(offset, buffer)
      guard count > 0 else { return }
      var done = 0
      while done < count {
        let written = unsafe Glibc.write(
          descriptor, buffer.baseAddress?.advanced(by: done), count - done)
        guard written > 0 else { throw failure(path) }
        done += written
      }
      offset += Int64(count)
    }
  }

  private static func failure(_ path: String) -> DatabaseError {
    let number = errno
    return DatabaseError(
      extendedCode: number == ENOSPC || number == EDQUOT ? SQLITE_FULL : SQLITE_CANTOPEN,
      message: unsafe String(cString: strerror(number)), sql: nil, file: path)
  }
}
