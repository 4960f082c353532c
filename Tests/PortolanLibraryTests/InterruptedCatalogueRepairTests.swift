import Foundation
import PortolanFiles
import PortolanJobs
import PortolanLocks
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// A repair of the catalogue is one step: whoever dies in it leaves the damage to be seen, and all that can be saved.
@Suite(.temporaryDirectory) struct InterruptedCatalogueRepairTests {
  private static let kept = [
    "stored_map", "job", "job_message", "job_request", "map_version", "home_use", "outbox",
    "package_date", "lost_options", "thumbnail", "installation", "known_map",
  ]

  private var layout: HomeLayout { HomeLayout(home: temporaryDirectory.appending(path: "home")) }

  /// A home whose catalogue has a row in each table, and lacks one, all of it in a journal that only this
  /// connection keeps.
  private func makeDamagedHome() async throws -> Connection {
    try layout.prepare()
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let writer = try Connection(at: layout.catalogue, access: .readWrite)
    // Without the journal the file is whole, and knows nothing of what comes now.
    try writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for table in Self.kept where table != "stored_map" && table != "home_use" {
      let columns = try Self.columns(of: table, in: writer)
      let values = columns.map { $0 == "number" || $0 == "position" ? "7" : "'\(table) \($0)'" }
        .joined(separator: ", ")
      try writer.execute("INSERT INTO \(table) VALUES (\(values))")
    }
    try writer.execute("INSERT INTO home_use VALUES (41, 20000)")
    try writer.execute("DROP TABLE known_area")
    #expect(map.title == "Map a")
    return writer
  }

  private static func columns(
    of table: String, in connection: borrowing Connection
  ) throws -> [String] {
    let query = try connection.query("SELECT name FROM pragma_table_info(?1)", .text(table))
    var names: [String] = []
    while try query.step() { names.append(query.text(at: 0)) }
    return names
  }

  /// All rows of the tables that are to be kept.
  private static func rows(in connection: borrowing Connection) throws -> [String: [[SQLValue]]] {
    var all: [String: [[SQLValue]]] = [:]
    for table in kept {
      let query = try connection.query("SELECT * FROM \(table)")
      while try query.step() {
        all[table, default: []].append((0..<query.columnCount).map { query[$0] })
      }
    }
    return all
  }

  /// Copies a home as a kill would leave it, journals included.
  private func copy(_ name: String) throws -> HomeLayout {
    let copy = HomeLayout(home: temporaryDirectory.appending(path: name))
    try FileManager.default.copyItem(at: layout.home, to: copy.home)
    return copy
  }

  @Test func `All content of a damaged catalogue is recovered, understood or not`()
    async throws
  {
    let writer = try await makeDamagedHome()
    let expected = try Self.rows(in: writer)
    #expect(expected.count == Self.kept.count)
    let home = try copy("copy")
    let aside = try #require(try await CatalogueRepair(home).rebuild())
    let connection = try Connection(at: home.catalogue, access: .readOnly)
    #expect(try Self.rows(in: connection) == expected)
    #expect(FileSystem.live.exists(aside))
    #expect(writer.changeCount >= 0, "its journal was there all the time")
  }

  @Test func `A repair that dies at any step leaves the damage to be seen, and the next ends it`()
    async throws
  {
    let writer = try await makeDamagedHome()
    let expected = try Self.rows(in: writer)
    var step = 0
    var endings: Set<String> = []
    while true {
      let home = try copy("copy-\(step)")
      // Somebody else has it open, or SQLite would merge the journal into the file.
      let reader = try Connection(at: home.catalogue, access: .readOnly)
      #expect(try reader.query("SELECT count(*) FROM job").step())
      let calls = Locked(0)
      let dying = FileSystem { [step] _ in
        calls.withLock { calls in
          defer { calls += 1 }
          return calls >= step ? EIO : nil
        }
      }
      do { _ = try await CatalogueRepair(home, files: dying).rebuild() } catch {
        endings.insert("died")
      }
      let survived = calls.withLock { $0 } <= step
      let damage = await CatalogueRepair(home).damage()
      if damage != nil {
        // Nobody takes what is half there for the catalogue.
        await #expect(throws: LibraryError.self) {
          _ = try await SQLiteMapStorage.open(at: home.catalogue)
        }
        #expect(home.hasCatalogue)
        if damage?.reason == CatalogueDamage.interruptedRepair { endings.insert("interrupted") }
        #expect(try await CatalogueRepair(home).rebuild() != nil)
      }
      #expect(await CatalogueRepair(home).damage() == nil)
      #expect(try await SQLiteMapStorage.open(at: home.catalogue).mayLackMaps(), "step \(step)")
      let connection = try Connection(at: home.catalogue, access: .readOnly)
      #expect(try Self.rows(in: connection) == expected, "step \(step)")
      // The old one is whole beside it, with its journal, under one name.
      let names = try FileSystem.live.names(in: home.home).filter { $0.hasPrefix("library-") }
      #expect(
        names.filter { !$0.hasSuffix("-shm") }
          == ["library-damaged-1.sqlite", "library-damaged-1.sqlite-wal"], "step \(step)")
      #expect(reader.changeCount >= 0)
      guard !survived else { break }
      step += 1
    }
    #expect(step > 6, "each move and each sync was tried")
    #expect(endings == ["died", "interrupted"])
    #expect(writer.changeCount >= 0, "its journal was there all the time")
  }

  @Test func `What a repair left that died at its beginning does not get into the next one`()
    async throws
  {
    let writer = try await makeDamagedHome()
    let expected = try Self.rows(in: writer)
    let home = try copy("copy")
    for suffix in ["", "-journal", "-wal", "-shm"] {
      try Data("half written".utf8).write(
        to: URL(filePath: home.catalogueDraft.plainPath + suffix))
    }
    #expect(try await CatalogueRepair(home).rebuild() != nil)
    #expect(try Self.rows(in: Connection(at: home.catalogue, access: .readOnly)) == expected)
    let names = try FileSystem.live.names(in: home.home)
    #expect(!names.contains { $0.hasPrefix("library-re") })
    #expect(writer.changeCount >= 0, "its journal was there all the time")
  }

  @Test func `Maps that a new catalogue does not know are looked for until that was done`()
    async throws
  {
    try layout.prepare()
    try LibraryBed.write(layout.folder(.maps).appending(path: "a"), database: nil)
    for _ in 1...2 {
      // Whoever dies before it has looked leaves it to the next.
      #expect(try await SQLiteMapStorage.open(at: layout.catalogue).mayLackMaps())
    }
    try await SQLiteMapStorage.open(at: layout.catalogue).mapsWereLookedFor()
    #expect(try await !SQLiteMapStorage.open(at: layout.catalogue).mayLackMaps())
  }

  @Test func `An empty home lacks no maps`() async throws {
    try layout.prepare()
    #expect(try await !SQLiteMapStorage.open(at: layout.catalogue).mayLackMaps())
  }
}
