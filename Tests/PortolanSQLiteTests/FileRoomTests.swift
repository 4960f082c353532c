import Foundation
import PortolanSQLite
import PortolanTestSupport
import Testing

/// Room that a file has on the disk for what is in its log.
@Suite(.temporaryDirectory) struct FileRoomTests {
  private var url: URL { temporaryDirectory.appending(path: "file.sqlite") }

  private func length() throws -> Int {
    try #require(try url.resourceValues(forKeys: [.fileSizeKey]).fileSize)
  }

  private func open(in mode: String) throws -> Connection {
    let connection = try Connection(at: url, access: .create)
    try connection.execute("PRAGMA journal_mode = \(mode)")
    try connection.execute("CREATE TABLE t (x)")
    return connection
  }

  @Test func `The file has room for all pages before a transaction ends, and is cut to them later`()
    throws
  {
    let connection = try open(in: "wal")
    try connection.transaction { connection in
      for _ in 0..<300 { try connection.execute("INSERT INTO t VALUES (randomblob(5000))") }
      #expect(try length() < 100_000)
      #expect(try connection.reserveFile(inStepsOf: 1 << 20))
      #expect(try length() == 2 << 20)
    }
    let other = try Connection(at: url, access: .readWrite)
    let checkpoint = try other.query("PRAGMA wal_checkpoint(TRUNCATE)")
    while try checkpoint.step() {}
    let pages = try other.query("PRAGMA page_count")
    #expect(try pages.step())
    #expect(try length() == Int(pages.integer(at: 0)) * 4_096)
    #expect(try other.integrityCheck() == [])
    let rows = try other.query("SELECT count(*), sum(length(x)) FROM t")
    #expect(try rows.step())
    #expect(rows.integer(at: 0) == 300 && rows.integer(at: 1) == 1_500_000)
  }

  @Test func `A file without such a log stays as it is`() throws {
    let connection = try open(in: "delete")
    let before = try length()
    try connection.transaction { connection in
      try connection.execute("INSERT INTO t VALUES (zeroblob(500000))")
      #expect(try connection.reserveFile())
      #expect(try length() == before)
    }
  }
}
