import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeometry
import Testing

@Suite struct InMemoryFeatureStoreTests {
  @Test(arguments: FeatureStoreContract.cases)
  func `The store in memory keeps the contract`(_ contract: FeatureStoreContract) async throws {
    try await contract.check(InMemoryFeatureStore(ContractTables.all))
  }

  @Test(arguments: EditingContract.cases)
  func `The store in memory can be edited as any other`(_ contract: EditingContract) async throws {
    try await contract.check(
      InMemoryFeatureStore(
        EditingTables.all, user: EditingTables.user, now: { EditingTables.moment }))
  }

  @Test func `The clock of where clauses is the one given`() async throws {
    let store = InMemoryFeatureStore(ContractTables.all, now: { Date(timeIntervalSince1970: 0) })
    let query = QueryParameters(whereClause: "FOUNDED < CURRENT_TIMESTAMP")
    #expect(try await store.count(in: "Towns", matching: query) == 1)
  }

  @Test func `Attributes of other fields are found by name`() async throws {
    let schema = FeatureTableSchema(
      name: "t", fields: [Field("OBJECTID", .objectID), Field("A", .integer), Field("B", .string)])
    let attributes = Attributes(
      FieldList([Field("b", .string), Field("C", .string)]), [.text("x"), .text("y")])
    let store = InMemoryFeatureStore([
      FeatureTableContents(
        schema: schema, features: [Feature(objectID: 5, attributes: attributes)])
    ])
    let found = try await store.features(
      in: "T", matching: QueryParameters(whereClause: "OBJECTID = 5")
    ).collect()
    #expect(found.first?.attributes.values == [.integer(5), .null, .text("x")])
  }
}
