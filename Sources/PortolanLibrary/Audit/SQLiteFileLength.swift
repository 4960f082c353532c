internal import Foundation

/// Whether a SQLite file has as many bytes as it says, which SQLite asks only where it reads.
///
/// - SeeAlso: [Database file format, 1.3](https://www.sqlite.org/fileformat.html)
enum SQLiteFileLength {
  /// Throws if the file is a database that was cut; other files pass.
  static func check(_ url: URL) throws {
    let handle = try FileHandle(forReadingFrom: url)
    // Nothing was written, so that closing cannot lose anything.
    defer { try? handle.close() }
    guard let header = try handle.read(upToCount: 100), header.count == 100,
      header.starts(with: Data("SQLite format 3\0".utf8)),
      // Older versions leave the count alone, and then these two numbers differ.
      number(header, at: 24, bytes: 4) == number(header, at: 92, bytes: 4)
    else { return }
    let size = number(header, at: 16, bytes: 2)
    let expected = number(header, at: 28, bytes: 4) * (size == 1 ? 65_536 : size)
    let found = FileStatus(url)?.byteCount ?? 0
    guard found >= expected else {
      throw LibraryError.damaged(
        file: url.lastPathComponent, reason: "it has \(found) of \(expected) bytes")
    }
  }

  private static func number(_ data: Data, at offset: Int, bytes: Int) -> Int {
    data.dropFirst(offset).prefix(bytes).reduce(0) { $0 << 8 | Int($1) }
  }
}
