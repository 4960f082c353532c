/// A where clause for the fields of one table.
public struct BoundWhereClause: Hashable, Sendable {
  let condition: WhereCondition
  let fields: FieldList

  /// Whether it holds for every feature.
  public var isAlwaysTrue: Bool { condition == .all([]) }

  /// The clause as SQL.
  ///
  /// - Parameters:
  ///   - dialect: How the store keeps values.
  ///   - table: What qualifies the columns, for example an alias; nothing if `nil`.
  /// - Returns: The condition and the values to bind.
  public func sql(_ dialect: any SQLDialect, table: String? = nil) -> SQLCondition {
    var writer = SQLConditionWriter(dialect, table: table)
    let sql = writer.sql(condition)
    return SQLCondition(sql: sql, values: writer.values)
  }

  /// Whether a feature with these attributes is found.
  ///
  /// Attributes of other fields than the table's are looked up by name; missing ones count as
  /// `null`.
  public func matches(_ attributes: Attributes) -> Bool {
    if attributes.fieldList == fields { return condition.holds(attributes.values) == true }
    let values = fields.fields.map { attributes[$0.name] ?? .null }
    return condition.holds(values) == true
  }
}
