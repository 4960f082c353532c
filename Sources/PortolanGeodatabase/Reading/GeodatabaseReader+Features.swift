internal import Foundation
internal import PortolanFeatureTables
public import PortolanFeatures
internal import PortolanSQLite

extension GeodatabaseReader {
  /// The features of a table, all at once; for results known to be small.
  public borrowing func features(
    in table: String, matching query: QueryParameters
  ) throws(FeatureStoreError) -> [Feature] {
    let cursor = try cursor(in: table, matching: query)
    var features: [Feature] = []
    while let feature = try cursor.next() { features.append(feature) }
    return features
  }

  /// Calls `body` with each feature of a table in turn; stops where it returns `false`.
  public borrowing func forEachFeature(
    in table: String, matching query: QueryParameters,
    _ body: (Feature) throws(FeatureStoreError) -> Bool
  ) throws(FeatureStoreError) {
    let cursor = try cursor(in: table, matching: query)
    while let feature = try cursor.next() {
      guard try body(feature) else { return }
    }
  }

  // MARK: - Plans

  /// Starts to read the features of a table.
  borrowing func cursor(
    in table: String, matching query: QueryParameters
  ) throws(FeatureStoreError) -> FeatureCursor {
    let storage = try storage(of: table)
    return try cursor(in: storage, matching: query, conditions(of: query, storage))
  }

  /// Starts to read the features of a table under conditions that include those of the query.
  borrowing func cursor(
    in storage: TableStorage, matching query: QueryParameters, _ conditions: RowConditions
  ) throws(FeatureStoreError) -> FeatureCursor {
    let plan = try FeaturePlan(
      query, conditions: conditions, of: storage, schema: schema(of: storage.name))
    let statement = try statement(plan.sql, plan.values, storage)
    return FeatureCursor(plan, statement, source.location)
  }

  /// The conditions of a query, but for its extent.
  borrowing func conditions(
    of query: QueryParameters, _ storage: TableStorage
  ) throws(FeatureStoreError) -> RowConditions {
    let conditions = try RowConditions(
      query, of: storage, schema: schema(of: storage.name), now: Date())
    if conditions.usesWhereFunctions { try registerWhereFunctions() }
    return conditions
  }

  private borrowing func registerWhereFunctions() throws(FeatureStoreError) {
    guard !held.hasWhereFunctions else { return }
    try translating("its header") { () throws(DatabaseError) in
      try connection.registerWhereFunctions()
    }
    held.hasWhereFunctions = true
  }

  borrowing func statement(
    _ sql: String, _ values: [SQLValue], _ storage: TableStorage
  ) throws(FeatureStoreError) -> Query {
    do {
      if storage.isView { try connection.allowViews() }
      let query = try connection.query(sql)
      for (index, value) in values.enumerated() { try query.bind(value, at: index + 1) }
      return query
    } catch {
      throw source.location.failure(error, in: "the table \(storage.name)")
    }
  }
}
