import Foundation
import PortolanFeatureTables
import PortolanFeatures
import PortolanSQLite

/// The rows of ``WhereFixture`` in SQLite, as a mobile geodatabase would hold them.
struct WhereTable: ~Copyable {
  private let connection: Connection
  let rows: [[AttributeValue]]

  init(_ rows: [[AttributeValue]]) throws {
    let connection = try Connection.inMemory()
    try connection.registerWhereFunctions()
    try connection.execute(
      """
      CREATE TABLE "TOWNS" (OBJECTID integer primary key, NAME text(80), POP int32, AREA float64,
      SEEN realdate, CODE int16, GID uuidtext, PHOTO blob, "Opening Day" text(10), "DATE" text)
      """)
    for row in rows {
      let query = try connection.query("INSERT INTO TOWNS VALUES (?,?,?,?,?,?,?,?,?,?)")
      for (index, value) in row.enumerated() { try query.bind(SQLValue(value), at: index + 1) }
      _ = try query.step()
    }
    self.rows = rows
    self.connection = connection
  }

  /// The object ids that SQLite finds.
  func find(_ condition: SQLCondition) throws -> Set<Int64> {
    let query = try connection.query("SELECT OBJECTID FROM TOWNS WHERE \(condition.sql)")
    for (index, value) in condition.values.enumerated() {
      try query.bind(value, at: index + 1)
    }
    var found: Set<Int64> = []
    while try query.step() { found.insert(query.integer(at: 0)) }
    return found
  }
}

extension SQLValue {
  init(_ value: AttributeValue) {
    self.init(value) { .real(2_440_587.5 + $0.timeIntervalSince1970 / 86_400) }
  }
}
