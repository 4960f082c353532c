internal import PortolanFeatures
internal import PortolanSQLite

/// Writes a condition as SQL.
struct SQLConditionWriter {
  private let dialect: any SQLDialect
  private let columnPrefix: String
  /// The values to bind, in the order in which they were written.
  private(set) var values: [SQLValue] = []

  /// `table`, if given, qualifies the columns.
  init(_ dialect: any SQLDialect, table: String?) {
    self.dialect = dialect
    columnPrefix = table.map { SQLIdentifier.quoted($0) + "." } ?? ""
  }

  /// How many conditions SQLite is given in a row: it takes a tree a thousand levels deep.
  private static let longestRow = 400

  mutating func sql(_ condition: WhereCondition) -> String {
    switch condition {
    case .comparison(let operation, let left, let right):
      return "(\(sql(left))\(operation.rawValue)\(sql(right)))"
    case .isNull(let value): return "(\(sql(value)) IS NULL)"
    case .like(let value, let pattern):
      return "(\(sql(value)) GLOB \(sql(.constant(.text(pattern.glob)))))"
    case .isIn(let value, let elements): return "(\(sql(value)) IN \(list(elements)))"
    case .all(let parts): return parts.isEmpty ? "1" : row(parts, joinedBy: " AND ")
    case .any(let parts): return parts.isEmpty ? "0" : row(parts, joinedBy: " OR ")
    case .not(let part): return "(NOT \(sql(part)))"
    }
  }

  private mutating func row(_ parts: [WhereCondition], joinedBy word: String) -> String {
    var rows: [String] = []
    for start in stride(from: 0, to: parts.count, by: Self.longestRow) {
      let part = parts[start..<min(start + Self.longestRow, parts.count)]
      rows.append("(\(texts(of: part).joined(separator: word)))")
    }
    return rows.count == 1 ? rows[0] : "(\(rows.joined(separator: word)))"
  }

  private mutating func texts(of parts: ArraySlice<WhereCondition>) -> [String] {
    var texts: [String] = []
    for part in parts { texts.append(sql(part)) }
    return texts
  }

  private mutating func sql(_ value: ValueExpression) -> String {
    switch value {
    case .constant(let value):
      values.append(SQLValue(ofClause: value))
      return "?"
    case .field(_, let field): return column(of: field)
    case .negation(let part): return "(-\(sql(part)))"
    case .arithmetic: return "(\(arithmetic(value)))"
    case .concatenation(let parts): return list(parts, separator: "||")
    case .coalesce(let parts): return "coalesce\(list(parts))"
    case .nullIf(let left, let right): return "nullif\(list([left, right]))"
    case .function(let function, let arguments): return function.sqlName + list(arguments)
    case .cases(let branches, let otherwise): return cases(branches, otherwise)
    }
  }

  private mutating func cases(
    _ branches: [ValueExpression.Branch], _ otherwise: ValueExpression
  ) -> String {
    var text = "(CASE"
    for branch in branches { text += " WHEN \(sql(branch.condition)) THEN \(sql(branch.value))" }
    return "\(text) ELSE \(sql(otherwise)) END)"
  }

  private func column(of field: Field) -> String {
    let column = columnPrefix + SQLIdentifier.quoted(field.name)
    return field.type == .date ? dialect.milliseconds(ofColumn: column) : column
  }

  /// Chains such as `a - b + c` are written without brackets on the left, which SQLite's parser, with its
  /// small stack, would have to remember.
  private mutating func arithmetic(_ value: ValueExpression) -> String {
    guard case .arithmetic(let operation, let left, let right) = value else { return sql(value) }
    var isRow = false
    if case .arithmetic(let other, _, _) = left { isRow = other.isAdditive == operation.isAdditive }
    let leftSQL = isRow ? arithmetic(left) : sql(left)
    return "\(leftSQL)\(operation.rawValue)\(sql(right))"
  }

  private mutating func list(_ elements: [ValueExpression], separator: String = ",") -> String {
    var texts: [String] = []
    for element in elements { texts.append(sql(element)) }
    return "(\(texts.joined(separator: separator)))"
  }
}

extension WhereExpression.ArithmeticOperator {
  /// Whether it binds as weakly as `+`.
  fileprivate var isAdditive: Bool { self == .add || self == .subtract }
}
