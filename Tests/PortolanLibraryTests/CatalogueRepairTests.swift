import Foundation
import PortolanFiles
import PortolanJobs
import PortolanLocks
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// The outcome of a home whose catalogue is damaged or gone.
@Suite(.temporaryDirectory) struct CatalogueRepairTests {
  private static let day = Date(timeIntervalSince1970: 1_795_000_000)

  private var layout: HomeLayout { HomeLayout(home: temporaryDirectory.appending(path: "home")) }

  private func library() async throws -> MapLibrary {
    try layout.prepare()
    return MapLibrary(
      layout: layout, storage: try await SQLiteMapStorage.open(at: layout.catalogue),
      now: { Self.day }, unsentEdits: { _ in 0 })
  }

  private func audit(_ library: MapLibrary) -> LibraryAudit {
    LibraryAudit(
      library, check: { "Map \(Self.name(of: $0))" }, now: { Self.day },
      makeID: { MapID(UUID()) },
      describe: { url in
        MapDescription(origin: .preplannedArea(webMap: "w", area: Self.name(of: url)))
      })
  }

  /// The name of the map that a version belongs to.
  private static func name(of version: URL) -> String {
    version.deletingLastPathComponent().lastPathComponent
  }

  private func install(_ id: String, in library: MapLibrary) async throws {
    let folder = layout.staging(id)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(id.utf8).write(to: folder.appending(path: "package.info"))
    try await library.install(
      folder,
      as: StoredMap(
        id: try #require(MapID(id)), origin: .preplannedArea(webMap: "w", area: id),
        form: .folder, title: "Map \(id)", installed: Self.day, byteCount: 1))
  }

  /// A home with three maps and a job, closed.
  private func makeHome() async throws {
    let library = try await library()
    for id in ["a", "b", "c"] { try await install(id, in: library) }
    let job = Job(
      id: try #require(JobID("job")), kind: "k", subject: "s", title: "S", parameters: Data(),
      created: Self.day, position: 0)
    try await library.storage.record(job)
  }

  /// Maps as they are after putting on the list what the catalogue no longer knows.
  private func repaired() async throws -> [StoredMap] {
    let library = try await library()
    try await library.recover()
    let audit = audit(library)
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    #expect(try await audit.findings().isEmpty)
    return try await library.maps()
  }

  @Test(arguments: ["text", "empty", "zeros"])
  func `A catalogue that is none any more is put aside, and the maps listed again`(
    _ kind: String
  ) async throws {
    try await makeHome()
    let rubbish =
      switch kind {
      case "text": Data("This is no database, but a text of some length.".utf8)
      case "zeros": Data(count: 8192)
      default: Data()
      }
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(
        atPath: layout.catalogue.path(percentEncoded: false) + suffix)
    }
    try rubbish.write(to: layout.catalogue)
    let repair = CatalogueRepair(layout)
    await #expect(throws: LibraryError.self) { try await library() }
    #expect(await repair.damage() != nil)
    let aside = try #require(try await repair.rebuild())
    #expect(try Data(contentsOf: aside) == rubbish)
    #expect(await repair.damage() == nil)
    #expect(try await repaired().map(\.title) == ["Map a", "Map b", "Map c"])
    #expect(try await repaired().first?.origin == .preplannedArea(webMap: "w", area: "a"))
  }

  @Test func `Pending messages to servers outlast a catalogue that is rebuilt`()
    async throws
  {
    try await makeHome()
    let portal = try #require(URL(string: "https://portal.example"))
    let message = OutboxMessage(
      id: try #require(OutboxMessage.ID("a")), purpose: "Unregister a replica.", portal: portal,
      address: portal, fields: ["replicaID": "1"], created: Self.day)
    do {
      try await library().storage.post(message)
      let connection = try Connection(at: layout.catalogue, access: .readWrite)
      try connection.execute("DROP TABLE job")
    }
    #expect(try await CatalogueRepair(layout).rebuild() != nil)
    #expect(try await library().storage.outgoingMessages() == [message])
  }

  @Test func `Requests have later numbers after a repair than those that were answered before`()
    async throws
  {
    try await makeHome()
    let job = try #require(JobID("job"))
    var last = 0
    do {
      let storage = try await library().storage
      for _ in 1...3 { last = try await storage.post(.pause, to: job).number }
      _ = try await storage.answerRequests(of: job, at: Self.day)
      let connection = try Connection(at: layout.catalogue, access: .readWrite)
      try connection.execute("DROP TABLE map_version")
    }
    #expect(try await CatalogueRepair(layout).rebuild() != nil)
    #expect(try await library().storage.post(.cancel, to: job).number > last)
  }

  @Test(arguments: ["stored_map", "installation", "map_version", "job"])
  func `A catalogue that lacks a table is named, and rebuilt without losing a map`(
    _ table: String
  ) async throws {
    try await makeHome()
    do {
      let connection = try Connection(at: layout.catalogue, access: .readWrite)
      try connection.execute("DROP TABLE \(table)")
    }
    await #expect(
      throws: LibraryError.damagedCatalogue(
        file: layout.catalogue.path(percentEncoded: false),
        reason: "it lacks the table \(table)")
    ) { try await library() }
    #expect(await CatalogueRepair(layout).damage()?.reason == "it lacks the table \(table)")
    #expect(try await CatalogueRepair(layout).rebuild() != nil)
    #expect(try await repaired().map(\.title) == ["Map a", "Map b", "Map c"])
  }

  @Test func `A rebuilt catalogue reports that it may lack maps until all were listed`()
    async throws
  {
    try await makeHome()
    #expect(try await !library().storage.mayLackMaps())
    do {
      let connection = try Connection(at: layout.catalogue, access: .readWrite)
      try connection.execute("DELETE FROM stored_map")
      try connection.execute("DROP TABLE job")
    }
    #expect(try await CatalogueRepair(layout).rebuild() != nil)
    #expect(try await library().storage.mayLackMaps())
  }

  @Test func `The log of a catalogue is put aside before it, so that no other one gets it`()
    async throws
  {
    try await makeHome()
    // Whoever has it open keeps its log.
    let writer = try Connection(at: layout.catalogue, access: .readWrite)
    try writer.execute("DROP TABLE job")
    let moved = Locked<[String]>([])
    let disk = FileSystem { call in
      if case .move(let path, _) = call { moved.withLock { $0.append(path) } }
      return nil
    }
    let aside = try #require(try await CatalogueRepair(layout, files: disk).rebuild())
    let catalogue = layout.catalogue.plainPath
    #expect(
      moved.withLock { $0 }.filter { $0 == catalogue + "-wal" || $0 == catalogue }
        == [catalogue + "-wal", catalogue])
    #expect(FileSystem.live.exists(URL(filePath: aside.plainPath + "-wal")))
    #expect(writer.changeCount >= 0, "the log was there all the time")
  }

  @Test func `A rebuilt catalogue is on the disk before it takes its place`()
    async throws
  {
    try await makeHome()
    do {
      let connection = try Connection(at: layout.catalogue, access: .readWrite)
      try connection.execute("DROP TABLE job")
    }
    let recorder = FileSystemRecorder()
    #expect(try await CatalogueRepair(layout, files: recorder.fileSystem).rebuild() != nil)
    let draft = layout.catalogueDraft.plainPath
    let move = try #require(
      recorder.calls.firstIndex(of: .move(draft, to: layout.rebuiltCatalogue.plainPath)))
    #expect(recorder.calls[..<move].contains(.sync(draft)))
  }

  @Test func `A damaged catalogue is not written once the new one has been made from it`()
    async throws
  {
    try await makeHome()
    let layout = layout
    let codes = Locked<[DatabaseError.Code?]>([])
    let disk = FileSystem { call in
      guard
        call == .move(layout.catalogueDraft.plainPath, to: layout.rebuiltCatalogue.plainPath)
      else { return nil }
      var code: DatabaseError.Code?
      do throws(DatabaseError) {
        let writer = try Connection(at: layout.catalogue, access: .readWrite, patience: .zero)
        try writer.execute("DELETE FROM thumbnail")
      } catch {
        code = error.code
      }
      codes.withLock { [code] in $0.append(code) }
      return nil
    }
    do {
      let connection = try Connection(at: layout.catalogue, access: .readWrite)
      try connection.execute("DROP TABLE job")
    }
    #expect(try await CatalogueRepair(layout, files: disk).rebuild() != nil)
    #expect(codes.withLock { $0 } == [DatabaseError.Code.busy])
    try await library().storage.setThumbnail(Data([1]), of: "a")
  }

  @Test func `A busy catalogue is busy, not damaged`() async throws {
    try await makeHome()
    let storage = try await SQLiteMapStorage.open(at: layout.catalogue)
    let writer = try Connection(at: layout.catalogue, access: .readWrite)
    try writer.execute("BEGIN EXCLUSIVE")
    #expect(await CatalogueRepair(layout).damage() == nil)
    await #expect {
      try await storage.removeKnownMap("w")
    } throws: { error in
      guard case LibraryError.busyCatalogue = error else { return false }
      return true
    }
    // Jobs say so as well, and not that the disk is full.
    await #expect {
      try await storage.forget(try #require(JobID("a")))
    } throws: { error in
      guard case JobError.busyJournal(_, let holder) = error else { return false }
      return holder?.isEmpty == false
    }
    #expect(try await CatalogueRepair(layout).rebuild() == nil)
  }

  @Test func `A catalogue of an older home is closed to others`() async throws {
    try await makeHome()
    let path = layout.catalogue.path(percentEncoded: false)
    for (url, mode) in [(path, 0o644), (layout.home.path(percentEncoded: false), 0o755)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url)
    }
    _ = try await library()
    #expect(FileStatus(layout.catalogue)?.permissions == 0o600)
    #expect(FileStatus(layout.home)?.permissions == 0o700)
  }

  @Test func `A missing catalogue leaves every map to be found`() async throws {
    try await makeHome()
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(
        atPath: layout.catalogue.path(percentEncoded: false) + suffix)
    }
    #expect(try await repaired().count == 3)
  }

  /// Stores a map of which the catalogue alone knows more than its files say.
  private func installRenamed(in library: MapLibrary) async throws -> StoredMap {
    let folder = layout.staging("job")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("town".utf8).write(to: folder.appending(path: "package.info"))
    return try await library.install(
      folder,
      as: StoredMap(
        id: try #require(MapID("town")), origin: .portalItem("town"), form: .folder,
        title: "Town (2)", portal: URL(string: "https://portal.example"), installed: Self.day,
        sourceModified: Self.day, byteCount: 4, omissions: ["The layer Roads is missing."]))
  }

  @Test(arguments: [true, false])
  func `Titles, portals and what is missing outlast a catalogue that is lost`(
    _ isNew: Bool
  ) async throws {
    let map = try await installRenamed(in: library())
    if !isNew {
      // An older Portolan has recorded it in the catalogue alone.
      try FileSystem.live.erase(layout.records)
      try await library().recover()
    }
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(
        atPath: layout.catalogue.path(percentEncoded: false) + suffix)
    }
    #expect(try await repaired() == [map])
  }

  @Test(
    arguments: [
      ("town-1.json", 1), ("town--1.json", nil), ("town-+1.json", nil), ("town-1-2.json", nil),
      ("town-.json", nil), ("town-1.part", nil),
    ] as [(String, Int?)])
  func `A record is about the map whose whole id its name has`(_ name: String, _ number: Int?) {
    #expect(HomeLayout.recordNumber(in: name, of: "town") == number)
  }

  @Test func `A record that a killed process was writing is removed`() async throws {
    _ = try await installRenamed(in: library())
    let left = layout.records.appending(path: ".portolan-5.part")
    try Data("{".utf8).write(to: left)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: left.path)
    try await library().recover()
    #expect(try FileSystem.live.names(in: layout.records) == ["town-1.json"])
  }

  @Test func `What was recorded of a map goes with it, and is about no other`() async throws {
    let library = try await library()
    let map = try await installRenamed(in: library)
    let noted = layout.notedRecord(of: 1, of: "town", .folder, in: .live)
    #expect(noted == map)
    let other = layout.recordFile(of: 1, of: "other")
    try FileManager.default.copyItem(at: layout.recordFile(of: 1, of: "town"), to: other)
    #expect(layout.notedRecord(of: 1, of: "other", .folder, in: .live) == nil)
    try await library.delete(map.id)
    try await library.emptyTrash()
    #expect(try FileSystem.live.names(in: layout.records) == ["other-1.json"])
  }

  @Test func `Readable parts are recovered`() async throws {
    try await makeHome()
    // The table of web maps gets a page of rubbish; the others are as they were.
    let page: Int
    do {
      let connection = try Connection(at: layout.catalogue, access: .readWrite)
      try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      let query = try connection.query(
        "SELECT rootpage FROM sqlite_schema WHERE name = 'known_map'")
      page = try query.step() ? Int(query.integer(at: 0)) : 0
    }
    try overwrite(page: page)
    let repair = CatalogueRepair(layout)
    #expect(await repair.damage() != nil)
    let aside = try await repair.rebuild()
    #expect(aside?.lastPathComponent == "library-damaged-1.sqlite")
    let library = try await library()
    #expect(try await library.maps().map(\.title) == ["Map a", "Map b", "Map c"])
    #expect(try await library.storage.jobs().map(\.id.text) == ["job"])
  }

  @Test func `Rows on both sides of the damage of a table are recovered`() async throws {
    let pages = try await pagesOfManyJobs()
    try overwrite(page: pages[pages.count / 2])
    #expect(try await CatalogueRepair(layout).rebuild() != nil)
    let jobs = try await library().storage.jobs().map(\.id.text)
    #expect(jobs.count > 50 && jobs.count < 61, "\(jobs.count)")
    #expect(jobs.contains("job-0") && jobs.contains("job-59"))
  }

  @Test func `Rows before the damage of a table are recovered`() async throws {
    let pages = try await pagesOfManyJobs()
    try overwrite(page: try #require(pages.last))
    #expect(try await CatalogueRepair(layout).rebuild() != nil)
    let count = try await self.library().storage.jobs().count
    #expect((1..<61).contains(count), "\(count)")
  }

  /// The pages with the rows of a table that has many, in order.
  private func pagesOfManyJobs() async throws -> [Int] {
    try await makeHome()
    let library = try await library()
    for number in 0..<60 {
      let job = Job(
        id: try #require(JobID("job-\(number)")), kind: "k", subject: "\(number)", title: "S",
        parameters: Data(count: 900), created: Self.day, position: number)
      try await library.storage.record(job)
    }
    let connection = try Connection(at: layout.catalogue, access: .readWrite)
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let query = try connection.query("SELECT rootpage FROM sqlite_schema WHERE name = 'job'")
    #expect(try query.step())
    let pages = try children(ofPage: Int(query.integer(at: 0)))
    #expect(pages.count > 2)
    return pages
  }

  /// The pages of a table that the page of its root names, in order.
  ///
  /// - SeeAlso: [B-tree pages](https://www.sqlite.org/fileformat2.html#b_tree_pages)
  private func children(ofPage page: Int) throws -> [Int] {
    let bytes = [UInt8](try Data(contentsOf: layout.catalogue)[((page - 1) * 4096)..<(page * 4096)])
    func number(_ offset: Int, _ count: Int) -> Int {
      bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }
    try #require(bytes[0] == 5, "an interior page of a table")
    return (0..<number(3, 2)).map { number(number(12 + 2 * $0, 2), 4) } + [number(8, 4)]
  }

  private func overwrite(page: Int) throws {
    let handle = try FileHandle(forWritingTo: layout.catalogue)
    try handle.seek(toOffset: UInt64((page - 1) * 4096))
    try handle.write(contentsOf: Data(repeating: 0xFF, count: 4096))
    try handle.close()
  }

  @Test func `Every page of a catalogue may be damaged, and no map is lost`() async throws {
    try await makeHome()
    do {
      let connection = try Connection(at: layout.catalogue, access: .readWrite)
      try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    let whole = try Data(contentsOf: layout.catalogue)
    for page in 1...(whole.count / 4096) {
      for suffix in ["-wal", "-shm"] {
        try? FileManager.default.removeItem(
          atPath: layout.catalogue.path(percentEncoded: false) + suffix)
      }
      try whole.write(to: layout.catalogue)
      try overwrite(page: page)
      _ = try await CatalogueRepair(layout).rebuild()
      #expect(try await repaired().count == 3, "page \(page)")
    }
  }

  @Test func `A newer catalogue is not taken for a damaged one`() async throws {
    try await makeHome()
    do {
      let connection = try Connection(at: layout.catalogue, access: .readWrite)
      try connection.setUserVersion(99)
    }
    #expect(await CatalogueRepair(layout).damage() == nil)
    #expect(try await CatalogueRepair(layout).rebuild() == nil)
  }

  @Test func `What records that cannot be read are about is left alone`() async throws {
    try await makeHome()
    let library = try await library()
    let staged = layout.staging("job")
    try FileManager.default.createDirectory(at: staged, withIntermediateDirectories: true)
    do {
      let connection = try Connection(at: layout.catalogue, access: .readWrite)
      try connection.execute("UPDATE stored_map SET record = x'00', form = NULL WHERE id = 'b'")
      try connection.execute("UPDATE job SET record = x'00'")
    }
    let audit = audit(library)
    let findings = try await audit.findings()
    #expect(
      Set(findings) == [.unreadableRecord("stored_map b"), .unreadableRecord("job job")])
    #expect(await audit.repair(findings).isEmpty)
    #expect(DurableMove.exists(staged) && layout.contents(of: .maps).count == 3)
  }
}
