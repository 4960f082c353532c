internal import Foundation
internal import PortolanFeatureTables
public import PortolanFeatures
internal import PortolanGeometry
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
      query, conditions: conditions, of: storage, schema: schema(of: storage.name),
      usingIndex: !isWhollyInside(query.extent, storage))
    let statement = try statement(plan.sql, plan.values, storage)
    return FeatureCursor(plan, statement, source.location)
  }

  /// Whether no shape of the table reaches out of an extent, so that looking each of them up in the
  /// spatial index would only cost time.
  ///
  /// Four questions that the root of the index answers if it is so, the first of which usually finds
  /// a shape if it is not.
  private borrowing func isWhollyInside(
    _ extent: Envelope?, _ storage: TableStorage
  ) throws(FeatureStoreError) -> Bool {
    guard let extent, let index = storage.geometry?.index else { return false }
    let name = SQLIdentifier.quoted(index)
    let edges = [
      ("maxx >", extent.xMax), ("minx <", extent.xMin), ("maxy >", extent.yMax),
      ("miny <", extent.yMin),
    ]
    for (edge, value) in edges {
      let beyond = try statement(
        "SELECT 1 FROM \(name) WHERE \(edge) ? LIMIT 1", [.real(value)], storage)
      if try step(beyond, "the spatial index of \(storage.name)") { return false }
    }
    return true
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
    guard !statements.hasWhereFunctions else { return }
    try translating("its header") { () throws(DatabaseError) in
      try connection.registerWhereFunctions()
    }
    statements.hasWhereFunctions = true
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
