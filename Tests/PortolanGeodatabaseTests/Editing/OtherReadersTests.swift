import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeodatabase
import PortolanSQLite
import PortolanTestSupport
import Testing

/// Whether readers that were open before somebody edits keep working.
@Suite(.temporaryDirectory) struct OtherReadersTests {
  @Test(arguments: ["DELETE", "WAL"])
  func `A reader sees what was edited since it was opened`(mode: String) async throws {
    let url = temporaryDirectory.appending(path: "file.geodatabase")
    try ContractGeodatabase.write(EditingTables.all, isChangeTracked: true, to: url)
    try Connection(at: url, access: .readWrite).execute("PRAGMA journal_mode = \(mode)")
    let reader = try Geodatabase.open(at: url)
    let twelve = QueryParameters(whereClause: "AREA = 12")
    #expect(try await reader.count(in: "Huts", matching: twelve) == 0)
    var walk = reader.features(in: "Huts", matching: .init()).makeAsyncIterator()
    #expect(try await walk.next()?.objectID == 3)
    let store = try ContractGeodatabase.edited(url)
    for id in [3, 4, 9] as [FeatureReference] {
      _ = try await store.apply([.update(id, table: "Huts", attributes: ["AREA": .integer(12)])])
    }
    #expect(try await reader.count(in: "Huts", matching: twelve) == 3)
    _ = try await store.apply([.delete(3, table: "Huts")])
    #expect(try await reader.count(in: "Huts", matching: twelve) == 2)
    await store.close()
    #expect(try await reader.count(in: "Huts", matching: twelve) == 2)
    #expect(try await walk.next()?.objectID == 4)
  }

  @Test func `Ending an edit session does not wait for a reader that stays`() async throws {
    let url = temporaryDirectory.appending(path: "file.geodatabase")
    try ContractGeodatabase.write(EditingTables.all, isChangeTracked: true, to: url)
    let store = try ContractGeodatabase.edited(url)
    _ = try await store.apply([.update(3, table: "Huts", attributes: ["AREA": .integer(12)])])
    let reader = try Geodatabase.open(at: url)
    let twelve = QueryParameters(whereClause: "AREA = 12")
    #expect(try await reader.count(in: "Huts", matching: twelve) == 1)
    let duration = await ContinuousClock().measure { await store.close() }
    #expect(duration < .seconds(2), "whoever begins waits as long")
    #expect(try await reader.count(in: "Huts", matching: twelve) == 1)
  }

  @Test func `Ending an edit session leaves the journal, whatever was read of it meanwhile`()
    async throws
  {
    let url = temporaryDirectory.appending(path: "file.geodatabase")
    try ContractGeodatabase.write(EditingTables.all, isChangeTracked: true, to: url)
    try Connection(at: url, access: .readWrite).execute("PRAGMA journal_mode = DELETE")
    let store = try ContractGeodatabase.edited(url)
    _ = try await store.apply([.update(3, table: "Huts", attributes: ["AREA": .integer(12)])])
    var count = 0
    for try await _ in store.features(in: "Huts", matching: .init()) { count += 1 }
    #expect(count == 3)
    await store.close()
    // Bytes 18 and 19 of the header say whether there is a write-ahead log.
    #expect(try Data(contentsOf: url)[18..<20] == Data([1, 1]))
    let names = try FileManager.default.contentsOfDirectory(atPath: temporaryDirectory.path)
    #expect(names.filter { $0.hasPrefix("file.geodatabase-") }.isEmpty)
  }
}
