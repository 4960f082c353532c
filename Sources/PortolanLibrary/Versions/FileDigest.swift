internal import Foundation
internal import PortolanCrypto
internal import PortolanFiles
internal import PortolanSQLite

/// Reads files to their end and says what is in them in 32 bytes.
enum FileDigest {
  private static let chunkSize = 1 << 20

  /// The SHA-256 digest of a file.
  ///
  /// - Parameters:
  ///   - url: The file. Geodatabases are read through SQLite, since closing another descriptor of one
  ///     would drop the locks that this process holds on it.
  ///   - progress: Called with the number of bytes in each chunk.
  /// - Returns: 32 bytes.
  /// - Throws: ``LibraryError/unreadable(file:reason:)``, ``LibraryError/beingWritten(file:by:)``,
  ///   ``LibraryError/cancelled``.
  static func digest(
    of url: URL, _ progress: (Int) -> Void
  ) throws(LibraryError) -> Data {
    do {
      var digest = try SHA256()
      try forEachChunk(of: url) { chunk in
        try Task.checkCancellation()
        try unsafe digest.update(chunk.span.bytes)
        progress(chunk.count)
      }
      return try digest.finalize()
    } catch let error as LibraryError {
      throw error
    } catch is CancellationError {
      throw .cancelled
    } catch let error as DatabaseError {
      throw LibraryError(reading: error, of: url)
    } catch {
      throw .unreadable(file: url.path(percentEncoded: false), reason: error.plainReason)
    }
  }

  /// Hands on the bytes of a file, a chunk at a time.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - check: Called before the first one; no transaction on a database reaches its file from then on,
  ///     but those that are in its log already.
  ///   - body: Called with each chunk, in order.
  /// - Throws: What keeps it from being read, and whatever `check` and `body` throw.
  static func forEachChunk(
    of url: URL, after check: () throws -> Void = {}, _ body: (Data) throws -> Void
  ) throws {
    if StoredFile.isEditableDatabase(url.lastPathComponent) {
      do {
        // SQLite would merge a log into something else that has taken the place of its database.
        if try StoredFile.beginsAsDatabase(url) {
          let connection = try Connection(at: url, access: .readOnly)
          return try connection.forEachFileChunk(of: chunkSize, after: check, body)
        }
      } catch let error as DatabaseError
        where [.notADatabase, .corrupt, .sql].contains(error.code)
      {
        // It cannot be open elsewhere: SQLite fails before it locks such a file.
      }
    }
    let file = try RegularFile(at: url)
    try check()
    for start in stride(from: 0, to: file.byteCount, by: chunkSize) {
      try body(try file.read(start..<min(start + chunkSize, file.byteCount)))
    }
  }
}
