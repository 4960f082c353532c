import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase
@testable import PortolanSQLite

/// The errors of an editor that follow from faults below it, and from values that a column cannot
/// hold.
@Suite(.temporaryDirectory) struct EditErrorTests {
  private var url: URL { temporaryDirectory.appending(path: "file.geodatabase") }
  private var path: String { url.path(percentEncoded: false) }

  private static let place = EditPlace(edit: 2, table: "Huts", objectID: 4)

  private func file() throws -> EditedFile {
    try ContractGeodatabase.write(EditingTables.all, isChangeTracked: true, to: url)
    return try EditedFile(url, GeodatabaseFormat(), EsriFunctions())
  }

  /// The meaning of an error of SQLite for an edit.
  private func meaning(
    of code: Int32, in file: EditedFile, _ edit: EditPlace? = nil
  ) -> FeatureEditError? {
    let failure = DatabaseError(
      extendedCode: code, message: "so", sql: nil, file: nil,
      holder: FileLockHolder(processID: .max, program: "other"))
    do throws(FeatureEditError) {
      try file.doing("the rows", edit) { _ throws(DatabaseError) in throw failure }
      return nil
    } catch {
      return error
    }
  }

  @Test func `A failure of SQLite is described in terms of editing`() throws {
    let file = try file()
    let damage = FeatureEditError.damaged(file: path, place: "the rows", reason: "so")
    let failure = FeatureEditError.writeFailed(file: path, reason: "so")
    let lock = FeatureEditError.locked(file: path, holder: "process \(Int32.max) (other)")
    let meanings: [(codes: [Int32], error: FeatureEditError)] = [
      ([9], .cancelled),
      // Busy, as while another recovers the file, and locked.
      ([5, 261, 6], lock), ([13], .diskFull(file: path)),
      // Input and output, as when reading or writing; a file that is read-only or cannot be opened.
      ([10, 266, 778, 8, 14], failure),
      // Damage, something else than a database, wrong SQL.
      ([11, 26, 1], damage),
    ]
    for (codes, error) in meanings {
      for code in codes {
        #expect(meaning(of: code, in: file) == error, "\(code)")
        #expect(meaning(of: code, in: file, Self.place) == error, "\(code)")
      }
    }
    // A rule of the table is somebody's edit, or else it is the file that is wrong.
    for code in [19, 2_067] as [Int32] {
      #expect(meaning(of: code, in: file) == damage)
      #expect(
        meaning(of: code, in: file, Self.place)
          == .refused(file: path, reason: "so", Self.place))
    }
  }

  @Test func `A file system error is reported rather than SQLite's description of it`() throws {
    let file = try file()
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    for code in [8, 14] as [Int32] {
      #expect(meaning(of: code, in: file) == .fileReadOnly(file: path))
    }
    #expect(meaning(of: 10, in: file) == .writeFailed(file: path, reason: "so"))
  }

  @Test(
    arguments: [
      (.cancelled, .cancelled),
      (.noSuchTable(name: "A", available: ["B"]), .noSuchTable(name: "A", available: ["B"])),
      (.noSuchField(name: "F", table: "T"), .unknownField(name: "F", EditPlace(table: "T"))),
      (
        .badWhereClause(reason: "r", offset: 3),
        .damaged(file: "", place: "a where clause", reason: "r")
      ),
      (
        .damaged(file: "f", place: "p", reason: "r"), .damaged(file: "f", place: "p", reason: "r")
      ),
      (.unreadable(file: "f", reason: "r"), .unreadable(file: "f", reason: "r")),
      (
        .unreadableRow(UnreadableRow(file: "f", table: "T", objectID: 7, reason: "r")),
        .damaged(file: "f", place: "row 7 of T", reason: "r")
      ),
      (
        .unreadableRow(
          UnreadableRow(file: "f", table: "T", objectID: 7, reason: "r", isDamaged: false)),
        .unreadable(file: "f", reason: "in row 7 of T, r")
      ),
      (.busy(file: "f", holder: "h"), .locked(file: "f", holder: "h")),
      (.unsupported(file: "f", feature: "x"), .unreadable(file: "f", reason: "it uses x")),
      (
        .unanswered(UnansweredQuery(cause: .network, reason: "r")),
        .unreadable(file: "", reason: "r")
      ),
    ] as [(FeatureStoreError, FeatureEditError)])
  func `A failure of a reader is described in terms of editing`(
    _ error: FeatureStoreError, _ told: FeatureEditError
  ) {
    #expect(FeatureEditError(error) == told)
  }

  @Test func `A value goes to the column of its field, as that stores it`() throws {
    let huts = try file().table("HUTS")
    let id = "22222222-0000-4000-8000-00000000000A"
    let values: [(field: String, value: AttributeValue, column: String, stored: SQLValue)] = [
      ("area", .integer(7), "AREA", .real(7)), ("NAME", .text("x"), "NAME", .text("x")),
      ("Beds", .double(3), "BEDS", .integer(3)), ("OWNER", .text(id), "OWNER", .text("{\(id)}")),
      ("SEAL", .null, "SEAL", .null),
    ]
    for value in values {
      let found = try huts.stored(value.value, in: value.field, at: Self.place)
      #expect(found.column == value.column && found.value == value.stored)
    }
  }

  @Test func `A value that its column cannot hold is named, with the limit`() throws {
    let huts = try file().table("Huts")
    let large = AttributeValue.integer(1 << 40)
    let refusals: [(field: String, value: AttributeValue, error: FeatureEditError)] = [
      ("HEIGHT", .integer(1), .unknownField(name: "HEIGHT", Self.place)),
      ("Shape", .blob(Data([1])), .unknownField(name: "Shape", Self.place)),
      (
        "BEDS", .integer(70_000),
        .outOfRange(field: "BEDS", type: .smallInteger, found: .integer(70_000), Self.place)
      ),
      ("KIND", large, .outOfRange(field: "KIND", type: .integer, found: large, Self.place)),
      (
        "NAME", .text("thirteen long"),
        .textTooLong(field: "NAME", length: 13, limit: 12, Self.place)
      ),
      (
        "OWNER", .text("me"),
        .wrongType(field: "OWNER", expected: .guid, found: .text("me"), Self.place)
      ),
      (
        "AREA", .text("1"),
        .wrongType(field: "AREA", expected: .double, found: .text("1"), Self.place)
      ),
    ]
    for (field, value, error) in refusals {
      #expect(throws: error) { try huts.stored(value, in: field, at: Self.place) }
    }
  }

  @Test func `Only tables that lie in the file are tables to edit`() throws {
    try ContractGeodatabase.write(EditingTables.all, isChangeTracked: true, to: url)
    try Connection(at: url, access: .readWrite).execute("CREATE VIEW seen AS SELECT * FROM Huts")
    let file = try EditedFile(url, GeodatabaseFormat(), EsriFunctions())
    // The second time from what is remembered.
    for _ in 1...2 {
      #expect(try file.hasTable("HUTS"))
      for name in ["seen", "st_spindex__Huts_Shape", "Hut"] {
        #expect(try !file.hasTable(name), "\(name)")
      }
    }
  }

  @Test func `The editability of a missing table is not reported`() async throws {
    try ContractGeodatabase.write(EditingTables.all, isChangeTracked: true, to: url)
    let store = try ContractGeodatabase.edited(url)
    await #expect {
      try await store.editability(of: "Hut")
    } throws: {
      if case .noSuchTable("Hut", _)? = $0 as? FeatureEditError { true } else { false }
    }
    await store.close()
  }

  @Test func `Coordinates reach as far as the numbers of the grid`() {
    let grid = CoordinatePrecision(
      xOrigin: -400, yOrigin: -300, xyScale: 1e9, zOrigin: -100, zScale: 10, mOrigin: 5,
      mScale: 100)
    func range(_ start: Double, _ scale: Double) -> ClosedRange<Double> {
      start...(start + 9_007_199_254_740_990 / scale)
    }
    let expected = CoordinateRange(
      x: range(-400, 1e9), y: range(-300, 1e9), z: range(-100, 10), m: range(5, 100))
    #expect(grid.range == expected)
    // If a step is smaller than the precision of a number, nothing is known.
    #expect(CoordinatePrecision(xOrigin: 1e300, yOrigin: 0, xyScale: 1).range.x == nil)
  }
}
