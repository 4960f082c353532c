internal import Foundation
internal import PortolanSQLite

/// A geodatabase with a table more, which says its version and makes it large.
struct PaddedGeodatabase {
  private static let rowSize = 1 << 20

  let version: Int
  let padding: Int

  /// Copies a geodatabase and adds the table.
  func write(_ original: URL, to file: URL) throws {
    if FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) {
      try FileManager.default.removeItem(at: file)
    }
    try FileManager.default.copyItem(at: original, to: file)
    let connection = try Connection(at: file, access: .readWrite)
    try connection.transaction { connection in
      try connection.execute("CREATE TABLE crash_version (version INTEGER, data BLOB)")
      for start in stride(from: 0, through: padding, by: Self.rowSize) {
        try connection.execute(
          "INSERT INTO crash_version VALUES (?1, randomblob(?2))", .integer(Int64(version)),
          .integer(Int64(max(min(Self.rowSize, padding - start), 1))))
      }
    }
  }
}
