public import PortolanFeatures
public import PortolanGeometry
internal import PortolanSQLite

extension GeodatabaseReader {
  /// The object ids of the features at a place, in ascending order.
  ///
  /// Finds candidates through the spatial index of the file, with one statement that stays compiled,
  /// and tests their shapes as they are stored.
  ///
  /// `place` and `tolerance` are in the table's spatial reference: a shape is met if it is no
  /// farther from the place, or around it. No more ids than `limit` are returned; of more, any
  /// may be left out.
  public borrowing func objectIDs(
    in table: String, touching place: Coordinate, within tolerance: Double,
    limit: Int = .max
  ) throws(FeatureStoreError) -> [Int64] {
    if !source.format.storesGeometryBlobs {
      return try objectIDs(decodedIn: table, touching: place, within: tolerance, limit: limit)
    }
    guard let statement = try hitTestStatement(for: table), limit > 0 else { return [] }
    let probe = GeometryBlobProbe(at: place, tolerance: tolerance, precision: statement.precision)
    var ids: [Int64] = []
    defer { statement.query.reset() }
    do {
      if statement.takesBox { try statement.bind(place, tolerance) }
      while try statement.query.step() {
        guard try isTouched(statement, by: probe, in: table) else { continue }
        ids.append(statement.query.integer(at: 0))
        if ids.count >= limit { break }
      }
    } catch let error as DatabaseError {
      throw source.location.failure(error, in: "the rows of \(table)")
    } catch let error as FeatureStoreError {
      throw error
    } catch {
      throw source.location.damaged("the rows of \(table)", "\(error)")
    }
    ids.sort()
    return ids
  }

  /// The same for shapes that have to be decoded first.
  private borrowing func objectIDs(
    decodedIn table: String, touching place: Coordinate, within tolerance: Double, limit: Int
  ) throws(FeatureStoreError) -> [Int64] {
    let box = Envelope(xMin: place.x, yMin: place.y, xMax: place.x, yMax: place.y)
      .expanded(by: tolerance)
    var ids: [Int64] = []
    let query = QueryParameters(extent: box, outFields: [])
    try forEachFeature(in: table, matching: query) { feature in
      guard ids.count < limit else { return false }
      if let shape = feature.geometry,
        shape.squaredDistance(to: place) <= tolerance * tolerance
      {
        ids.append(feature.objectID)
      }
      return true
    }
    return ids
  }

  private borrowing func isTouched(
    _ statement: HitTestStatement, by probe: GeometryBlobProbe, in table: String
  ) throws(FeatureStoreError) -> Bool {
    do {
      return try unsafe statement.query.withBlob(at: 1) { bytes throws(GeometryBlobError) in
        unsafe bytes.isEmpty ? false : try unsafe probe.touches(bytes)
      }
    } catch {
      throw source.location.failure(
        StoredShapeError(error), inRow: statement.query.integer(at: 0), of: table)
    }
  }

  /// The statement for a table; `nil` if it has no shapes.
  private borrowing func hitTestStatement(
    for table: String
  ) throws(FeatureStoreError) -> HitTestStatement? {
    if let statement = statements.hitTests[table] { return statement }
    let storage = try storage(of: table)
    guard let geometry = storage.geometry, !geometry.holdsForeignShapes,
      let precision = geometry.precision
    else { return nil }
    let query = try self.statement(Self.sql(for: storage, geometry), [], storage)
    let statement = HitTestStatement(query, precision: precision, takesBox: geometry.index != nil)
    statements.hitTests[table] = statement
    return statement
  }

  private static func sql(for storage: TableStorage, _ geometry: GeometryColumn) -> String {
    let columns = """
      t.\(SQLIdentifier.quoted(storage.objectIDColumn)), t.\(SQLIdentifier.quoted(geometry.name))
      """
    let current = storage.isCurrent("t")
    guard let index = geometry.index else {
      let condition = current.map { "WHERE \($0)" } ?? ""
      return "SELECT \(columns) FROM \(storage.quotedName) AS t \(condition)"
    }
    return """
      SELECT \(columns) FROM \(SQLIdentifier.quoted(index)) AS r
      CROSS JOIN \(storage.quotedName) AS t ON t.\(storage.rowNumber ?? "_rowid_") = r.pkid
      WHERE r.minx <= ?1 AND r.maxx >= ?2 AND r.miny <= ?3 AND r.maxy >= ?4
      \(current.map { "AND \($0)" } ?? "")
      """
  }
}

extension HitTestStatement {
  fileprivate func bind(_ place: Coordinate, _ tolerance: Double) throws(DatabaseError) {
    try query.bind(place.x + tolerance, at: 1)
    try query.bind(place.x - tolerance, at: 2)
    try query.bind(place.y + tolerance, at: 3)
    try query.bind(place.y - tolerance, at: 4)
  }
}
