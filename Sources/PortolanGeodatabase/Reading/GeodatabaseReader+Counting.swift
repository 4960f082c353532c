internal import Foundation
public import PortolanFeatures
public import PortolanGeometry
internal import PortolanSQLite

extension GeodatabaseReader {
  /// How many features match; order, offset and limit do not count.
  public borrowing func count(
    in table: String, matching query: QueryParameters
  ) throws(FeatureStoreError) -> Int {
    let storage = try storage(of: table)
    let conditions = try conditions(of: query, storage)
    guard let extent = query.extent else { return try count(storage, conditions) }
    guard let index = storage.geometry?.index else {
      return try countOneByOne(in: table, query, conditions)
    }
    var inside = conditions
    inside.add(.isInside, extent, index: index, of: storage)
    var straddling = conditions
    straddling.add(.straddles, extent, index: index, of: storage)
    return try count(storage, inside) + countOneByOne(in: table, query, straddling)
  }

  /// The box around the shapes that match, or `nil` if there are none.
  public borrowing func extent(
    of table: String, matching query: QueryParameters
  ) throws(FeatureStoreError) -> Envelope? {
    let storage = try storage(of: table)
    guard let geometry = storage.geometry, !geometry.holdsForeignShapes else { return nil }
    var conditions = try conditions(of: query, storage)
    if conditions.clauses.isEmpty, query.extent == nil, let index = geometry.index {
      return try extent(of: storage, outermostIn: index)
    }
    if let extent = query.extent, let index = geometry.index {
      conditions.add(.meets, extent, index: index, of: storage)
    }
    return try extent(of: storage, conditions, meeting: query.extent)
  }

  private borrowing func count(
    _ storage: TableStorage, _ conditions: RowConditions
  ) throws(FeatureStoreError) -> Int {
    let query = try statement(
      "SELECT count(*) FROM \(storage.source) AS t \(conditions.sql)", conditions.values,
      storage)
    return try step(query, alongRowsOf: storage.name) ? Int(query.integer(at: 0)) : 0
  }

  /// Counts shapes whose own boxes meet the extent.
  private borrowing func countOneByOne(
    in table: String, _ query: QueryParameters, _ conditions: RowConditions
  ) throws(FeatureStoreError) -> Int {
    let storage = try storage(of: table)
    var count = 0
    try forEachExtent(of: storage, conditions) { extent in
      if let wanted = query.extent, extent.intersects(wanted) { count += 1 }
    }
    return count
  }

  private borrowing func extent(
    of storage: TableStorage, _ conditions: RowConditions, meeting wanted: Envelope?
  ) throws(FeatureStoreError) -> Envelope? {
    var union = Envelope.empty
    try forEachExtent(of: storage, conditions) { extent in
      if wanted?.intersects(extent) ?? true { union = union.union(extent) }
    }
    return union.isEmpty ? nil : union
  }

  /// The exact box around all shapes: that of those which the index has outermost.
  private borrowing func extent(
    of storage: TableStorage, outermostIn index: String
  ) throws(FeatureStoreError) -> Envelope? {
    let name = SQLIdentifier.quoted(index)
    var union = Envelope.empty
    for (edge, function, comparison) in [
      ("minx", "min", "<="), ("maxx", "max", ">="), ("miny", "min", "<="), ("maxy", "max", ">="),
    ] {
      var conditions = RowConditions()
      conditions.add(
        """
        t.\(storage.rowKey) IN (SELECT \(storage.format.spatialIndexKey) FROM \(name)
          WHERE \(edge) \(comparison) (SELECT \(function)(\(edge)) FROM \(name)))
        """)
      try forEachExtent(of: storage, conditions) { union = union.union($0) }
    }
    return union.isEmpty ? nil : union
  }

  private borrowing func forEachExtent(
    of storage: TableStorage, _ conditions: RowConditions, _ body: (Envelope) -> Void
  ) throws(FeatureStoreError) {
    guard let geometry = storage.geometry, !geometry.holdsForeignShapes else { return }
    let query = try statement(
      """
      SELECT t.\(storage.rowKey), t.\(SQLIdentifier.quoted(geometry.name))
      FROM \(storage.source) AS t \(conditions.sql)
      """, conditions.values, storage)
    while try step(query, alongRowsOf: storage.name) {
      guard !query.isNull(at: 1) else { continue }
      do {
        let extent = try unsafe query.withBlob(at: 1) { bytes throws(StoredShapeError) in
          try unsafe geometry.extent(of: bytes)
        }
        if let extent { body(extent) }
      } catch {
        throw source.location.failure(error, inRow: query.integer(at: 0), of: storage.name)
      }
    }
  }
}
