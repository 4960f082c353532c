import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// What editing makes of files as other software leaves them.
@Suite(.temporaryDirectory) struct ForeignEditsTests {
  private var url: URL { temporaryDirectory.appending(path: "file.geodatabase") }

  private func write(isChangeTracked: Bool = true) throws {
    try ContractGeodatabase.write(
      EditingTables.all, isChangeTracked: isChangeTracked, to: url)
  }

  private func run(_ sql: String) throws {
    try Connection(at: url, access: .edit).execute(sql)
  }

  // MARK: - Histories

  @Test(arguments: ["gdb_from_date", "gdb_to_date"])
  func `An edit is later than what somebody else has dated in the future`(
    _ date: String
  ) async throws {
    try write()
    let store = try ContractGeodatabase.edited(url)
    let change = FeatureEdit.update(3, table: "Huts", attributes: ["AREA": .double(1)])
    _ = try await store.apply([change])
    // Another program, whose clock is years ahead, changes a row meanwhile.
    let theirs = JulianDay.day(EditingTables.moment) + 1000
    try run("UPDATE Huts SET \(date) = \(theirs) WHERE OBJECTID = 4")
    _ = try await store.apply([change])
    await store.close()
    let query = try Connection(at: url, access: .readOnly).query(
      "SELECT max(gdb_from_date) FROM Huts WHERE OBJECTID = 3")
    #expect(try query.step())
    #expect(query.real(at: 0) > theirs)
  }

  /// Registers a copy that was synchronized at a date.
  private func register(_ id: Int, _ date: String) throws {
    try run(
      """
      INSERT INTO GDB_Items (ObjectID, UUID, Type, Name, Definition)
      VALUES (\(id), '{00000000-0000-4000-8000-000000000\(id)}', '\(ItemType.syncReplica.rawValue)',
        'Replica \(id)', '<GPSyncReplica><LastSyncDate>\(date)T00:00:00</LastSyncDate>'
        || '</GPSyncReplica>')
      """)
  }

  @Test func `An edit counts though the clock is behind the last synchronization`() async throws {
    try write()
    try register(901, "2025-06-15")
    // The clock says November 2023.
    let store = try ContractGeodatabase.edited(url)
    _ = try await store.apply([.delete(3, table: "Huts")])
    let changes = try await store.localChanges().changes
    await store.close()
    #expect(changes.contains { $0.table == "Huts" && $0.objectID == 3 })
  }

  @Test func `Of several registrations the earliest synchronization counts`() async throws {
    try write()
    for (id, date) in [(901, "2022-04-15"), (902, "2025-06-15")] { try register(id, date) }
    // Between the two: in November 2023.
    let store = try ContractGeodatabase.edited(url)
    _ = try await store.apply([.delete(3, table: "Huts")])
    let changes = try await store.localChanges()
    await store.close()
    #expect(changes.lastSync == Date(timeIntervalSince1970: 1_649_980_800))
    #expect(changes.changes.contains { $0.table == "Huts" && $0.objectID == 3 })
  }

  // MARK: - Columns

  @Test func `Undoing keeps the values of a column that somebody else has added meanwhile`()
    async throws
  {
    try write(isChangeTracked: false)
    let store = try ContractGeodatabase.edited(url)
    let change = FeatureEdit.update(1, table: "Notes", attributes: ["TEXT": .text("x")])
    _ = try await store.apply([change])
    try run("ALTER TABLE Notes ADD COLUMN extra TEXT")
    try run("UPDATE Notes SET extra = 'theirs'")
    _ = try await store.apply([change])
    _ = try await store.undo()
    await store.close()
    let query = try Connection(at: url, access: .readOnly).query(
      "SELECT extra FROM Notes WHERE OBJECTID = 1")
    #expect(try query.step())
    #expect(query.text(at: 0) == "theirs")
  }

  @Test func `What somebody else has written since is not undone`() async throws {
    try write()
    let store = try ContractGeodatabase.edited(url)
    _ = try await store.apply([.update(3, table: "Huts", attributes: ["AREA": .double(1)])])
    try run("UPDATE Huts SET AREA = 7 WHERE OBJECTID = 3")
    let error = await #expect(throws: FeatureEditError.self) { try await store.undo() }
    #expect(error == .nothingToUndo)
    #expect(try await store.count(in: "Huts", matching: .init(whereClause: "AREA = 7")) == 1)
    await store.close()
  }

  // MARK: - Tables

  /// The extents that the file declares of its layers.
  private func extents() throws -> [String: [Double?]] {
    let query = try Connection(at: url, access: .readOnly).query(
      "SELECT table_name, minx, miny, maxx, maxy FROM GDB_Layers")
    var extents: [String: [Double?]] = [:]
    while try query.step() {
      extents[query.text(at: 0)] = (1...4).map { query.isNull(at: $0) ? nil : query.real(at: $0) }
    }
    return extents
  }

  @Test func `All features of one group are within the declared extent, and have ids of their own`()
    async throws
  {
    try write()
    let store = try ContractGeodatabase.edited(url)
    let places = [(100.0, 50.0), (90, 40), (170, 45), (120, 80), (-170, -80), (0, 0)]
    let results = try await store.apply(
      places.map { x, y in
        .add(
          NewFeature(
            attributes: ["NAME": .text("new")], geometry: .point(Point(x: x, y: y, z: 1))),
          table: "Huts")
      })
    await store.close()
    let extent = try #require(try extents()["Huts"]).map { $0?.rounded() }
    #expect(extent == [-170, -80, 170, 80])
    #expect(Set(results.map(\.objectID)) == Set(10...15))
    #expect(try GeodatabaseAudit.findings(in: url).isEmpty)
  }

  @Test func `An edit widens the declared extent of its own layer only`() async throws {
    try write()
    let before = try extents()
    #expect(before.count > 1)
    let store = try ContractGeodatabase.edited(url)
    let far = Geometry.point(Point(x: 170, y: 80, z: 1))
    _ = try await store.apply([.update(3, table: "Huts", attributes: [:], geometry: .set(far))])
    await store.close()
    let after = try extents()
    #expect(after["Huts"]?[2] == 170)
    for (name, extent) in before where name != "Huts" { #expect(after[name] == extent) }
  }

  @Test(arguments: [false, true])
  func `A feature is removed though another program has dropped a table of its parts`(
    isChangeTracked: Bool
  ) async throws {
    try write(isChangeTracked: isChangeTracked)
    let store = try ContractGeodatabase.edited(url)
    _ = try await store.apply([.delete(9, table: "Huts")])
    try run("DROP TABLE Visits")
    _ = try await store.apply([.delete(3, table: "Huts")])
    #expect(try await store.count(in: "Huts", matching: .init()) == 1)
    await store.close()
  }

  // MARK: - GUIDs

  @Test(arguments: [false, true])
  func `Attachments and related rows are found whatever the case of their keys`(
    isChangeTracked: Bool
  ) async throws {
    try write(isChangeTracked: isChangeTracked)
    try run(
      "UPDATE Huts SET GlobalID = '{AAAAAAAA-0000-4000-8000-000000000003}' WHERE OBJECTID = 3")
    let key = "'{aaaaaaaa-0000-4000-8000-000000000003}'"
    let old = "'\(EditingTables.hutID(3))'"
    try run("UPDATE Huts__ATTACH SET REL_GLOBALID = \(key) WHERE REL_GLOBALID = \(old)")
    try run("UPDATE Visits SET HUT = \(key) WHERE HUT = \(old)")
    let reader = try Geodatabase.open(at: url)
    #expect(try await reader.attachments(of: 3, in: "Huts").map(\.name) == ["a.jpg"])
    let relation = try #require(
      await reader.schema(of: "Huts").relationships.first { $0.relatedTable == "Visits" })
    #expect(
      try await reader.relatedFeatures(to: 3, in: "Huts", through: relation).map(\.objectID)
        == [1, 2])
    // What belongs to a feature goes with it.
    let store = try ContractGeodatabase.edited(url)
    _ = try await store.apply([.delete(3, table: "Huts")])
    #expect(try await store.count(in: "Visits", matching: .init()) == 1)
    let changes = try await store.localChanges().changes
    #expect(changes.first { $0.objectID == 3 && $0.table == "Huts" }?.attachments.count == 1)
    await store.close()
  }

  // MARK: - Object ids

  @Test func `Rows are added after object ids of 64 bits`() async throws {
    try write(isChangeTracked: false)
    try run("UPDATE Notes SET OBJECTID = 5000000000 WHERE OBJECTID = 2")
    let store = try ContractGeodatabase.edited(url)
    let new = FeatureEdit.add(NewFeature(attributes: ["TEXT": .text("x")]), table: "Notes")
    #expect(try await store.apply([new]).map(\.objectID) == [5_000_000_001])
    await store.close()
  }

  @Test func `After the greatest object id there is none, and none is given twice`() async throws {
    try write(isChangeTracked: false)
    try run("UPDATE Notes SET OBJECTID = \(Int64.max) WHERE OBJECTID = 2")
    let store = try ContractGeodatabase.edited(url)
    let new = FeatureEdit.add(NewFeature(attributes: ["TEXT": .text("x")]), table: "Notes")
    await #expect(throws: FeatureEditError.objectIDsUsedUp(EditPlace(table: "Notes"))) {
      try await store.apply([new])
    }
    await store.close()
  }
}
