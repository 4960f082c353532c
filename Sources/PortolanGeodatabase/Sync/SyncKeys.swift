internal import PortolanFeatures
internal import PortolanSQLite

/// Reads the keys by which features relate to each other.
struct SyncKeys {
  let file: EditedFile
  /// The moment of the last synchronization.
  let since: Double

  /// The key as it was when the feature was synchronized; `nil` for none.
  func base(
    _ objectID: Int64, _ table: EditedTable, _ field: String
  ) throws(FeatureEditError) -> String? {
    try baseValue(objectID, table, field)?.relationKey
  }

  /// How many keys are read at once.
  private static let batch = 500

  /// The keys as they were when the features were synchronized; none of those that had none.
  func bases(
    _ objectIDs: [Int64], _ table: EditedTable, _ field: String
  ) throws(FeatureEditError) -> [Int64: String] {
    guard let column = table.storage.column(named: field)?.name else { return [:] }
    let id = SQLIdentifier.quoted(table.storage.objectIDColumn)
    var keys: [Int64: String] = [:]
    for start in stride(from: 0, to: objectIDs.count, by: Self.batch) {
      let some = objectIDs[start..<min(start + Self.batch, objectIDs.count)]
      let list = (2..<some.count + 2).map { "?\($0)" }.joined(separator: ",")
      let rows = try file.rows(
        """
        SELECT t.\(id), t.\(SQLIdentifier.quoted(column)) FROM \(table.storage.quotedName) AS t
        WHERE t.\(id) IN (\(list)) AND t.gdb_from_date <= ?1 AND t.gdb_to_date > ?1
        """, [.real(since + LocalHistory.tolerance)] + some.map { .integer($0) },
        in: "the rows of \(table.name)")
      for row in rows {
        if case .integer(let objectID) = row[0], keys[objectID] == nil {
          keys[objectID] = row[1].relationKey
        }
      }
    }
    return keys
  }

  /// The value of a key as it was when the feature was synchronized.
  func baseValue(
    _ objectID: Int64, _ table: EditedTable, _ field: String
  ) throws(FeatureEditError) -> SQLValue? {
    try value(
      objectID, table, field, " AND t.gdb_from_date <= ?2 AND t.gdb_to_date > ?2",
      [.real(since + LocalHistory.tolerance)])
  }

  /// The key as it is; `nil` for none.
  func current(
    _ objectID: Int64, _ table: EditedTable, _ field: String
  ) throws(FeatureEditError) -> String? {
    try currentValue(objectID, table, field)?.relationKey
  }

  /// The value of a key as it is.
  func currentValue(
    _ objectID: Int64, _ table: EditedTable, _ field: String
  ) throws(FeatureEditError) -> SQLValue? {
    try value(objectID, table, field, table.andIsCurrent, [])
  }

  private func value(
    _ objectID: Int64, _ table: EditedTable, _ field: String, _ condition: String,
    _ values: [SQLValue]
  ) throws(FeatureEditError) -> SQLValue? {
    guard let column = table.storage.column(named: field)?.name else { return nil }
    let id = SQLIdentifier.quoted(table.storage.objectIDColumn)
    return try file.rows(
      """
      SELECT t.\(SQLIdentifier.quoted(column)) FROM \(table.storage.quotedName) AS t
      WHERE t.\(id) = ?1\(condition) LIMIT 1
      """, [.integer(objectID)] + values, in: "the rows of \(table.name)"
    ).first?.first
  }
}

extension SQLValue {
  /// The value as a key of relations, in which GUIDs may be spelled in several ways; `nil` for none.
  var relationKey: String? {
    switch self {
    case .null, .blob: nil
    case .integer(let number): "\(number)"
    case .real(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    case .text(let text): text.relationKey
    }
  }
}

extension AttributeValue {
  /// The value as a key of relations; `nil` for none.
  var relationKey: String? {
    switch self {
    case .null, .blob, .date: nil
    case .integer(let number): "\(number)"
    case .double(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    case .text(let text): text.relationKey
    }
  }
}

extension String {
  fileprivate var relationKey: String {
    let plain = plainID
    return plain.withGUIDBraces == plain ? self : plain
  }
}
