public import PortolanFeatures
public import Testing

/// The requirements on every feature store, one case at a time.
///
/// The tests of a store run all cases, each on a store of its own that holds
/// ``ContractTables/all``:
///
/// ```swift
/// @Test(arguments: FeatureStoreContract.cases)
/// func `It keeps the contract`(_ contract: FeatureStoreContract) async throws {
///   try await contract.check(InMemoryFeatureStore(ContractTables.all))
/// }
/// ```
public struct FeatureStoreContract: Sendable, CustomTestStringConvertible {
  /// What the store must do.
  public let name: String

  /// Records an issue for whatever the store does otherwise.
  public let check: @Sendable (any FeatureStore) async throws -> Void

  public var testDescription: String { name }

  init(_ name: String, _ check: @escaping @Sendable (any FeatureStore) async throws -> Void) {
    self.name = name
    self.check = check
  }

  /// All cases.
  public static let cases: [FeatureStoreContract] =
    schemas + reading + selecting + ordering + relating + attaching + refusing
}

extension FeatureStore {
  /// The object ids that a query finds, in order.
  func ids(
    in table: String = "Towns", _ query: QueryParameters = QueryParameters()
  ) async throws -> [Int64] {
    try await features(in: table, matching: query).collect().map(\.objectID)
  }
}
