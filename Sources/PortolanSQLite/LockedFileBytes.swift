internal import CSQLite
public import Foundation

/// Reads bytes of a file that may be a database which this program has open.
///
/// Closing a descriptor of a file drops every lock that the process holds on it, those of other
/// descriptors too (POSIX): a walk would no longer be safe from writers. SQLite's own file system
/// knows its locks, and closes later.
///
/// - SeeAlso: [How To Corrupt An SQLite Database File, 2.2](https://www.sqlite.org/howtocorrupt.html)
public enum LockedFileBytes {
  /// The bytes in a range of a regular file, or of one that a link leads to, as far as it goes.
  ///
  /// - Throws: ``DatabaseError`` if there is no such file, or it cannot be read.
  public static func bytes(of url: URL, in range: Range<Int>) throws(DatabaseError) -> Data {
    let path = url.path(percentEncoded: false)
    try FileSurroundings(path).check()
    // The file system of SQLite opens no link: its other callers have the links resolved before.
    let file = url.resolvingSymlinksInPath().path(percentEncoded: false)
    var data = Data(count: range.count)
    var length: sqlite3_int64 = 0
    let code = unsafe data.withUnsafeMutableBytes { bytes in
      unsafe csqlite_read_file(
        file, bytes.baseAddress, Int32(clamping: range.count), Int64(range.lowerBound), &length)
    }
    guard code == SQLITE_OK else { throw unsafe DatabaseError(code, on: nil, file: path) }
    return data.prefix(max(0, Int(length) - range.lowerBound))
  }
}
