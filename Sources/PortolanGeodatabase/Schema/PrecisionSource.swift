internal import PortolanSQLite

/// The sources of the coordinate precision of a table, from the surest to the last resort.
///
/// - SeeAlso: Docs/FORMATS.md, 2.7, "Where the numbers come from"
struct PrecisionSource {
  let table: String
  let column: String
  let srid: Int
  let index: String?

  /// The grid, or `nil` where it is unknown.
  func precision(
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> CoordinatePrecision? {
    if let definition = try SystemTables.definition(of: table, connection),
      let precision = PrecisionText.precision(in: definition)
    {
      return precision
    }
    let reference = try SystemTables.reference(srid, connection)
    if let precision = reference?.precision, precision.isValid { return precision }
    let wkid = reference?.authorityID ?? srid
    if let precision = CoordinatePrecision.esriDefault(wkid: wkid) { return precision }
    return try fitted(connection)
  }

  /// A grid under which the shapes lie where the spatial index has them.
  func fitted(
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> CoordinatePrecision? {
    guard let index else { return nil }
    let sql = """
      SELECT t.\(SQLIdentifier.quoted(column)), r.minx, r.maxx, r.miny, r.maxy
      FROM \(SQLIdentifier.quoted(index)) AS r
      CROSS JOIN \(SQLIdentifier.quoted(table)) AS t ON t._rowid_ = r.pkid LIMIT 200
      """
    guard let query = try connection.optionalQuery(sql) else { return nil }
    var fit = PrecisionFit()
    while try query.step() {
      unsafe query.withBlob(at: 0) { bytes in
        unsafe fit.include(
          bytes,
          at: PrecisionFit.Center(
            x: (query.real(at: 1) + query.real(at: 2)) / 2,
            y: (query.real(at: 3) + query.real(at: 4)) / 2))
      }
    }
    return fit.precision
  }
}
