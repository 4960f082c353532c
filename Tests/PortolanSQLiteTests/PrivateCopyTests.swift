import Foundation
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

  @Test func `A copy of a file to whose log somebody writes meanwhile is not used`() throws {
    let writer = try makeFile()
    try writer.execute("PRAGMA journal_mode = WAL")
    try writer.execute("INSERT INTO t VALUES (1)")
    #expect(try copy { try writer.execute("INSERT INTO t VALUES (2)") } == nil)
    #expect(try copy {} != nil)
  }
}
