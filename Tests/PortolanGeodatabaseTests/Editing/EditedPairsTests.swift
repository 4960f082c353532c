import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeodatabase
import PortolanSQLite
import PortolanTestSupport
import Testing

/// The pairs of a relationship of many to many when one of its features is edited.
@Suite(.temporaryDirectory) struct EditedPairsTests {
  private var url: URL { temporaryDirectory.appending(path: "file.geodatabase") }

  /// The rangers guarding each park now; with `all`, at any time.
  private func pairs(all: Bool = true) throws -> [String] {
    let condition = all ? "" : "WHERE gdb_to_date > 5373484"
    let query = try Connection(at: url, access: .readOnly).query(
      "SELECT PARK || ' ' || RANGER FROM Guards \(condition) ORDER BY 1")
    var pairs: [String] = []
    while try query.step() { pairs.append(query.text(at: 0)) }
    return pairs
  }

  private static let before = ["10 a-1", "10 c-3", "11 a-1", "99 b-2"]

  @Test func `Pairs go with a feature of either end, and come back with it`() async throws {
    try ContractGeodatabase.write(ContractTables.all, isChangeTracked: false, to: url)
    let store = try ContractGeodatabase.edited(url)
    #expect(try pairs() == Self.before)
    _ = try await store.apply([.delete(1, table: "Parks")])
    #expect(try pairs() == ["11 a-1", "99 b-2"])
    _ = try await store.apply([.delete(1, table: "Rangers")])
    #expect(try pairs() == ["99 b-2"])
    _ = try await store.undo()
    #expect(try pairs() == ["11 a-1", "99 b-2"])
    _ = try await store.undo()
    #expect(try pairs() == Self.before)
    await store.close()
  }

  @Test func `A pair that has a history ends with its feature, and is not forgotten`() async throws
  {
    try ContractGeodatabase.write(ContractTables.all, isChangeTracked: true, to: url)
    let store = try ContractGeodatabase.edited(url)
    _ = try await store.apply([.delete(1, table: "Rangers")])
    #expect(try pairs(all: false) == ["10 c-3", "99 b-2"])
    #expect(try pairs() == Self.before)
    _ = try await store.undo()
    #expect(try pairs(all: false) == Self.before)
    await store.close()
  }

  @Test func `A feature without a key has no pairs to lose`() async throws {
    try ContractGeodatabase.write(ContractTables.all, isChangeTracked: false, to: url)
    let store = try ContractGeodatabase.edited(url)
    _ = try await store.apply([.delete(3, table: "Parks")])
    #expect(try pairs() == Self.before)
    await store.close()
  }
}
