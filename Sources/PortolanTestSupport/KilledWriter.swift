public import Foundation
internal import PortolanSQLite

/// A writer that is killed in the middle of a transaction.
public enum KilledWriter {
  /// Leaves a database as such a writer does: half written, with a hot journal beside it.
  ///
  /// What is on the disk at that moment is copied, so that no process has to die; SQLite cannot
  /// tell the difference.
  ///
  /// - Parameters:
  ///   - url: The database, which is replaced.
  ///   - statements: What the writer did in the transaction that it did not finish.
  /// - Throws: Whatever copying or writing fails with.
  public static func abandon(_ url: URL, after statements: [String] = []) throws {
    let files = FileManager.default
    let folder = url.deletingLastPathComponent()
      .appending(path: ".\(UUID().uuidString)", directoryHint: .isDirectory)
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? files.removeItem(at: folder) }  // It is in the test's temporary folder.
    let work = folder.appending(path: url.lastPathComponent)
    try files.copyItem(at: url, to: work)
    let writer = try Connection(at: work, access: .edit)
    // More than the cache holds makes the transaction reach the file before it is committed.
    try writer.execute("PRAGMA cache_size = 1")
    try writer.execute("BEGIN IMMEDIATE")
    for statement in statements { try writer.execute(statement) }
    try writer.execute("CREATE TABLE portolan_test_spill (x)")
    try writer.execute(
      """
      WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 400)
      INSERT INTO portolan_test_spill SELECT randomblob(4000) FROM n
      """)
    for suffix in ["", "-journal", "-wal"] {
      let path = work.path(percentEncoded: false) + suffix
      let target = url.path(percentEncoded: false) + suffix
      if files.fileExists(atPath: target) { try files.removeItem(atPath: target) }
      if files.fileExists(atPath: path) { try files.copyItem(atPath: path, toPath: target) }
    }
  }
}
