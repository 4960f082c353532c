import Foundation
import PortolanSQLite
import PortolanTestSupport
import Testing

/// The content of a file whose writer was killed in the middle of a transaction.
@Suite(.temporaryDirectory) struct JournalRecoveryTests {
  /// The journal mode of the killed writer.
  enum Mode: String, CaseIterable {
    case rollback = "DELETE"
    case writeAhead = "WAL"
  }

  /// A file as a killed writer leaves it: 400 committed rows of 1, and 400 of 2 that are half
  /// written; in write-ahead mode, 100 committed rows of 3 stand in the journal only.
  private func abandonedFile(_ mode: Mode, in folder: String = "left") throws -> URL {
    let source = temporaryDirectory.appending(path: "source.sqlite")
    let writer = try Connection(at: source, access: .create)
    try writer.execute("PRAGMA journal_mode = \(mode.rawValue)")
    try writer.execute("CREATE TABLE t (x, filling)")
    try insert(400, of: 1, into: writer)
    try writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    if mode == .writeAhead { try insert(100, of: 3, into: writer) }
    // A cache of one page makes the transaction reach the file before it is committed.
    try writer.execute("PRAGMA cache_size = 1")
    try writer.execute("BEGIN IMMEDIATE")
    try writer.execute("UPDATE t SET x = 2, filling = zeroblob(1000)")
    return try Self.copy(source, to: temporaryDirectory.appending(path: folder))
  }

  private func insert(
    _ count: Int, of value: Int64, into connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO t SELECT \(value), randomblob(1000) FROM n
      """)
  }

  private static func copy(_ source: URL, to folder: URL) throws -> URL {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for suffix in ["", "-journal", "-wal"] {
      let file = URL(filePath: source.path(percentEncoded: false) + suffix)
      guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else {
        continue
      }
      try FileManager.default.copyItem(
        at: file, to: folder.appending(path: file.lastPathComponent))
    }
    return folder.appending(path: source.lastPathComponent)
  }

  private func counts(_ connection: borrowing Connection) throws -> [Int64: Int64] {
    let query = try connection.query("SELECT x, count(*) FROM t GROUP BY x")
    var counts: [Int64: Int64] = [:]
    while try query.step() { counts[query.integer(at: 0)] = query.integer(at: 1) }
    return counts
  }

  private func expected(_ mode: Mode) -> [Int64: Int64] {
    mode == .rollback ? [1: 400] : [1: 400, 3: 100]
  }

  private func setMode(_ mode: Int, of url: URL) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: url.path(percentEncoded: false))
  }

  @Test(arguments: Mode.allCases)
  func `A file is read as it was committed, though its writer was killed`(mode: Mode) throws {
    let url = try abandonedFile(mode)
    let connection = try Connection(at: url, access: .readOnly)
    #expect(try counts(connection) == expected(mode))
    #expect(try connection.integrityCheck() == [])
  }

  @Test(arguments: Mode.allCases)
  func `A file that is opened for editing loses nothing that was committed`(mode: Mode) throws {
    let url = try abandonedFile(mode)
    #expect(try counts(Connection(at: url, access: .edit)) == expected(mode))
  }

  @Test(arguments: Mode.allCases)
  func `A file that may not be written is read from a private copy, and stays as it is`(
    mode: Mode
  ) throws {
    let url = try abandonedFile(mode)
    let folder = url.deletingLastPathComponent()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let before = try names.map { try Data(contentsOf: folder.appending(path: $0)) }
    for name in names { try setMode(0o444, of: folder.appending(path: name)) }
    try setMode(0o555, of: folder)
    defer { try? setMode(0o755, of: folder) }
    do {
      let connection = try Connection(at: url, access: .readOnly)
      #expect(try counts(connection) == expected(mode))
      let error = #expect(throws: DatabaseError.self) { try connection.execute("SELECT y FROM t") }
      #expect(error?.file == url.path(percentEncoded: false))
    }
    // For the system's administrator, whom modes do not stop, SQLite may leave an index of the log.
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(left.filter { !$0.hasSuffix("-shm") } == names)
    #expect(try names.map { try Data(contentsOf: folder.appending(path: $0)) } == before)
  }

  @Test func `A link leads to the journal of the file itself`() throws {
    let url = try abandonedFile(.rollback)
    let link = temporaryDirectory.appending(path: "link.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    #expect(try counts(Connection(at: link, access: .readOnly)) == [1: 400])
  }

  /// Has the journal of a file name another file, which it would take along.
  private func nameVictim(inJournalOf url: URL) throws -> (victim: URL, journal: URL) {
    let victim = temporaryDirectory.appending(path: "victim")
    try Data("/no/such/journal\0".utf8).write(to: victim)
    let journal = URL(filePath: url.path(percentEncoded: false) + "-journal")
    var bytes = try Data(contentsOf: journal)
    let name = Array(victim.path(percentEncoded: false).utf8)
    let sum = name.reduce(UInt32(0)) { $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1))) }
    bytes += [0, 0, 0, 0] + name
    for number in [UInt32(name.count), sum] {
      bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
    bytes += [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    try bytes.write(to: journal)
    return (victim, journal)
  }

  @Test(arguments: [Database.Access.readOnly, .readWrite, .edit])
  func `A journal that names another file is refused, and that file is kept`(
    access: Database.Access
  ) throws {
    let url = try abandonedFile(.rollback)
    let (victim, journal) = try nameVictim(inJournalOf: url)
    let error = #expect(throws: DatabaseError.self) { _ = try Connection(at: url, access: access) }
    #expect(error?.code == .corrupt)
    #expect(FileManager.default.fileExists(atPath: victim.path))
    #expect(FileManager.default.fileExists(atPath: journal.path))
  }

  @Test(arguments: [Database.Access.readOnly, .readWrite, .edit])
  func `A link to a file whose journal names another file is refused as well`(
    access: Database.Access
  ) throws {
    let url = try abandonedFile(.rollback)
    let (victim, journal) = try nameVictim(inJournalOf: url)
    let link = temporaryDirectory.appending(path: "link.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    let error = #expect(throws: DatabaseError.self) { _ = try Connection(at: link, access: access) }
    #expect(error?.code == .corrupt)
    #expect(FileManager.default.fileExists(atPath: victim.path))
    #expect(FileManager.default.fileExists(atPath: journal.path))
  }

  @Test(arguments: [Database.Access.readOnly, .readWrite, .edit])
  func `A journal that names no file is no hindrance, however it ends`(
    access: Database.Access
  ) throws {
    let url = temporaryDirectory.appending(path: "file.sqlite")
    try Connection(at: url, access: .create).execute("CREATE TABLE t (x)")
    // A journal whose first byte is zero is not to be rolled back.
    let end = Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
    let journals: [Data] = [Data(count: 520) + end, Data(count: 8) + end, Data(count: 3)]
    for bytes in journals {
      try bytes.write(to: URL(filePath: url.path(percentEncoded: false) + "-journal"))
      try Connection(at: url, access: access).execute("SELECT * FROM t")
    }
  }
}
