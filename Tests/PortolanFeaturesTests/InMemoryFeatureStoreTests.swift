import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeometry
import Testing

@Suite struct InMemoryFeatureStoreTests {
  @Test(arguments: FeatureStoreContract.cases)
  func `The store in memory keeps the contract`(_ contract: FeatureStoreContract) async throws {
    let store = InMemoryFeatureStore(ContractTables.all, now: { ContractTables.now })
    try await contract.check(store)
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
