import Foundation
import PortolanLocks
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// The damage of a catalogue, the names under which damaged ones are put aside, and the state of
/// those who have one open.
@Suite(.temporaryDirectory) struct CatalogueDamageTests {
  /// A home with a map, which nobody has open.
  private func makeHome() async throws -> (layout: HomeLayout, map: StoredMap) {
    let bed = try await LibraryBed(in: temporaryDirectory)
    return (bed.layout, try await bed.install(in: bed.library()))
  }

  private func drop(_ table: String, in layout: HomeLayout) throws {
    let connection = try Connection(at: layout.catalogue, access: .readWrite)
    try connection.execute("DROP TABLE \(table)")
  }

  @Test(arguments: StorageSchema.tables)
  func `A catalogue that lacks a table says which, and is not opened`(
    _ table: String
  ) async throws {
    let (layout, map) = try await makeHome()
    let repair = CatalogueRepair(layout)
    #expect(await repair.damage() == nil)
    #expect(try await repair.rebuild() == nil)
    try drop(table, in: layout)
    let reason = "it lacks the table \(table)"
    #expect(await repair.damage() == CatalogueDamage(file: layout.catalogue, reason: reason))
    let file = layout.catalogue.path(percentEncoded: false)
    await #expect(throws: LibraryError.damagedCatalogue(file: file, reason: reason)) {
      try await SQLiteMapStorage.open(at: layout.catalogue)
    }
    let aside = try await repair.rebuild()
    #expect(aside?.lastPathComponent == "library-damaged-1.sqlite")
    #expect(await repair.damage() == nil)
    let storage = try await SQLiteMapStorage.open(at: layout.catalogue)
    #expect(try await storage.storedMaps() == (table == "stored_map" ? [] : [map]))
    let versions = try await storage.versions(of: map.id).map(\.number)
    #expect(versions == (table == "map_version" ? [] : [1]))
  }

  @Test func `Each damaged catalogue is put aside under a name of its own`() async throws {
    let layout = try await makeHome().layout
    let repair = CatalogueRepair(layout)
    for number in 1...3 {
      try drop("job", in: layout)
      let name = "library-damaged-\(number).sqlite"
      #expect(try await repair.rebuild()?.lastPathComponent == name)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: layout.home.path)
      .filter { $0.hasPrefix("library-damaged") && $0.hasSuffix(".sqlite") }.sorted()
    #expect(names == (1...3).map { "library-damaged-\($0).sqlite" })
  }

  @Test func `A process that has the catalogue open continues with the rebuilt one`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    try await bed.install("a", in: library)
    try drop("job", in: bed.layout)
    #expect(try await CatalogueRepair(bed.layout).rebuild() != nil)
    try await bed.install("b", in: library)
    #expect(try await library.maps().map(\.title) == ["Map a", "Map b"])
    let storage = try await SQLiteMapStorage.open(at: bed.layout.catalogue)
    #expect(try await storage.storedMaps().map(\.title) == ["Map a", "Map b"])
  }

  @Test func `Listeners learn that a rebuilt catalogue has taken the place of theirs`() async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    try await bed.install("a", in: bed.library())
    let storage = try await SQLiteMapStorage.open(at: bed.layout.catalogue)
    _ = try await storage.storedMaps()
    let changes = await storage.changes()
    try drop("job", in: bed.layout)
    #expect(try await CatalogueRepair(bed.layout).rebuild() != nil)
    #expect(try await storage.storedMaps().map(\.title) == ["Map a"])
    let waiting = Task {
      var changes = changes.makeAsyncIterator()
      return await changes.next()
    }
    // A later problem is of another kind.
    try await storage.save([], of: "w")
    #expect(await waiting.value == .all)
  }

  @Test func `What is written while another catalogue takes its place is in that one`()
    async throws
  {
    let layout = try await LibraryBed(in: temporaryDirectory).layout
    let storage = try await SQLiteMapStorage.open(at: layout.catalogue)
    try await SalvagedCatalogue.copy(layout.catalogue, to: layout.catalogueDraft)
    let file = layout.catalogue.path(percentEncoded: false)
    let draft = layout.catalogueDraft.path(percentEncoded: false)
    let isReplaced = Locked(false)
    try await storage.write([]) { connection in
      try connection.execute("INSERT INTO thumbnail (id, data) VALUES ('a', x'01')")
      guard !isReplaced.withLock({ $0 }) else { return }
      isReplaced.withLock { $0 = true }
      for suffix in ["-wal", "-shm", ""] where FileManager.default.fileExists(atPath: file + suffix)
      {
        try FileManager.default.moveItem(atPath: file + suffix, toPath: "\(file)-aside\(suffix)")
      }
      try FileManager.default.moveItem(atPath: draft, toPath: file)
    }
    let fresh = try await SQLiteMapStorage.open(at: layout.catalogue)
    #expect(try await fresh.thumbnail(of: "a") == Data([1]))
  }

  /// Moves the catalogue aside, as a repair does before the new one takes its place.
  private func moveAside(_ layout: HomeLayout) throws {
    let file = layout.catalogue.path(percentEncoded: false)
    for suffix in ["-wal", "-shm", ""] where FileManager.default.fileExists(atPath: file + suffix) {
      try FileManager.default.moveItem(atPath: file + suffix, toPath: "\(file)-aside\(suffix)")
    }
  }

  @Test func `What is written between the two moves of a repair waits for the second`()
    async throws
  {
    let layout = try await LibraryBed(in: temporaryDirectory).layout
    let (rebuilt, catalogue) = (layout.rebuiltCatalogue, layout.catalogue)
    let pauses = Locked(0)
    let clock = CountingClock { _ in
      let count = pauses.withLock { pauses in
        pauses += 1
        return pauses
      }
      guard count == 3 else { return }
      do { try FileManager.default.moveItem(at: rebuilt, to: catalogue) } catch {
        Issue.record(error)
      }
    }
    let storage = try await SQLiteMapStorage.open(at: catalogue, clock: clock)
    try await SalvagedCatalogue.copy(catalogue, to: rebuilt)
    try moveAside(layout)
    // The old catalogue can be read meanwhile.
    #expect(try await storage.storedMaps().isEmpty)
    #expect(pauses.withLock { $0 } == 0)
    try await storage.setThumbnail(Data([1]), of: "a")
    #expect(pauses.withLock { $0 } == 3)
    let fresh = try await SQLiteMapStorage.open(at: catalogue)
    #expect(try await fresh.thumbnail(of: "a") == Data([1]))
  }

  @Test func `A repair that does not come to its end is not waited for without end`() async throws {
    let layout = try await LibraryBed(in: temporaryDirectory).layout
    let storage = try await SQLiteMapStorage.open(at: layout.catalogue, clock: CountingClock())
    try await SalvagedCatalogue.copy(layout.catalogue, to: layout.rebuiltCatalogue)
    try moveAside(layout)
    let error = LibraryError.damagedCatalogue(
      file: layout.catalogue.path(percentEncoded: false),
      reason: CatalogueDamage.interruptedRepair)
    await #expect(throws: error) { try await storage.setThumbnail(Data([1]), of: "a") }
    await #expect(throws: error) { try await storage.requireCatalogue() }
  }

  @Test func `A home that cannot be looked into is not called damaged`() async throws {
    let home = temporaryDirectory.appending(path: "circle")
    try FileManager.default.createSymbolicLink(
      atPath: home.path, withDestinationPath: home.path)
    let layout = HomeLayout(home: home)
    #expect(await CatalogueRepair(layout).damage() == nil)
    let error = await #expect(throws: LibraryError.self) {
      try await SQLiteMapStorage.open(at: layout.catalogue)
    }
    guard case .unreadable? = error else {
      Issue.record("it says \(String(describing: error))")
      return
    }
  }

  @Test func `An audit that has a deleted catalogue open reports that it was deleted`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    try await bed.install("a", in: library)
    #expect(try await bed.audit(library).findings().isEmpty)
    try moveAside(bed.layout)
    let file = bed.layout.catalogue.path(percentEncoded: false)
    await #expect(throws: LibraryError.catalogueGone(file: file)) {
      try await bed.audit(library).findings()
    }
    // One that was made since is gone on with.
    _ = try await SQLiteMapStorage.open(at: bed.layout.catalogue)
    let findings = try await bed.audit(library).findings()
    #expect(findings.count == 1, "the map, which the new one does not know yet")
  }

  @Test func `Nothing is written to a catalogue that was deleted while it is open`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let storage = bed.storage
    let map = try await bed.install("a", in: bed.library())
    let file = bed.layout.catalogue.path(percentEncoded: false)
    for suffix in ["-wal", "-shm", ""] where FileManager.default.fileExists(atPath: file + suffix) {
      try FileManager.default.removeItem(atPath: file + suffix)
    }
    await #expect(throws: LibraryError.catalogueGone(file: file)) {
      try await storage.setThumbnail(Data([1]), of: "a")
    }
    #expect(try await storage.storedMaps() == [map])
    // Whoever starts again makes one, and it is gone on with.
    let fresh = try await SQLiteMapStorage.open(at: bed.layout.catalogue)
    #expect(try await fresh.mayLackMaps())
    try await storage.setThumbnail(Data([1]), of: "a")
    #expect(try await fresh.thumbnail(of: "a") == Data([1]))
  }

  @Test func `An empty catalogue is damaged where there are maps, and none is not`() async throws {
    let layout = HomeLayout(home: temporaryDirectory.appending(path: "home"))
    try layout.prepare()
    #expect(await CatalogueRepair(layout).damage() == nil && !layout.hasCatalogue)
    try Data().write(to: layout.catalogue)
    #expect(await CatalogueRepair(layout).damage() == nil && layout.hasCatalogue)
    try LibraryBed.write(layout.folder(.maps).appending(path: "a"))
    let damage = CatalogueDamage(file: layout.catalogue, reason: "it is empty")
    #expect(await CatalogueRepair(layout).damage() == damage)
    let file = layout.catalogue.path(percentEncoded: false)
    await #expect(throws: LibraryError.damagedCatalogue(file: file, reason: "it is empty")) {
      try await SQLiteMapStorage.open(at: layout.catalogue)
    }
  }
}
