import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeodatabase
import PortolanGeometry
import PortolanTestSupport
import Testing

@testable import PortolanGeoPackage

/// Tables whose rows SQLite does not number, or hides the numbers of.
@Suite(.temporaryDirectory) struct RowNumberTests: ChangedGeoPackage {
  private static let listed =
    "INSERT INTO gpkg_contents (table_name, data_type) VALUES ('Codes', 'attributes')"

  @Test func `A table without row numbers is edited by its key, and what was done is undone`()
    async throws
  {
    try write(
      changedBy:
        """
        CREATE TABLE Codes (code INTEGER PRIMARY KEY, name TEXT, _ROWID_ INTEGER DEFAULT 4)
        WITHOUT ROWID
        """, "INSERT INTO Codes (code, name) VALUES (3, 'three'), (4, 'four')", Self.listed)
    let store = try ContractGeoPackage.edited(url)
    #expect(try await store.editability(of: "Codes") == .editable)
    // The row of another table has another number.
    let results = try await store.apply([
      .add(NewFeature(attributes: ["TEXT": .text("x")]), table: "Notes"),
      .add(NewFeature(attributes: ["name": .text("five")]), table: "Codes"),
      .update(3, table: "Codes", attributes: ["name": .text("new")]), .delete(4, table: "Codes"),
    ])
    #expect(results.map(\.objectID) == [3, 5, 3, 4])
    #expect(
      try number(
        "SELECT count(*) FROM Codes WHERE (code, name) IN (VALUES (3, 'new'), (5, 'five'))") == 2)
    #expect(try number("SELECT count(*) FROM Codes") == 2)
    let changes = try await store.localChanges().changes.filter { $0.table == "Codes" }
    #expect(Set(changes.map(\.objectID)) == [3, 4, 5])
    _ = try await store.undo()
    #expect(
      try number(
        "SELECT count(*) FROM Codes WHERE (code, name) IN (VALUES (3, 'three'), (4, 'four'))")
        == 2)
    #expect(try number("SELECT count(*) FROM Codes WHERE \"_ROWID_\" = 4") == 2)
    #expect(try number("SELECT count(*) FROM Codes") == 2)
    await store.close()
  }

  @Test func `The spatial index of a table without row numbers has its keys`() async throws {
    try write(
      changedBy:
        "CREATE TABLE Spots (fid INTEGER PRIMARY KEY, shape BLOB, name TEXT) WITHOUT ROWID",
      """
      INSERT INTO gpkg_contents (table_name, data_type, srs_id)
      SELECT 'Spots', 'features', srs_id FROM gpkg_contents WHERE table_name = 'Huts'
      """,
      """
      INSERT INTO gpkg_geometry_columns SELECT 'Spots', 'shape', 'POINT', srs_id, 0, 0
      FROM gpkg_geometry_columns WHERE table_name = 'Huts'
      """, "CREATE VIRTUAL TABLE rtree_Spots_shape USING rtree(id, minx, maxx, miny, maxy)")
    let store = try ContractGeoPackage.edited(url)
    let spot = NewFeature(
      attributes: ["name": .text("a")], geometry: .point(Point(x: 7, y: 8)))
    _ = try await store.apply([
      .add(NewFeature(attributes: ["TEXT": .text("x")]), table: "Notes"),
      .add(spot, table: "Spots"),
    ])
    #expect(try number("SELECT id FROM rtree_Spots_shape WHERE minx <= 7 AND maxx >= 7") == 1)
    let box = Envelope(xMin: 6, yMin: 7, xMax: 8, yMax: 9)
    let found = try await store.features(
      in: "Spots", matching: QueryParameters(extent: box)
    ).collect()
    #expect(found.map(\.objectID) == [1])
    _ = try await store.undo()
    #expect(try number("SELECT count(*) FROM rtree_Spots_shape") == 0)
    await store.close()
  }

  @Test(arguments: [
    (
      "CREATE TABLE Codes (code TEXT PRIMARY KEY, name TEXT) WITHOUT ROWID",
      "SQLite does not number its rows, and it has no key of one whole number"
    ),
    (
      "CREATE TABLE Codes (a INTEGER, b INTEGER, name TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID",
      "SQLite does not number its rows, and it has no key of one whole number"
    ),
    (
      "CREATE TABLE Codes (rowid TEXT, _rowid_ TEXT, oid TEXT)",
      "SQLite does not number its rows, and it has no key of one whole number"
    ),
    ("CREATE TABLE Codes (RowID TEXT, name TEXT)", "it has no object ids"),
  ])
  func `A table whose rows nothing numbers is read, and not edited, with the reason`(
    _ sql: String, _ reason: String
  ) async throws {
    try write(changedBy: sql, "INSERT INTO Codes VALUES (\(Self.values(for: sql)))", Self.listed)
    let store = try ContractGeoPackage.edited(url)
    let refusal = FeatureEditError.tableNotEditable(table: "Codes", reason: reason)
    #expect(try await store.editability(of: "Codes") == .readOnly(refusal))
    await #expect(throws: refusal) { try await store.apply([.delete(1, table: "Codes")]) }
    let rows = try await store.features(in: "Codes", matching: QueryParameters()).collect()
    #expect(rows.map(\.objectID) == [1])
    await store.close()
  }

  private static func values(for sql: String) -> String {
    let isOfThree = sql.contains("PRIMARY KEY (a, b)") || sql.contains("_rowid_")
    return isOfThree ? "9, 2, 'x'" : "'a', 'x'"
  }

  @Test(arguments: ["'a'", "1.5"])
  func `A key that is no whole number, where SQLite does not number rows, keeps a table from edits`(
    _ key: String
  ) async throws {
    try write(
      changedBy: "CREATE TABLE Codes (code INTEGER PRIMARY KEY, name TEXT) WITHOUT ROWID",
      "INSERT INTO Codes VALUES (1, 'one'), (\(key), 'other')", Self.listed)
    let store = try ContractGeoPackage.edited(url)
    let reason = "SQLite does not number its rows, and not all of their keys are whole numbers"
    let refusal = FeatureEditError.tableNotEditable(table: "Codes", reason: reason)
    await #expect(throws: refusal) { try await store.apply([.delete(1, table: "Codes")]) }
    #expect(try number("SELECT count(*) FROM Codes") == 2)
    await store.close()
  }

  @Test func `Files of a feature are not removed where nothing numbers their pairs`() async throws {
    try write(
      changedBy: "CREATE TABLE pairs AS SELECT base_id, related_id FROM Huts__ATTACHREL",
      "DROP TABLE Huts__ATTACHREL",
      """
      CREATE TABLE Huts__ATTACHREL (base_id INTEGER NOT NULL, related_id INTEGER NOT NULL,
        PRIMARY KEY (base_id, related_id)) WITHOUT ROWID
      """, "INSERT INTO Huts__ATTACHREL SELECT base_id, related_id FROM pairs", "DROP TABLE pairs")
    let store = try ContractGeoPackage.edited(url)
    let refusal = FeatureEditError.tableNotEditable(
      table: "Huts__ATTACHREL",
      reason: "SQLite does not number its rows, and it has no key of one whole number")
    await #expect(throws: refusal) { try await store.apply([.delete(3, table: "Huts")]) }
    #expect(try await store.attachments(of: 3, in: "Huts").map(\.name) == ["a.jpg"])
    #expect(try number("SELECT count(*) FROM Huts") == 3)
    await store.close()
  }
}
