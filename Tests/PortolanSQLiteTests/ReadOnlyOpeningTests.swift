import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanSQLite

@Suite(.temporaryDirectory) struct ReadOnlyOpeningTests {
  private var url: URL { temporaryDirectory.appending(path: "file.sqlite") }

  private static let committed = [1, Int64(InterruptedWrite.rowCount)]
  private static let logged = [2, Int64(InterruptedWrite.rowCount)]

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: temporaryDirectory.path)
      .filter { $0.hasPrefix("file.sqlite") }.sorted()
  }

  private func bytes(of url: URL) throws -> [String: Data] {
    var bytes: [String: Data] = [:]
    for name in try names() {
      bytes[name] = try Data(contentsOf: temporaryDirectory.appending(path: name))
    }
    return bytes
  }

  private func setMode(_ mode: Int, of url: URL) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: url.path(percentEncoded: false))
  }

  private func contents() throws -> [Int64] {
    try InterruptedWrite.contents(Connection(at: url, access: .readOnly))
  }

  // MARK: - Where the file may be written

  @Test func `The journal of a writer that died is rolled back where the file may be written`()
    throws
  {
    try InterruptedWrite.hotJournal(at: url, in: temporaryDirectory)
    #expect(try contents() == Self.committed)
    #expect(try names() == ["file.sqlite"])
    #expect(try Connection(at: url, access: .readWrite).integrityCheck() == [])
  }

  @Test func `A log that was left is read, and is part of the file afterwards`() throws {
    try InterruptedWrite.log(at: url, in: temporaryDirectory)
    #expect(try contents() == Self.logged)
    #expect(try names() == ["file.sqlite"])
    #expect(try contents() == Self.logged)
  }

  @Test(arguments: [Database.Access.readOnly, .edit])
  func `A file that was cut to nothing is damaged while its log is there, and the log stays`(
    _ access: Database.Access
  ) throws {
    try InterruptedWrite.log(at: url, in: temporaryDirectory)
    try Data().write(to: url)
    let before = try bytes(of: url)
    #expect(before.keys.sorted() == ["file.sqlite", "file.sqlite-wal"])
    let error = #expect(throws: DatabaseError.self) { _ = try Connection(at: url, access: access) }
    #expect(error?.code == .corrupt)
    #expect(try bytes(of: url) == before)
  }

  @Test func `Reading a file in write-ahead mode leaves nothing beside it`() throws {
    try InterruptedWrite.emptyLog(at: url, leavingFile: false)
    let before = try bytes(of: url)
    #expect(try contents() == Self.committed)
    #expect(try bytes(of: url) == before)
  }

  @Test func `A connection for reading cannot be made to write`() async throws {
    try InterruptedWrite.emptyLog(at: url, leavingFile: false)
    for statement in ["DELETE FROM t", "PRAGMA user_version = 3", "PRAGMA journal_mode = DELETE"] {
      let connection = try Connection(at: url, access: .readOnly)
      #expect(throws: DatabaseError.self) { try connection.execute(statement) }
    }
    let database = try Database(at: url, access: .readOnly)
    await #expect(throws: DatabaseError.self) {
      try await database.write { try $0.execute("DELETE FROM t") }
    }
    #expect(try contents() == Self.committed)
  }

  @Test func `A commit of another connection is seen, whatever the journal mode`() throws {
    for mode in ["DELETE", "WAL"] {
      let url = temporaryDirectory.appending(path: "\(mode).sqlite")
      try InterruptedWrite.emptyLog(at: url, leavingFile: false)
      let writer = try Connection(at: url, access: .readWrite)
      try writer.execute("PRAGMA journal_mode = \(mode)")
      let reader = try Connection(at: url, access: .readOnly)
      #expect(try InterruptedWrite.contents(reader) == Self.committed)
      try writer.execute("UPDATE t SET x = 7")
      #expect(try InterruptedWrite.contents(reader) == [7, 2_000])
    }
  }

  // MARK: - Where it may not

  @Test func `A hot journal of a file that may not be written is rolled back in a copy`() throws {
    try InterruptedWrite.hotJournal(at: url, in: temporaryDirectory)
    try setMode(0o444, of: url)
    let before = try bytes(of: url)
    #expect(try contents() == Self.committed)
    #expect(try bytes(of: url) == before)
  }

  @Test func `A reader of a copy notices that the file itself has changed`() throws {
    try InterruptedWrite.hotJournal(at: url, in: temporaryDirectory)
    try setMode(0o444, of: url)
    let connection = try Connection(at: url, access: .readOnly)
    let before = connection.isCurrent
    try setMode(0o644, of: url)
    #expect(try contents() == Self.committed)
    let after = connection.isCurrent
    #expect(before && !after)
  }

  @Test func `The copy is removed with the last connection to it`() throws {
    try InterruptedWrite.hotJournal(at: url, in: temporaryDirectory)
    try setMode(0o444, of: url)
    var folder = ""
    do {
      let connection = try Connection(at: url, access: .readOnly)
      #expect(connection.handle.file == url.path(percentEncoded: false))
      let file = try #require(ConnectionHandle.file(of: connection.handle.pointer))
      #expect(file.hasSuffix("/file.sqlite") && file != url.path)
      folder = (file as NSString).deletingLastPathComponent
      #expect(FileManager.default.fileExists(atPath: folder))
    }
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test(arguments: [true, false])
  func `A folder that may not be written gets no files of a log`(leavingLog: Bool) throws {
    try InterruptedWrite.emptyLog(at: url, leavingFile: leavingLog)
    let before = try bytes(of: url)
    try setMode(0o555, of: temporaryDirectory)
    // The folder is removed after the test, whatever its mode.
    defer { try? setMode(0o755, of: temporaryDirectory) }
    #expect(try contents() == Self.committed)
    #expect(try bytes(of: url) == before)
  }

  @Test func `A file of mode 0444 that others can write to is read with locks`() throws {
    try InterruptedWrite.emptyLog(at: url, leavingFile: false)
    let writer = try Connection(at: url, access: .readWrite)
    try writer.execute("PRAGMA journal_mode = DELETE")
    try setMode(0o444, of: url)
    let reader = try Connection(at: url, access: .readOnly)
    try reader.execute("BEGIN")
    #expect(try InterruptedWrite.contents(reader) == Self.committed)
    writer.handle.patience = .milliseconds(20)
    let error = #expect(throws: DatabaseError.self) { try writer.execute("UPDATE t SET x = 5") }
    #expect(error?.code == .busy)
    try reader.execute("COMMIT")
    try writer.execute("UPDATE t SET x = 5")
    #expect(try InterruptedWrite.contents(reader) == [5, 2_000])
  }

  @Test(.timeLimit(.minutes(5)))
  func `A file that changes while it is copied is copied once more`() async throws {
    try InterruptedWrite.log(at: url, in: temporaryDirectory)
    try setMode(0o555, of: temporaryDirectory)
    // The folder is removed after the test, whatever its mode.
    defer { try? setMode(0o755, of: temporaryDirectory) }
    let lease = try FileLease(InterruptedWrite.beside(url, "-wal"))
    async let contents = onOwnThread { [url] in
      try InterruptedWrite.contents(Connection(at: url, access: .readOnly))
    }
    // The log is opened once the file is copied, and before it is looked at again.
    try await onOwnThread { [url] in
      #expect(lease.isAskedFor())
      #expect(utimensat(AT_FDCWD, url.path(percentEncoded: false), nil, 0) == 0)
      lease.end()
    }
    #expect(try await contents == Self.logged)
  }

  // MARK: - Media that cannot be written

  @Test(.needsMounting) func `On a read-only medium an empty log is no hindrance`() throws {
    let medium = try ReadOnlyMedium(at: temporaryDirectory.appending(path: "medium")) { folder in
      for isLeft in [true, false] {
        try InterruptedWrite.emptyLog(
          at: folder.appending(path: "\(isLeft).sqlite"), leavingFile: isLeft)
      }
    }
    for name in ["true", "false"] {
      let url = medium.url.appending(path: "\(name).sqlite")
      let connection = try Connection(at: url, access: .readOnly)
      #expect(try InterruptedWrite.contents(connection) == Self.committed)
      // Read in place: a copy of a large file takes long.
      #expect(connection.handle.originalFile == nil)
    }
  }

  @Test(.needsMounting) func `On a read-only medium a log and a hot journal are seen`() throws {
    let scratch = temporaryDirectory
    let medium = try ReadOnlyMedium(at: scratch.appending(path: "medium")) { folder in
      try InterruptedWrite.log(at: folder.appending(path: "log.sqlite"), in: scratch)
      try InterruptedWrite.hotJournal(at: folder.appending(path: "journal.sqlite"), in: scratch)
    }
    let log = try Connection(at: medium.url.appending(path: "log.sqlite"), access: .readOnly)
    #expect(try InterruptedWrite.contents(log) == Self.logged)
    let journal = try Connection(
      at: medium.url.appending(path: "journal.sqlite"), access: .readOnly)
    #expect(try InterruptedWrite.contents(journal) == Self.committed)
  }

  @Test(.needsMounting)
  func `With no byte free for a copy a file in write-ahead mode is read all the same`() async throws
  {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 1)
    try InterruptedWrite.emptyLog(at: url, leavingFile: false)
    let folder = temporaryDirectory.path(percentEncoded: false)
    try setMode(0o555, of: temporaryDirectory)
    // The folder is removed after the test, whatever its mode.
    defer { try? setMode(0o755, of: temporaryDirectory) }
    await #expect(processExitsWith: .success) {
      [folder = folder as String, disk = disk.url.path(percentEncoded: false) as String] in
      setenv("TMPDIR", disk, 1)
      let descriptor = open(disk + "/filling", O_WRONLY | O_CREAT, 0o600)
      let bytes = [UInt8](repeating: 7, count: 4_096)
      while write(descriptor, bytes, bytes.count) > 0 {}
      close(descriptor)
      let connection = try Connection(
        at: URL(filePath: folder).appending(path: "file.sqlite"), access: .readOnly)
      #expect(try InterruptedWrite.contents(connection) == [1, 2_000])
    }
  }

  // MARK: - What is no file

  @Test(.timeLimit(.minutes(5)), arguments: [Database.Access.readOnly, .readWrite, .create])
  func `A pipe is refused at once`(_ access: Database.Access) throws {
    #expect(mkfifo(url.path(percentEncoded: false), 0o600) == 0)
    let error = #expect(throws: DatabaseError.self) { _ = try Connection(at: url, access: access) }
    #expect(error?.code == .cannotOpen)
    #expect(error?.message == "it is no regular file")
  }
}

/// A file that nobody else can open until that is allowed.
private final class FileLease: Sendable {
  private let descriptor: Int32

  // The calls of `fcntl` that Linux has for it.
  private static let (setSignal, set, get) = (Int32(10), Int32(1_024), Int32(1_025))

  init(_ url: URL) throws {
    descriptor = open(url.path(percentEncoded: false), O_RDWR)
    // A signal that nobody minds.
    _ = fcntl(descriptor, Self.setSignal, SIGURG)
    try #require(fcntl(descriptor, Self.set, Int32(F_WRLCK)) == 0, "no lease is given")
  }

  /// Waits until somebody wants to open the file; `false` if nobody does.
  func isAskedFor() -> Bool {
    let start = ContinuousClock.now
    while fcntl(descriptor, Self.get) == F_WRLCK {
      guard .now - start < .seconds(60) else { return false }
      sched_yield()
    }
    return true
  }

  /// Lets others open the file.
  func end() { _ = fcntl(descriptor, Self.set, Int32(F_UNLCK)) }

  deinit { close(descriptor) }
}
