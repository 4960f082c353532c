import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The answers of a geodatabase that others change, lock or damage while it is open.
@Suite(.temporaryDirectory) struct BusyGeodatabaseTests {
  private var url: URL { temporaryDirectory.appending(path: "file.geodatabase") }

  private func opened() throws -> Geodatabase {
    try ContractGeodatabase.write(EditingTables.all, isChangeTracked: false, to: url)
    return try Geodatabase.open(at: url)
  }

  /// Writes a table of 2,000 rows.
  private func writeRows() throws {
    let schema = FeatureTableSchema(
      name: "Rows",
      fields: [
        Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
        Field("NAME", .string, length: 40),
      ])
    let writer = try GeodatabaseWriter(
      at: url, GeodatabaseDefinition(name: "Rows", tables: [.init(schema)]), now: Example.moment,
      makeID: Example.ids())
    for number in 1...2_000 {
      let attributes = Attributes(
        FieldList(schema.fields), [.null, .text("row number \(number)!")])
      try writer.append(Feature(objectID: 0, attributes: attributes), to: "Rows")
    }
    try writer.finish()
  }

  /// Gives up at once where another holds a lock.
  private func waitNoLonger(_ geodatabase: Geodatabase) async throws {
    try await geodatabase.read { reader throws(FeatureStoreError) in
      try reader.translating("a test") { () throws(DatabaseError) in
        try reader.connection.execute("PRAGMA busy_timeout = 0")
      }
    }
  }

  private static func isBusy(_ error: any Error) -> Bool {
    if case .busy? = error as? FeatureStoreError { true } else { false }
  }

  @Test func `A file that was busy is read once it is free, in questions and walks`() async throws {
    let geodatabase = try opened()
    try await waitNoLonger(geodatabase)
    let other = try Connection(at: url, access: .edit)
    for _ in 1...2 {
      try other.execute("BEGIN EXCLUSIVE")
      await #expect(
        performing: {
          try await geodatabase.count(in: "Huts", matching: .init())
        }, throws: Self.isBusy)
      await #expect(
        performing: {
          try await geodatabase.features(in: "Huts", matching: .init()).collect()
        }, throws: Self.isBusy)
      try other.execute("ROLLBACK")
      #expect(try await geodatabase.count(in: "Huts", matching: .init()) == 3)
      #expect(try await geodatabase.features(in: "Huts", matching: .init()).collect().count == 3)
    }
    try other.execute("UPDATE Huts SET NAME = 'theirs'")
  }

  @Test func `A tap finds what is there after another program has dropped the index`() async throws
  {
    let geodatabase = try opened()
    let place = Coordinate(x: 1.5, y: 45)
    #expect(try await geodatabase.objectIDs(in: "Huts", touching: place, within: 0.1) == [3])
    let other = try Connection(at: url, access: .edit)
    try other.execute("DROP TABLE st_spindex__Huts_Shape")
    try other.execute("DELETE FROM Huts WHERE OBJECTID = 4")
    #expect(try await geodatabase.objectIDs(in: "Huts", touching: place, within: 0.1) == [3])
    #expect(try await geodatabase.objectIDs(in: "Huts", touching: place, within: 9) == [3, 9])
  }

  @Test func `A walk that was begun comes to its end though the file is closed meanwhile`()
    async throws
  {
    let geodatabase = try opened()
    var walk = geodatabase.features(in: "Huts", matching: .init()).makeAsyncIterator()
    #expect(try await walk.next()?.objectID == 3)
    await geodatabase.close()
    #expect(try await walk.next()?.objectID == 4)
    #expect(try await walk.next()?.objectID == 9)
    #expect(try await walk.next() == nil)
    await #expect(throws: FeatureStoreError.self) {
      try await geodatabase.features(in: "Huts", matching: .init()).collect()
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `A long walk that was begun comes to its end though the file is closed meanwhile`()
    async throws
  {
    try writeRows()
    let geodatabase = try Geodatabase.open(at: url)
    var walk = geodatabase.features(in: "Rows", matching: .init()).makeAsyncIterator()
    var count = try await walk.nextFeatures().count
    await geodatabase.close()
    while case let page = try await walk.nextFeatures(), !page.isEmpty { count += page.count }
    #expect(count == 2_000)
  }

  @Test func `Rows before a damaged page are read, and the damage is reported after them`()
    async throws
  {
    try writeRows()
    var bytes = try Data(contentsOf: url)
    let place = try #require(bytes.range(of: Data("row number 250!".utf8))).lowerBound
    let pageSize = Int(bytes[16]) << 8 | Int(bytes[17])
    let page = place / pageSize * pageSize
    bytes.replaceSubrange(page..<page + pageSize, with: Data(count: pageSize))
    try bytes.write(to: url)
    let geodatabase = try Geodatabase.open(at: url)
    var walk = geodatabase.features(in: "Rows", matching: .init()).makeAsyncIterator()
    var ids: [Int64] = []
    let error = await #expect(throws: FeatureStoreError.self) {
      while let row = try await walk.next() { ids.append(row.objectID) }
    }
    #expect(!ids.isEmpty && ids == Array(1...Int64(ids.count)) && ids.count < 250)
    guard case .damaged? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
