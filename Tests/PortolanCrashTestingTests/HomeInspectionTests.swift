import Foundation
import PortolanLibrary
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanCrashTesting

/// Damage that is done on purpose is reported.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct HomeInspectionTests {
  /// A home with one edited map, and what must be found in it.
  private struct Bed {
    let home: HomeLayout
    let id: String
    let shape: MapShape
    let ledger: EditLedger

    var place: URL { home.folder(.maps).appending(path: "\(id)/1") }

    /// The faults in a copy of the home after something was done to it.
    func faults(after damage: (HomeLayout, URL) throws -> Void) async throws -> String {
      let copy = HomeLayout(
        home: home.home.deletingLastPathComponent().appending(path: UUID().uuidString))
      try HomeCopy.make(of: home.home, at: copy.home)
      try damage(copy, copy.folder(.maps).appending(path: "\(id)/1"))
      let inspection = HomeInspection(
        layout: copy, allowed: [id: [.stored(version: 1)]], whole: [id: shape],
        edits: [id: ledger])
      return try await inspection.look().faults.joined(separator: "\n")
    }
  }

  private func bed() async throws -> Bed {
    var settings = CrashSettings(program: BuiltProgram.url, folder: temporaryDirectory)
    settings.padding = 64 << 10
    let portal = try await CrashPortal.start(settings)
    let area = try #require(portal.areas.first)
    _ = try await portal.publish(1, of: area)
    let home = HomeLayout(home: temporaryDirectory.appending(path: "home"))
    var ledger = EditLedger()
    for act in [CrashAct.download, .edit] {
      let order = ChildOrder(
        act, home: home.home, portal: portal.url, webMap: portal.webMap, subject: area.id)
      let ending = try await ChildProcess(settings.program, order, killedAt: nil).run()
      #expect(ending.status == 0 && ending.refusal == nil, "\(ending.notes)")
      ledger.add(ending)
    }
    await portal.stop()
    let contents = try await MapOpening(folder: home.home)
      .contents(of: home.folder(.maps).appending(path: "\(area.id)/1"))
    return Bed(home: home, id: area.id, shape: contents.shape, ledger: ledger)
  }

  private func change(_ map: URL, _ statement: String) throws {
    let connection = try Connection(at: MapOpening.geodatabase(in: map), access: .readWrite)
    // They keep an index of shapes, which SQLite lets no trigger of a file write to.
    let triggers = try connection.query("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
    var names: [String] = []
    while try triggers.step() { names.append(triggers.text(at: 0)) }
    for name in names { try connection.execute("DROP TRIGGER \"\(name)\"") }
    try connection.execute(statement)
  }

  @Test func `Each kind of damage is found`() async throws {
    let bed = try await bed()
    #expect(bed.ledger.next == CrashChild.editCount)
    let none = try await bed.faults { _, _ in }
    #expect(none.isEmpty, "\(none)")
    let table = try #require(
      try await MapOpening(folder: bed.home.home).contents(of: bed.place).marks.first?.table)
    let last = CrashChild.editCount - 1
    let lost = try await bed.faults { _, map in
      try change(map, "UPDATE \(table) SET NAME = 'lost' WHERE NAME = 'crash-added-\(last)'")
    }
    #expect(lost.contains("edits [\(last)] of \(table) are lost"), "\(lost)")
    let doubled = try await bed.faults { _, map in
      try change(
        map, "UPDATE \(table) SET NAME = 'crash-added-0' WHERE NAME = 'crash-added-1'")
    }
    #expect(doubled.contains("\(table) has edit 0 2 times"), "\(doubled)")
    let half = try await bed.faults { _, map in
      let path = try #require(bed.shape.paths.first { $0.hasSuffix(".mmap") })
      try FileManager.default.removeItem(at: map.appending(path: path))
    }
    #expect(!half.isEmpty)
  }

  @Test func `Stray files are found where the audit does not name them`() async throws {
    let bed = try await bed()
    let unnamed = try await bed.faults { home, map in
      for url in [home.home.appending(path: "left"), map.appending(path: "../left")] {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      }
    }
    #expect(unnamed.components(separatedBy: "left belongs to nothing").count == 3, "\(unnamed)")
    let added = try await bed.faults { _, map in
      try Data("?".utf8).write(to: map.appending(path: "p13/left"))
    }
    #expect(added.contains("beside its files"), "\(added)")
    let absent = try await bed.faults { home, _ in
      let catalogue = try Connection(at: home.catalogue, access: .readWrite)
      try catalogue.execute("DELETE FROM stored_map")
    }
    #expect(absent.contains("\(bed.id) is absent"), "\(absent)")
  }

  @Test func `A call that fails is reported with what it was about`() async throws {
    let bed = try await bed()
    let order = ChildOrder(
      .delete, home: bed.home.home, portal: bed.home.home, webMap: "w", subject: bed.id)
    let trial = CallTrial(
      program: BuiltProgram.url, order: order, start: bed.home.home,
      before: .stored(version: 1), after: .stored(version: 1), shape: nil, name: "delete")
    let tried = HomeLayout(home: temporaryDirectory.appending(path: "tried"))
    // It is refused, since there are edits; what is expected of the trial is wrong on purpose.
    let report = try await trial.perform(
      FailingCall(kind: .open, failure: .tooManyFiles, number: 1), in: tried)
    #expect(report.tried == 1 && report.notReached == 0)
    #expect(report.faults.contains { $0.contains("edits") && $0.contains("open 1 (EMFILE)") })
  }
}

/// Leftovers of jobs, packages and lost catalogues are reported, too.
@Suite(.temporaryDirectory) struct LeftoverInspectionTests {
  private var layout: HomeLayout { HomeLayout(home: temporaryDirectory.appending(path: "home")) }

  private func inspection(_ copy: ImportedCopy? = nil) -> HomeInspection {
    HomeInspection(layout: layout, allowed: [:], whole: [:], copy: copy)
  }

  @Test func `What was set aside is found`() async throws {
    try layout.prepare()
    #expect(try await inspection().look().faults.isEmpty)
    let kept = layout.folder(.kept).appending(path: "a-1")
    try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
    #expect(try await inspection().look().faults == ["a-1 was set aside"])
  }

  @Test func `A record of no version, and a version without its record, are found`() async throws {
    try layout.prepare()
    let storage = try await SQLiteMapStorage.open(at: layout.catalogue)
    let map = StoredMap(
      id: try #require(MapID("a")), origin: .portalItem("a"), form: .folder, title: "A",
      installed: Date(), byteCount: 1, version: 2)
    try await storage.install(MapVersion(map: map, files: []), replacing: nil)
    let records = layout.home.appending(path: "records")
    try FileManager.default.createDirectory(at: records, withIntermediateDirectories: true)
    for name in ["a-1.json", "a-2.taken-back"] {
      try Data().write(to: records.appending(path: name))
    }
    let faults = try await HomeRecords(layout: layout, library: inspection().library(storage))
      .faults()
    #expect(
      faults == [
        "records/a-1.json is about no version", "records/a-2.taken-back is about no version",
        "there is no records/a-2.json",
      ])
  }

  @Test func `A package that is half there, or missing, is found`() async throws {
    let file = ExportedPackage.place(of: "a", beside: layout.home)
    let package = ExportedPackage(file: file, layers: [:])
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent().appending(path: ".portolan-export-1"),
      withIntermediateDirectories: true)
    #expect(try await package.faults(isDone: false).isEmpty)
    #expect(
      try await package.faults(isDone: true) == [
        "there is no package", ".portolan-export-1 is beside the package still",
      ])
    try Data("PK".utf8).write(to: file)
    let half = try await package.faults(isDone: false)
    #expect(half.count == 1 && half[0].contains("cannot be opened"), "\(half)")
  }

  @Test func `An import that is on the list twice, or lacks edits, is found`() async throws {
    var ending = ChildEnding()
    ending.doneEdits = [0]
    var ledger = EditLedger()
    ledger.add(ending)
    var copy = ImportedCopy(name: "a.mmpk", version: 1, layers: [:], edits: ledger)
    let map = StoredMap(
      id: try #require(MapID("b")), origin: .imported("a.mmpk"), form: .file, title: "A",
      installed: Date(), byteCount: 1)
    let twice = await copy.faults(among: [map, map]) { _ in MapContents(version: 1, layers: [:]) }
    #expect(twice.first == "the package is on the list 2 times")
    #expect(twice.contains("what was imported: no table with edits is left"))
    copy.counts = 1...1
    let none = await copy.faults(among: []) { _ in MapContents(version: 1, layers: [:]) }
    #expect(none == ["the package is on the list 0 times"])
  }
}
