import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanSQLite

@Suite(.temporaryDirectory) struct PrivateCopyTests {
  private var url: URL { temporaryDirectory.appending(path: "data.sqlite") }

  /// A copy of a file to which somebody writes meanwhile.
  private func copy(while write: () throws -> Void) throws -> PrivateCopy? {
    let path = url.path(percentEncoded: false)
    let handle = try ConnectionHandle(
      opening: DatabaseLocation(path: path, access: .readOnly, .reading))
    var failure: (any Error)?
    let copy = try PrivateCopy(of: FileSurroundings(path), through: handle) {
      do { try write() } catch { failure = error }
    }
    if let failure { throw failure }
    return copy
  }

  private func makeFile() throws -> Connection {
    let connection = try Connection(at: url, access: .create)
    try connection.execute("CREATE TABLE t (x)")
    return connection
  }

  @Test func `A copy of a file that changes meanwhile is not used`() throws {
    let writer = try makeFile()
    #expect(try copy { try writer.execute("INSERT INTO t VALUES (randomblob(9000))") } == nil)
    let copy = try #require(try copy {})
    #expect(copy.isCurrent)
    try writer.execute("INSERT INTO t VALUES (randomblob(9000))")
    #expect(!copy.isCurrent)
  }

  @Test func `A copy of a file that changes within the same second is not used`() throws {
    _ = try makeFile()
    func date(_ nanoseconds: Int) throws {
      var times = [timespec(tv_sec: 9, tv_nsec: 0), timespec(tv_sec: 9, tv_nsec: nanoseconds)]
      try #require(utimensat(AT_FDCWD, url.path(percentEncoded: false), &times, 0) == 0)
    }
    try date(1_000)
    #expect(try copy { try date(2_000) } == nil)
    #expect(try copy {} != nil)
  }

  @Test func `A copy of a file whose log is written meanwhile is not used`() throws {
    let writer = try makeFile()
    try writer.execute("PRAGMA journal_mode = WAL")
    try writer.execute("INSERT INTO t VALUES (1)")
    #expect(try copy { try writer.execute("INSERT INTO t VALUES (2)") } == nil)
    #expect(try copy {} != nil)
  }

  /// Puts a file of some megabytes at the place, and as much again beside it: what was committed to a
  /// log, or what was there before a transaction that was not.
  private func makeLargeFile(_ suffix: String) throws {
    let source = temporaryDirectory.appending(path: "source.sqlite")
    let writer = try Connection(at: source, access: .create)
    try writer.execute("CREATE TABLE t (x, data)")
    try writer.execute(
      """
      INSERT INTO t WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 700)
      SELECT 1, randomblob(4000) FROM n
      """)
    if suffix == "-wal" {
      try writer.execute("PRAGMA journal_mode = WAL")
      try writer.execute("PRAGMA wal_autocheckpoint = 0")
    } else {
      try writer.execute("PRAGMA cache_size = 5")
      try writer.execute("BEGIN IMMEDIATE")
    }
    try writer.execute("UPDATE t SET x = 2, data = randomblob(4000)")
    for end in ["", suffix] {
      let copy = InterruptedWrite.beside(url, end)
      try FileManager.default.copyItem(at: InterruptedWrite.beside(source, end), to: copy)
      #expect(try Data(contentsOf: copy).count > 2 << 20)
    }
  }

  @Test(arguments: ["-wal", "-journal"])
  func `A copy holds all of a large file, and of what belongs to it`(suffix: String) throws {
    try makeLargeFile(suffix)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o444], ofItemAtPath: url.path(percentEncoded: false))
    let connection = try Connection(at: url, access: .readOnly)
    #expect(connection.handle.originalFile == url.path(percentEncoded: false))
    let query = try connection.query("SELECT x, count(*), sum(length(data)) FROM t GROUP BY x")
    #expect(try query.step())
    #expect(query[0] == (suffix == "-wal" ? 2 : 1) && query[1] == 700 && query[2] == 2_800_000)
    #expect(try !query.step())
    #expect(try connection.integrityCheck() == [])
  }

  @Test func `The folder of a copy is one that is removed when its process has died`() throws {
    _ = try makeFile()
    let copy = try #require(try copy {})
    let folder = URL(filePath: copy.path).deletingLastPathComponent()
    #expect(StagedFile.isTemporary(folder.lastPathComponent))
  }

  @Test func `A copy is readable only by its owner`() throws {
    _ = try makeFile()
    let copy = try #require(try copy {})
    let paths = [copy.path, (copy.path as NSString).deletingLastPathComponent]
    let modes = try paths.map { try FileStatus(at: URL(filePath: $0))?.permissions }
    #expect(modes == [0o600, 0o700])
  }
}
