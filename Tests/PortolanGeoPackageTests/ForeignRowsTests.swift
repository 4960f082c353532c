import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeodatabase
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeoPackage

/// The rows that other programs write into GeoPackages, and Portolan itself does not.
@Suite(.temporaryDirectory) struct ForeignRowsTests: ChangedGeoPackage {
  // MARK: - Reading

  @Test func `A sorted view shows each of its rows once, also where several have the same id`()
    async throws
  {
    try write(
      changedBy:
        """
        CREATE VIEW Stays AS SELECT h.OBJECTID AS fid, v.OBJECTID AS visit
        FROM Huts AS h JOIN Visits AS v ON v.HUT = h.GlobalID
        """, "INSERT INTO gpkg_contents (table_name, data_type) VALUES ('Stays', 'attributes')")
    let file = try GeoPackage.open(at: url)
    let sorted = QueryParameters(orderBy: [.init("visit", isDescending: true)])
    let rows = try await file.features(in: "Stays", matching: sorted).collect()
    #expect(rows.map { $0.attributes["visit"] } == [.integer(3), .integer(2), .integer(1)])
    #expect(rows.map(\.objectID) == [4, 3, 3])
    #expect(try await file.count(in: "Stays", matching: sorted) == rows.count)
    await file.close()
  }

  @Test func `Moments of several time zones are sorted as what they are`() async throws {
    try write(
      changedBy: "UPDATE Huts SET BUILT = '2020-06-01T10:00:00+02:00' WHERE OBJECTID = 3",
      "UPDATE Huts SET BUILT = '2020-06-01T09:00:00Z' WHERE OBJECTID = 4",
      "UPDATE Huts SET BUILT = '2020-06-01T08:30:00.000Z' WHERE OBJECTID = 9")
    let file = try GeoPackage.open(at: url)
    for (isDescending, ids) in [(false, [3, 9, 4]), (true, [4, 9, 3])] as [(Bool, [Int64])] {
      let sorted = QueryParameters(orderBy: [.init("BUILT", isDescending: isDescending)])
      let rows = try await file.features(in: "Huts", matching: sorted).collect()
      #expect(rows.map(\.objectID) == ids)
    }
    await file.close()
  }

  // MARK: - Editing

  @Test func `A table is edited whatever the letters of its name`() async throws {
    let fields = [
      Field("OBJECTID", .objectID, isNullable: false, isEditable: false), Field("TEXT", .string),
    ]
    let table = FeatureTableContents(
      schema: FeatureTableSchema(name: "Übersicht", fields: fields),
      features: [
        Feature(
          objectID: 1, attributes: Attributes(FieldList(fields), [.integer(1), .text("old")]))
      ])
    try ContractGeoPackage.write([table], to: url)
    let store = try ContractGeoPackage.edited(url)
    #expect(try await store.editability(of: "Übersicht") == .editable)
    _ = try await store.apply([.update(1, table: "Übersicht", attributes: ["TEXT": .text("new")])])
    #expect(try await store.localChanges().changes.map(\.table) == ["Übersicht"])
    #expect(try number("SELECT TEXT = 'new' FROM \"Übersicht\"") == 1)
    _ = try await store.undo()
    #expect(try number("SELECT TEXT = 'old' FROM \"Übersicht\"") == 1)
    await store.close()
  }

  @Test func `Undo brings back files whose table of pairs has a key of two columns`() async throws {
    try write(
      changedBy: "CREATE TABLE pairs AS SELECT base_id, related_id FROM Huts__ATTACHREL",
      "DROP TABLE Huts__ATTACHREL",
      """
      CREATE TABLE Huts__ATTACHREL (base_id INTEGER NOT NULL, related_id INTEGER NOT NULL,
        PRIMARY KEY (base_id, related_id))
      """, "INSERT INTO Huts__ATTACHREL SELECT base_id, related_id FROM pairs", "DROP TABLE pairs")
    let store = try ContractGeoPackage.edited(url)
    _ = try await store.apply([.delete(3, table: "Huts")])
    #expect(try number("SELECT count(*) FROM Huts__ATTACHREL") == 1)
    _ = try await store.undo()
    #expect(try await store.attachments(of: 3, in: "Huts").map(\.name) == ["a.jpg"])
    #expect(try await store.attachments(of: 4, in: "Huts").map(\.name) == ["b.txt"])
    await store.close()
  }

  @Test(arguments: [
    ("TEXT NOT NULL DEFAULT ('a' || 'b')", "'ab'"), ("INTEGER NOT NULL DEFAULT (1 + 1)", "2"),
    ("TEXT NOT NULL DEFAULT (lower('It''s'))", "'it''s'"), ("BOOLEAN NOT NULL DEFAULT TRUE", "1"),
    ("TEXT NOT NULL DEFAULT CURRENT_DATE", "date(extra)"),
  ])
  func `A value that must be there is filled in by SQLite where its default is an expression`(
    _ declaration: String, _ value: String
  ) async throws {
    try write(
      changedBy:
        "CREATE TABLE Sightings (fid INTEGER PRIMARY KEY, note TEXT, extra \(declaration))",
      "INSERT INTO gpkg_contents (table_name, data_type) VALUES ('Sightings', 'attributes')")
    let store = try ContractGeoPackage.edited(url)
    _ = try await store.apply([
      .add(NewFeature(attributes: ["note": .text("a")]), table: "Sightings"),
      .add(NewFeature(attributes: ["extra": .null]), table: "Sightings"),
    ])
    #expect(try number("SELECT count(*) FROM Sightings WHERE extra = \(value)") == 2)
    let error = await #expect(throws: FeatureEditError.self) {
      try await store.apply([.update(1, table: "Sightings", attributes: ["extra": .null])])
    }
    guard case .nullNotAllowed("extra", _)? = error else {
      Issue.record("It was refused for another reason: \(String(describing: error)).")
      return
    }
    await store.close()
  }

  @Test func `A text that looks like an expression is the default that it is`() throws {
    try write(
      changedBy:
        "CREATE TABLE Signs (fid INTEGER PRIMARY KEY, a TEXT DEFAULT 'x'' || ''y', b TEXT)",
      "INSERT INTO gpkg_contents (table_name, data_type) VALUES ('Signs', 'attributes')")
    let field = try GeodatabaseReader(atGeoPackage: url).schema(of: "Signs").field(named: "a")
    #expect(field?.defaultValue == .text("x' || 'y"))
    #expect(field?.hasComputedDefault == false)
  }

  @Test(arguments: [
    ["ROWID"], ["_RowID_"], ["oId"], ["RowId", "_ROWID_"], ["oid", "rowid", "_rowid_"],
  ])
  func
    `A column that is called as SQLite calls the numbers of rows does not say which row is edited`(
      _ columns: [String]
    ) async throws
  {
    try ContractGeoPackage.write(EditingTables.all, to: url)
    let connection = try Connection(at: url, access: .edit)
    for column in columns {
      try connection.execute("ALTER TABLE Notes ADD COLUMN \(column) INTEGER DEFAULT 0")
    }
    let store = try ContractGeoPackage.edited(url)
    _ = try await store.apply([.update(1, table: "Notes", attributes: ["TEXT": .text("new")])])
    #expect(try number("SELECT count(*) FROM Notes WHERE TEXT = 'new'") == 1)
    _ = try await store.apply([.delete(1, table: "Notes")])
    #expect(try number("SELECT count(*) FROM Notes") == 1)
    _ = try await store.apply([.add(NewFeature(attributes: [:]), table: "Notes")])
    for _ in 1...3 { _ = try await store.undo() }
    let zeros = columns.map { "\"\($0)\" = 0" }.joined(separator: " AND ")
    #expect(try number("SELECT count(*) FROM Notes WHERE TEXT = 'old' AND \(zeros)") == 2)
    #expect(try number("SELECT sum(OBJECTID) FROM Notes") == 3)
    await store.close()
  }

  @Test func `A table stays editable after one that is related to it was removed`() async throws {
    try write(
      changedBy: "DROP TABLE Visits", "DELETE FROM gpkg_contents WHERE table_name = 'Visits'")
    let store = try ContractGeoPackage.edited(url)
    _ = try await store.apply([.update(3, table: "Huts", attributes: ["NAME": .text("New")])])
    _ = try await store.apply([.delete(4, table: "Huts")])
    #expect(try number("SELECT NAME = 'New' FROM Huts WHERE OBJECTID = 3") == 1)
    #expect(try number("SELECT count(*) FROM Huts") == 2)
    await store.close()
  }

  @Test func `Undo brings back a text byte for byte, also one in another encoding`() async throws {
    // Zür in ISO 8859-1, which is no text in UTF-8.
    let bytes = "SELECT hex(CAST(TEXT AS BLOB)) = '5AFC72' FROM Notes WHERE OBJECTID = 1"
    try write(changedBy: "UPDATE Notes SET TEXT = CAST(x'5AFC72' AS TEXT) WHERE OBJECTID = 1")
    #expect(try number(bytes) == 1)
    let store = try ContractGeoPackage.edited(url)
    for edit in [
      FeatureEdit.update(1, table: "Notes", attributes: ["HUT": .null]),
      .update(1, table: "Notes", attributes: ["TEXT": .text("other")]), .delete(1, table: "Notes"),
    ] {
      _ = try await store.apply([edit])
      _ = try await store.undo()
      #expect(try number(bytes) == 1)
      #expect(try number("SELECT typeof(TEXT) = 'text' FROM Notes WHERE OBJECTID = 1") == 1)
    }
    await store.close()
  }
}
