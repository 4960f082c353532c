/// A where clause for the fields of one table.
public struct BoundWhereClause: Hashable, Sendable {
  package let condition: WhereCondition
  let fields: FieldList

  /// Whether it holds for every feature.
  public var isAlwaysTrue: Bool { condition == .all([]) }

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
