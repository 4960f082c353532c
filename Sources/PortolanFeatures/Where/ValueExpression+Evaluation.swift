extension ValueExpression {
  /// The value for a feature whose values are in the order of the fields.
  func value(_ values: [AttributeValue]) -> AttributeValue {
    switch self {
    case .constant(let value): return value
    case .field(let position, _):
      guard values.indices.contains(position) else { return .null }
      return values[position].comparable
    case .negation(let part): return SQLNumber.negated(part.value(values)) ?? .null
    case .arithmetic(let operation, let left, let right):
      return SQLNumber.calculate(operation, left.value(values), right.value(values))
    case .concatenation(let parts): return Self.concatenated(parts.map { $0.value(values) })
    case .coalesce(let parts):
      for part in parts {
        let value = part.value(values)
        if !value.isNull { return value }
      }
      return .null
    case .nullIf(let left, let right):
      let value = left.value(values)
      return value.order(right.value(values)) == 0 ? .null : value
    case .function(let function, let arguments):
      return function.call(arguments.map { $0.value(values) })
    case .cases(let branches, let otherwise):
      let branch = branches.first { $0.condition.holds(values) == true }
      return (branch?.value ?? otherwise).value(values)
    }
  }

  private static func concatenated(_ values: [AttributeValue]) -> AttributeValue {
    var result = ""
    for value in values {
      guard case .text(let text) = value else { return .null }
      result += text
    }
    return .text(result)
  }
}
