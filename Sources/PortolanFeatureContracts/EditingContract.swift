public import PortolanFeatures
public import Testing

/// The requirements on every editable store, one case at a time.
///
/// As for ``FeatureStoreContract``, the tests of a store run all cases, each on a store of its own
/// that holds ``EditingTables/all``.
public struct EditingContract: Sendable, CustomTestStringConvertible {
  /// What the store must do.
  public let name: String

  /// Records an issue for whatever the store does otherwise.
  public let check: @Sendable (any EditableFeatureStore) async throws -> Void

  public var testDescription: String { name }

  init(
    _ name: String, _ check: @escaping @Sendable (any EditableFeatureStore) async throws -> Void
  ) {
    self.name = name
    self.check = check
  }

  /// All cases.
  public static let cases: [EditingContract] =
    changing + relating + attaching + undoing + refusingValues + refusingShapes
}

extension EditableFeatureStore {
  /// A feature, or `nil` if there is none.
  func feature(_ id: Int64, in table: String) async throws -> Feature? {
    let query = QueryParameters(objectIDs: [id])
    return try await features(in: table, matching: query).collect().first
  }

  /// Everything that the tables of the contract hold.
  func contents() async throws -> [String: [Feature]] {
    var contents: [String: [Feature]] = [:]
    for table in EditingTables.all {
      contents[table.schema.name] = try await features(
        in: table.schema.name, matching: QueryParameters()
      ).collect()
    }
    return contents
  }
}
