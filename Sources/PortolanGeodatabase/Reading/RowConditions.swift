internal import Foundation
internal import PortolanFeatureTables
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanSQLite

/// The conditions that select rows of a table, as SQL with values to bind.
///
/// The table is called `t`. Each condition has its own placeholders, so that the order of the
/// values is that of the conditions.
struct RowConditions: Sendable {
  /// The conditions, all of which must hold.
  private(set) var clauses: [String] = []
  /// The values, in the order of the placeholders.
  private(set) var values: [SQLValue] = []
  /// Whether a where clause is among them, which needs functions of its own.
  private(set) var usesWhereFunctions = false

  /// No conditions.
  init() {}

  /// The conditions of a query, but for its extent.
  ///
  /// - Throws: ``FeatureStoreError/badWhereClause(reason:offset:)`` and
  ///   ``FeatureStoreError/noSuchField(name:table:)``.
  init(
    _ query: QueryParameters, of storage: TableStorage, schema: FeatureTableSchema, now: Date
  ) throws(FeatureStoreError) {
    if let ids = query.objectIDs {
      add(
        "t.\(SQLIdentifier.quoted(storage.objectIDColumn)) IN (SELECT value FROM json_each(?))",
        .text(Self.json(ids)))
    }
    if let current = storage.isCurrent("t") { clauses.append(current) }
    if let text = query.whereClause {
      let bound = try WhereClause(text).bound(to: schema, now: now)
      guard !bound.isAlwaysTrue else { return }
      let condition = bound.sql(storage.format.dialect, table: "t")
      clauses.append(condition.sql)
      values += condition.values
      usesWhereFunctions = true
    }
  }

  /// Adds a condition.
  mutating func add(_ clause: String, _ values: SQLValue...) {
    clauses.append(clause)
    self.values += values
  }

  /// Adds the condition that a column has a value.
  mutating func add(_ column: String, equals value: SQLValue) {
    add("t.\(SQLIdentifier.quoted(column)) = ?", value)
  }

  /// Adds the condition that a column has a key, in whichever spelling.
  mutating func add(_ column: String, refersTo key: SQLValue) {
    clauses.append("t.\(SQLIdentifier.quoted(column)) IN (\(key.spellings.parameters))")
    values += key.spellings
  }

  /// Adds a condition with any number of values.
  mutating func add(_ clause: String, _ values: [SQLValue]) {
    clauses.append(clause)
    self.values += values
  }

  /// Adds the condition that boxes of the spatial index are somewhere; see ``BoxRelation``.
  mutating func add(
    _ relation: BoxRelation, _ extent: Envelope, index: String, of storage: TableStorage
  ) {
    let condition =
      switch relation {
      case .meets: Self.meets
      case .isInside: Self.isInside
      case .straddles: "\(Self.meets) AND NOT (\(Self.isInside))"
      }
    let edges: [SQLValue] = [extent.xMax, extent.xMin, extent.yMax, extent.yMin].map { .real($0) }
    let name = SQLIdentifier.quoted(index)
    let key = storage.format.spatialIndexKey
    clauses.append("t.\(storage.rowKey) IN (SELECT \(key) FROM \(name) WHERE \(condition))")
    values += relation == .straddles ? edges + edges : edges
  }

  private static let meets = "minx <= ? AND maxx >= ? AND miny <= ? AND maxy >= ?"
  private static let isInside = "maxx <= ? AND minx >= ? AND maxy <= ? AND miny >= ?"

  /// How the box of a shape, as the spatial index has it, relates to an extent.
  ///
  /// The index has 32-bit floats, rounded outwards: what is inside is so for certain, what meets
  /// may lie beside by a rounding.
  enum BoxRelation {
    case meets
    case isInside
    /// Meets, and is not inside.
    case straddles
  }

  /// The conditions after `WHERE`, with the word; empty without conditions.
  var sql: String { clauses.isEmpty ? "" : "WHERE " + clauses.joined(separator: " AND ") }

  /// Any number of ids as one value, so that there is one statement for all.
  private static func json(_ ids: [Int64]) -> String {
    "[" + ids.map(String.init).joined(separator: ",") + "]"
  }
}
