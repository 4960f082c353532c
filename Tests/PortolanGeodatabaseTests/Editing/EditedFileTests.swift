import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The remains of transactions, and of parts of them, that fail.
@Suite(.temporaryDirectory) struct EditedFileTests {
  private var url: URL { temporaryDirectory.appending(path: "file.geodatabase") }

  private static let place = EditPlace(table: "Notes")
  private static let aboutRow = FeatureEditError.nullNotAllowed(field: "TEXT", place)

  private func file() throws -> EditedFile {
    try ContractGeodatabase.write(EditingTables.all, isChangeTracked: false, to: url)
    return try EditedFile(url, GeodatabaseFormat(), EsriFunctions())
  }

  private func set(
    _ text: String, _ id: Int64, in file: EditedFile
  ) throws(FeatureEditError) {
    try file.run(
      "UPDATE Notes SET TEXT = ?1 WHERE OBJECTID = ?2", [.text(text), .integer(id)], in: "a test")
  }

  /// The texts that another program sees.
  private func texts() throws -> [String] {
    let query = try Connection(at: url, access: .readOnly).query(
      "SELECT TEXT FROM Notes ORDER BY OBJECTID")
    var texts: [String] = []
    while try query.step() { texts.append(query.text(at: 0)) }
    return texts
  }

  @Test(arguments: [aboutRow, .cancelled])
  func `A failed part of a transaction leaves nothing, and the rest is stored`(
    _ failure: FeatureEditError
  ) throws {
    let file = try file()
    var told: FeatureEditError?
    try file.transaction { () throws(FeatureEditError) in
      try set("first", 1, in: file)
      do throws(FeatureEditError) {
        try file.attempt { () throws(FeatureEditError) in
          for id in [1, 2] as [Int64] { try set("lost", id, in: file) }
          throw failure
        }
      } catch {
        told = error
      }
      try file.attempt { () throws(FeatureEditError) in try set("second", 2, in: file) }
    }
    #expect(told == failure)
    #expect(try texts() == ["first", "second"])
  }

  @Test func `An object id of a part that failed is given out again, and noted then`() throws {
    let file = try file()
    let rows = GeodatabaseRows(
      file: file, writer: RowWriter(file, moment: JulianDay.day(EditingTables.moment)),
      makeID: { UUID() })
    let table = try file.table("Notes")
    var ids: [Int64] = []
    try file.transaction { () throws(FeatureEditError) in
      do throws(FeatureEditError) {
        try file.attempt { () throws(FeatureEditError) in
          ids.append(try rows.nextObjectID(of: table, at: Self.place))
          throw Self.aboutRow
        }
      } catch {
        // The part has failed, as it was to.
      }
      ids.append(try rows.nextObjectID(of: table, at: Self.place))
    }
    let noted = try Connection(at: url, access: .readOnly).query(
      """
      SELECT base_id FROM GDB_RowidGenerators AS g
      JOIN GDB_TableRegistry AS r ON r.registration_id = g.registration_id
      WHERE r.table_name = 'Notes'
      """)
    try #require(try noted.step())
    #expect(ids.count == 2 && ids[0] == ids[1])
    #expect(noted.integer(at: 0) == ids[1] + 1)
  }

  @Test(arguments: [true, false])
  func `A part that rolls back the whole transaction ends it`(
    isAboutRow: Bool
  ) throws {
    let file = try file()
    let failure = isAboutRow ? Self.aboutRow : .cancelled
    let told = #expect(throws: FeatureEditError.self) {
      try file.transaction { () throws(FeatureEditError) in
        try set("first", 1, in: file)
        try file.attempt { () throws(FeatureEditError) in
          try file.run("ROLLBACK", in: "a test")
          throw failure
        }
      }
    }
    // A caller that goes on after a row that is refused must not do so here.
    let damage = FeatureEditError.damaged(
      file: url.path(percentEncoded: false), place: "the file",
      reason: "no such savepoint: attempt")
    #expect(told == (isAboutRow ? damage : failure))
    #expect(try texts() == ["old", "old"])
    try file.transaction { () throws(FeatureEditError) in try set("next", 1, in: file) }
    #expect(try texts() == ["next", "old"])
  }

  @Test func `A defect of a row is distinguished from one of the file`() {
    let rows: [FeatureEditError] = [
      Self.aboutRow, .unknownField(name: "F", Self.place),
      .wrongType(field: "F", expected: .string, found: .null, Self.place),
      .outOfRange(field: "F", type: .integer, found: .null, Self.place),
      .textTooLong(field: "F", length: 2, limit: 1, Self.place),
      .dataTooLong(field: "F", length: 2, limit: 1, Self.place),
      .unknownSubtype(field: "F", value: .null, available: [], Self.place),
      .geometryNotAllowed(Self.place),
      .wrongGeometryType(expected: .point, found: .polygon, Self.place),
      .missingHeights(Self.place), .surplusOrdinates(.m, Self.place),
      .incompleteGeometry(reason: "r", Self.place), .notFinite(.x, Self.place),
      .outsideCoordinateRange(.x, value: 2, range: 0...1, Self.place), .ringsCross(Self.place),
      .objectIDsUsedUp(Self.place), .refused(file: "f", reason: "r", Self.place),
    ]
    let files: [FeatureEditError] = [
      .cancelled, .noSuchTable(name: "T", available: []),
      .tableNotEditable(table: "T", reason: "r"), .noSuchRow(objectID: 1, Self.place),
      .noSuchAttachment(id: 1, Self.place), .noAttachments(Self.place), .nothingToUndo,
      .fileReadOnly(file: "f"), .folderReadOnly(folder: "f"), .diskFull(file: "f"),
      .locked(file: "f", holder: nil), .closed(file: "f"), .unreadable(file: "f", reason: "r"),
      .damaged(file: "f", place: "p", reason: "r"), .writeFailed(file: "f", reason: "r"),
      .unconfirmed(file: "f", reason: "r"),
    ]
    #expect(rows.filter { !$0.isAboutRow } == [])
    #expect(files.filter(\.isAboutRow) == [])
  }
}
