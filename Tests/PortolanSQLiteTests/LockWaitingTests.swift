import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanSQLite

/// The behaviour where somebody else holds the lock.
@Suite(.temporaryDirectory, .needsTool("python3")) struct LockWaitingTests {
  private func database(_ name: String = "file.sqlite") throws -> URL {
    let url = temporaryDirectory.appending(path: name)
    try Connection(at: url, access: .create).execute("CREATE TABLE t (x)")
    return url
  }

  @Test func `A file that is busy names the process that holds it`() throws {
    let url = try database()
    let other = try LockingProcess(url)
    let error = #expect(throws: DatabaseError.self) {
      try other.whileLocked {
        let connection = try Connection(at: url, access: .readOnly, patience: .milliseconds(30))
        try connection.execute("SELECT * FROM t")
      }
    }
    #expect(error?.code == .busy)
    #expect(error?.holder?.processID == other.processID)
    #expect(error?.holder?.program?.hasPrefix("python3") == true)
    #expect(
      error?.errorDescription?.contains("is in use by process \(other.processID) (python3") == true)
  }

  @Test func `A lock that is given back in time is waited for`() throws {
    let url = try database()
    let other = try LockingProcess(url)
    other.unlock()
    let connection = try Connection(at: url, access: .readOnly, patience: .seconds(60))
    try connection.execute("SELECT * FROM t")
  }

  @Test func `Waiting for a lock ends when the task is cancelled`() async throws {
    let url = try database()
    let database = try Database(at: url, access: .readWrite)
    let other = try LockingProcess(url)
    let task = Task {
      try await database.read { connection in
        connection.handle.patience = .seconds(600)
        withUnsafeCurrentTask { $0?.cancel() }
        try connection.execute("SELECT * FROM t")
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    other.unlock()
    try await database.read { try $0.execute("SELECT * FROM t") }
  }

  @Test func `Each wait for a lock has the whole patience`() {
    let waiting = LockWaiting(Interruption(), limit: .milliseconds(100))
    for _ in 1...2 {
      #expect(waiting.waits(again: 0))
      var count = 1
      while waiting.waits(again: count) { count += 1 }
    }
  }

  @Test func `A shorter wait for one statement does not change the next`() throws {
    let connection = try Connection(at: database(), access: .readWrite, patience: .seconds(7))
    try connection.waiting(atMost: .zero) { connection throws(DatabaseError) in
      try connection.execute("INSERT INTO t VALUES (1)")
    }
    #expect(connection.handle.patience == .seconds(7))
  }

  @Test func `A commit that a reader holds up has failed, and leaves nothing`() throws {
    let url = try database()
    let reader = try Connection(at: url, access: .readOnly)
    try reader.execute("BEGIN")
    try reader.execute("SELECT * FROM t")
    let writer = try Connection(at: url, access: .readWrite, patience: .milliseconds(30))
    let error = #expect(throws: DatabaseError.self) {
      try writer.transaction { try $0.execute("INSERT INTO t VALUES (1)") }
    }
    #expect(error?.code == .busy)
    try reader.execute("COMMIT")
    let query = try writer.query("SELECT count(*) FROM t")
    #expect(try query.step() && query.integer(at: 0) == 0)
  }

  @Test func `A cancellation that comes late does not hit the next operation`() {
    let interruption = Interruption()
    let first = interruption.begin()
    let second = interruption.begin()
    interruption.request(first)
    #expect(!interruption.isRequested)
    interruption.request(second)
    interruption.request(first)
    #expect(interruption.isRequested)
  }

  @Test func `Looking at the bytes of a database keeps the locks on it`() throws {
    let url = try database()
    let reader = try Connection(at: url, access: .readOnly)
    try reader.execute("BEGIN")
    try reader.execute("SELECT * FROM t")
    #expect(try LockedFileBytes.bytes(of: url, in: 0..<15) == Data("SQLite format 3".utf8))
    let program = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('VACUUM')"
    let result = try Tool.run("python3", "-c", program, url.path(percentEncoded: false))
    #expect(result.errors.contains("database is locked"))
  }

  @Test func `No transaction reaches a file whose bytes are being read`() throws {
    let url = try database()
    let reader = try Connection(at: url, access: .readOnly)
    let writer = try Connection(at: url, access: .readWrite, patience: .zero)
    var errors: [DatabaseError] = []
    try reader.forEachFileChunk { _ in
      do throws(DatabaseError) { try writer.execute("INSERT INTO t VALUES (1)") } catch {
        errors.append(error)
      }
    }
    #expect(errors.map(\.code) == [.busy])
    try writer.execute("INSERT INTO t VALUES (1)")
  }

  @Test func `Bytes past the end of a file are none`() throws {
    let url = temporaryDirectory.appending(path: "short")
    try Data("abc".utf8).write(to: url)
    #expect(try LockedFileBytes.bytes(of: url, in: 1..<100) == Data("bc".utf8))
    #expect(try LockedFileBytes.bytes(of: url, in: 7..<100).isEmpty)
    #expect(throws: DatabaseError.self) {
      _ = try LockedFileBytes.bytes(of: url.appending(path: "absent"), in: 0..<1)
    }
    #expect(throws: DatabaseError.self) {
      _ = try LockedFileBytes.bytes(of: temporaryDirectory, in: 0..<1)
    }
  }

  @Test func `The bytes of a file that a link leads to are read`() throws {
    let link = temporaryDirectory.appending(path: "link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: try database())
    #expect(try LockedFileBytes.bytes(of: link, in: 0..<15) == Data("SQLite format 3".utf8))
  }

  @Test func `A reader of this program is named as such`() throws {
    let url = try database()
    let reader = try Connection(at: url, access: .readOnly)
    try reader.execute("BEGIN")
    try reader.execute("SELECT * FROM t")
    let writer = try Connection(at: url, access: .readWrite, patience: .milliseconds(30))
    let error = #expect(throws: DatabaseError.self) {
      try writer.execute("INSERT INTO t VALUES (1)")
    }
    #expect(error?.holder?.description == "this program")
  }
}

/// Another process that holds a database locked for itself until it is told to unlock it.
final class LockingProcess {
  private let process = Process()
  private let input = Pipe()

  var processID: Int32 { process.processIdentifier }

  /// Returns when the database is locked.
  init(_ url: URL) throws {
    process.executableURL = URL(filePath: Tool.path(of: "python3") ?? "python3")
    process.arguments = [
      "-c",
      """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1], isolation_level=None)
      c.execute('BEGIN EXCLUSIVE')
      print('locked', flush=True)
      sys.stdin.readline()
      c.execute('COMMIT')
      """, url.path(percentEncoded: false),
    ]
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    _ = output.fileHandleForReading.availableData
  }

  func whileLocked(_ body: () throws -> Void) rethrows {
    defer { unlock() }
    try body()
  }

  func unlock() {
    // A process that has ended reads nothing.
    try? input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
    try? input.fileHandleForWriting.close()
  }

  deinit {
    unlock()
    process.waitUntilExit()
  }
}
