import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The effect of editing on files as other software leaves them.
@Suite(.temporaryDirectory) struct ForeignEditsTests {
  private var url: URL { temporaryDirectory.appending(path: "file.geodatabase") }

  private func write(isChangeTracked: Bool = true) throws {
    try ContractGeodatabase.write(
      EditingTables.all, isChangeTracked: isChangeTracked, to: url)
  }

  private func run(_ sql: String) throws {
    try Connection(at: url, access: .edit).execute(sql)
  }

  // MARK: - Shapes

  @Test(arguments: [false, true])
  func `A feature whose shape is damaged is brought back by undo, and given another shape`(
    isChangeTracked: Bool
  ) async throws {
    try write(isChangeTracked: isChangeTracked)
    // It begins as shapes do, and is of no class that there is.
    let damaged = "64" + String(repeating: "00", count: 17)
    try run("UPDATE Huts SET Shape = x'\(damaged)' WHERE OBJECTID = 3")
    let store = try ContractGeodatabase.edited(url)
    let shape = Geometry.point(Point(x: 1, y: 2, z: 3))
    let mending = FeatureEdit.update(
      3, table: "Huts", attributes: ["AREA": .double(1)], geometry: .set(shape))
    for edit in [mending, .delete(3, table: "Huts")] {
      _ = try await store.apply([edit])
      _ = try await store.undo()
      let query = try Connection(at: url, access: .readOnly).query(
        "SELECT hex(Shape) FROM Huts WHERE OBJECTID = 3")
      #expect(try query.step())
      #expect(query.text(at: 0) == damaged)
    }
    _ = try await store.apply([mending])
    let found = try await store.features(in: "Huts", matching: .init(objectIDs: [3])).collect()
    #expect(found.first?.geometry == shape)
    await store.close()
  }

  // MARK: - Histories

  @Test(arguments: ["gdb_from_date", "gdb_to_date"])
  func `An edit is dated later than what another user dated in the future`(
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
      "SELECT max(gdb_from_date), (SELECT \(date) FROM Huts WHERE OBJECTID = 4) FROM Huts"
        + " WHERE OBJECTID = 3")
    #expect(try query.step())
    // By a millisecond, though theirs is between two.
    let milliseconds = (query.real(at: 1) * 86_400_000).rounded(.up) + 1
    #expect(query.real(at: 0) == milliseconds / 86_400_000)
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
    let query = try Connection(at: url, access: .readOnly).query(
      "SELECT gdb_to_date FROM Huts WHERE OBJECTID = 3")
    #expect(try query.step())
    // A millisecond after the synchronization.
    let milliseconds: Int64 = 210_866_760_000_000 + 1_749_945_600_001
    #expect(query.real(at: 0) == Double(milliseconds) / 86_400_000)
  }

  @Test func `An edit a millisecond after the synchronization has not been sent`()
    async throws
  {
    try write()
    try register(901, "2022-04-15")
    let sync = Date(timeIntervalSince1970: 1_649_980_800)
    let (moment, later) = (JulianDay.day(sync), JulianDay.day(sync) + 1.0 / 86_400_000)
    for (table, column, id, day) in [
      ("Huts", "gdb_from_date", 3, moment), ("Huts", "gdb_from_date", 4, later),
      ("Visits", "gdb_to_date", 1, moment), ("Visits", "gdb_to_date", 2, later),
    ] {
      try run("UPDATE \(table) SET \(column) = \(day) WHERE OBJECTID = \(id)")
    }
    let found = try await Geodatabase.open(at: url).localChanges()
    #expect(found.lastSync == sync)
    // At that moment one was there already, and another no more.
    #expect(
      found.changes == [
        LocalChange(table: "Huts", objectID: 4, globalID: EditingTables.hutID(4), kind: .add),
        LocalChange(table: "Visits", objectID: 2, kind: .delete),
      ])
  }

  @Test(arguments: ["1970-01-01", "0001-01-01", "never"])
  func `A copy that was synchronized at the beginning of time never was`(
    _ date: String
  ) async throws {
    try write()
    try register(901, date)
    let store = try ContractGeodatabase.edited(url)
    _ = try await store.apply([.delete(3, table: "Huts")])
    let changes = try await store.localChanges()
    await store.close()
    #expect(changes.lastSync == nil)
    #expect(changes.changes.contains { $0.table == "Huts" && $0.objectID == 3 })
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

  @Test func `Undoing keeps the values of a column that another program added meanwhile`()
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

  @Test func `What another program has written since is not undone`() async throws {
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

  /// The extents that the list of layers declares, by table.
  private func extents() throws -> [String: [Double]] {
    let query = try Connection(at: url, access: .readOnly).query(
      "SELECT table_name, minx, miny, maxx, maxy FROM GDB_Layers")
    var extents: [String: [Double]] = [:]
    while try query.step() { extents[query.text(at: 0)] = (1...4).map { query.real(at: $0) } }
    return extents
  }

  private func move(_ id: FeatureReference, to x: Double, _ y: Double) -> FeatureEdit {
    .update(
      id, table: "Huts", attributes: [:], geometry: .set(.point(Point(x: x, y: y, z: 1))))
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
    let extent = try #require(try extents()["Huts"]).map { $0.rounded() }
    #expect(extent == [-170, -80, 170, 80])
    #expect(Set(results.map(\.objectID)) == Set(10...15))
    #expect(try GeodatabaseAudit.findings(in: url).isEmpty)
  }

  @Test func `An edit widens the declared extent of its own layer only`() async throws {
    try write()
    let before = try extents()
    #expect(before.count > 1)
    let huts = try #require(before["Huts"])
    let store = try ContractGeodatabase.edited(url)
    _ = try await store.apply([move(3, to: 170, 80)])
    #expect(try extents() == before.merging(["Huts": [huts[0], huts[1], 170, 80]]) { $1 })
    _ = try await store.apply([move(4, to: -170, -80)])
    _ = try await store.apply([move(3, to: 0, 0), move(4, to: 1, 1)])
    await store.close()
    #expect(try extents() == before.merging(["Huts": [-170, -80, 170, 80]]) { $1 })
  }

  @Test func `The first shape of a layer is its declared extent`() async throws {
    // A history would keep the place of before, too.
    try write(isChangeTracked: false)
    // The extent of a layer that has never had a shape.
    try run(
      """
      UPDATE GDB_Layers SET minx = 9.999e35, miny = 9.999e35, maxx = -9.999e35, maxy = -9.999e35
      WHERE table_name = 'Huts'
      """)
    let store = try ContractGeodatabase.edited(url)
    _ = try await store.apply([move(3, to: -3, 7)])
    await store.close()
    #expect(try extents()["Huts"] == [-3, 7, -3, 7])
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
    // The related rows of a feature go with it.
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
