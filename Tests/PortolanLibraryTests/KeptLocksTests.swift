import Foundation
import PortolanFiles
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// Databases that this program has open while it does something else with their files: a descriptor that is opened
/// beside them and closed would drop the locks on them, and other programs could write meanwhile.
@Suite(.temporaryDirectory) struct KeptLocksTests {
  /// Whether another program is kept from writing to a database.
  private func isLocked(_ database: URL) throws -> Bool {
    let program =
      "import sqlite3, sys; "
      + "sqlite3.connect(sys.argv[1], timeout=0).execute('CREATE TABLE other (a)')"
    let result = try Tool.run("python3", "-c", program, database.path(percentEncoded: false))
    return result.errors.contains("database is locked")
  }

  /// Reads a database, or, with a write-ahead log, is in the middle of an edit of it.
  private func using(_ database: URL, withLog hasLog: Bool) throws -> Connection {
    let connection = try Connection(at: database, access: .readWrite)
    if hasLog {
      try connection.execute("PRAGMA journal_mode = WAL")
      try connection.execute("BEGIN IMMEDIATE")
      try connection.execute("INSERT INTO edit VALUES ('mine')")
    } else {
      try connection.execute("BEGIN")
      try connection.execute("SELECT * FROM edit")
    }
    return connection
  }

  @Test func `An audit, and what looks for damage, keep the locks on a database`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let database = bed.geodatabase(of: map)
    let connection = try using(database, withLog: true)
    #expect(try isLocked(database))
    _ = try await bed.library().damage(of: map)
    _ = try await bed.audit(bed.library()).findings(.deep)
    #expect(try isLocked(database))
    try connection.execute("ROLLBACK")
    #expect(try !isLocked(database))
  }

  /// Whether another program is kept from replacing all of a database while it is read.
  private func isRead(_ database: URL) throws -> Bool {
    let program = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('VACUUM')"
    let result = try Tool.run("python3", "-c", program, database.path(percentEncoded: false))
    return result.errors.contains("database is locked")
  }

  @Test func `A folder that is imported keeps the locks on a database in it`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let folder = temporaryDirectory.appending(path: "package", directoryHint: .isDirectory)
    try LibraryBed.write(folder)
    let database = folder.appending(path: LibraryBed.path)
    let connection = try using(database, withLog: false)
    #expect(try isRead(database))
    let copy = try await bed.library().stageCopy(of: folder, for: "import-1")
    #expect(try isRead(database))
    let copied = copy.url.appending(path: LibraryBed.path)
    #expect(try Data(contentsOf: copied) == Data(contentsOf: folder.appending(path: bed.path)))
    try connection.execute("ROLLBACK")
  }

  @Test func `A job that compares what it has with the map keeps the locks on a database`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let map = try await bed.install(in: library)
    let database = bed.geodatabase(of: map)
    let staged = try bed.staged("next")
    let connection = try using(database, withLog: false)
    let changed = try await library.paths(changedBy: "next", in: map.id)
    #expect(changed == [])
    #expect(try isRead(database))
    try connection.execute("ROLLBACK")
    let other = staged.appending(path: "p13/tiles.tpkx")
    try Data(repeating: 8, count: 5_000).write(to: other)
    #expect(try await library.paths(changedBy: "next", in: map.id) == ["p13/tiles.tpkx"])
  }
}
