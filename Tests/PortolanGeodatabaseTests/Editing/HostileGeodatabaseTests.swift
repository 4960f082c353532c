import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// Whether a file from a stranger can make edits do anything but edits.
@Suite(.temporaryDirectory) struct HostileGeodatabaseTests {
  private func file() throws -> URL {
    let url = temporaryDirectory.appending(path: "file.geodatabase")
    try ContractGeodatabase.write(EditingTables.all, isChangeTracked: true, to: url)
    return url
  }

  private func damage(_ url: URL, _ statements: String...) throws {
    let connection = try Connection(at: url, access: .readWrite)
    for statement in statements { try connection.execute(statement) }
  }

  private static let edits: [FeatureEdit] = [
    .add(
      NewFeature(attributes: ["NAME": .text("x")], geometry: .point(Point(x: 1, y: 1, z: 1))),
      table: "Huts"),
    .update(
      4, table: "Huts", attributes: ["NAME": .text("y")],
      geometry: .set(.point(Point(x: 1, y: 2, z: 0)))),
    .delete(3, table: "Huts"),
  ]

  @Test func `Triggers of the file do not run`() async throws {
    let url = try file()
    try damage(
      url,
      "CREATE TRIGGER a AFTER INSERT ON Huts BEGIN DELETE FROM Notes; END",
      "CREATE TRIGGER b BEFORE UPDATE ON Huts BEGIN UPDATE Notes SET TEXT = 'bad'; END",
      "CREATE TRIGGER c BEFORE UPDATE ON Huts BEGIN SELECT RAISE(ABORT, 'no'); END",
      "CREATE TRIGGER d AFTER UPDATE ON GDB_RowidGenerators BEGIN DELETE FROM Visits; END")
    let store = try ContractGeodatabase.edited(url)
    _ = try await store.apply(Self.edits)
    _ = try await store.undo()
    let notes = try await store.features(in: "Notes", matching: .init()).collect()
    #expect(notes.map { $0.attributes["TEXT"] } == [.text("old"), .text("old")])
    #expect(try await store.count(in: "Visits", matching: .init()) == 3)
    await store.close()
    #expect(try GeodatabaseAudit.findings(in: url) == [])
  }

  @Test func `A view in the place of a table is not edited`() async throws {
    let url = try file()
    try damage(
      url, "ALTER TABLE Notes RENAME TO Secret",
      "CREATE VIEW Notes AS SELECT * FROM Secret",
      "CREATE TRIGGER n INSTEAD OF UPDATE ON Notes BEGIN DELETE FROM Huts; END")
    let store = try ContractGeodatabase.edited(url)
    await #expect(throws: FeatureEditError.self) {
      try await store.apply([.update(1, table: "Notes", attributes: ["TEXT": .text("z")])])
    }
    #expect(try await store.count(in: "Huts", matching: .init()) == 3)
    await store.close()
  }

  @Test(arguments: [
    "UPDATE Huts SET Shape = x'6400000000000000000000000000000000000000'",
    "UPDATE Huts SET gdb_from_date = 5373484.4",
    "DELETE FROM GDB_RowidGenerators",
    "DROP TABLE GDB_Layers",
    "DROP TABLE GDB_TableRegistry",
    "DROP TABLE GDB_Items",
    "DROP TABLE st_geometry_columns",
    "DROP TABLE st_spindex__Huts_Shape",
    "UPDATE st_geometry_columns SET srid = 12, geometry_type = 9",
    "UPDATE GDB_TableRegistry SET rowid_column = 'NAME'",
    "UPDATE GDB_TableRegistry SET table_name = 'Huts'",
    "UPDATE GDB_Items SET Definition = '<a'",
    "UPDATE GDB_ServiceItems SET ItemInfo = replace(ItemInfo, 'Huts', 'Parcels')",
    "UPDATE Huts SET OBJECTID = 4",
    "DROP TABLE Huts__ATTACH",
    "UPDATE Huts__ATTACH SET REL_GLOBALID = GLOBALID",
  ])
  func `System tables that lie give edits or errors`(statement: String) async throws {
    let url = try file()
    let connection = try Connection(at: url, access: .readWrite)
    try connection.execute("PRAGMA ignore_check_constraints = ON")
    try connection.execute("DROP TRIGGER IF EXISTS \"st_update_trigger_Huts_Shape\"")
    try connection.execute("DROP TRIGGER IF EXISTS \"st_update1_trigger_Huts_Shape\"")
    // Some of these the file itself refuses, which is as good.
    try? connection.execute(statement)
    let store = try ContractGeodatabase.edited(url)
    for edit in Self.edits { _ = try? await store.apply([edit]) }
    _ = try? await store.undo()
    _ = try? await store.localChanges()
    await store.close()
    #expect(try Connection(at: url, access: .readOnly).integrityCheck() == [])
  }

  @Test func `Wrong bytes anywhere give edits or errors`() async throws {
    let sound = try Data(contentsOf: file())
    var numbers = SplitMix64(seed: 5)
    for round in 0..<60 {
      let url = temporaryDirectory.appending(path: "\(round).geodatabase")
      var bytes = sound
      for _ in 0..<20 {
        let place = Int.random(in: 100..<bytes.count, using: &numbers)
        bytes[place] = UInt8.random(in: 0...255, using: &numbers)
      }
      try bytes.write(to: url)
      guard let store = try? ContractGeodatabase.edited(url) else { continue }
      for edit in Self.edits { _ = try? await store.apply([edit]) }
      _ = try? await store.localChanges()
      _ = try? await store.undo()
      await store.close()
    }
  }
}
