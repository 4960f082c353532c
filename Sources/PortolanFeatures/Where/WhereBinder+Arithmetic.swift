extension WhereBinder {
  private static let millisecondsPerDay: Int64 = 86_400_000

  func negation(_ operand: Bound, at offset: Int) throws(FeatureStoreError) -> Bound {
    guard [.number, .interval, .null].contains(operand.kind) else {
      throw .badWhereClause(
        reason: "\"-\" does not go before \(operand.kind.rawValue)", offset: offset)
    }
    return compound(.negation(operand.value), of: [operand], operand.kind, at: offset)
  }

  /// Numbers joined, or a date moved by days or an interval, or the days between two dates.
  func arithmetic(
    _ operation: WhereExpression.ArithmeticOperator, _ left: Bound, _ right: Bound, at offset: Int
  ) throws(FeatureStoreError) -> Bound {
    let isSum = operation == .add || operation == .subtract
    switch (left.kind, right.kind) {
    case (.null, _), (_, .null): return constant(.null, .null, at: offset)
    case (.number, .number): return joined(operation, left, right, .number, at: offset)
    case (.interval, .interval) where isSum:
      return joined(operation, left, right, .interval, at: offset)
    case (.date, .interval) where isSum, (.interval, .date) where operation == .add:
      return joined(operation, left, right, .date, at: offset)
    case (.date, .number) where isSum:
      return joined(operation, left, days(right), .date, at: offset)
    case (.number, .date) where operation == .add:
      return joined(operation, days(left), right, .date, at: offset)
    case (.date, .date) where operation == .subtract:
      let difference = joined(.subtract, left, right, .interval, at: offset)
      let day = constant(.double(Double(Self.millisecondsPerDay)), .number, at: offset)
      return joined(.divide, difference, day, .number, at: offset)
    default:
      throw .badWhereClause(
        reason: "\"\(operation.rawValue)\" does not join \(left.kind.rawValue) and "
          + right.kind.rawValue, offset: offset)
    }
  }

  /// Days as milliseconds.
  private func days(_ number: Bound) -> Bound {
    let day = constant(.integer(Self.millisecondsPerDay), .number, at: number.offset)
    return joined(.multiply, number, day, .interval, at: number.offset)
  }

  private func joined(
    _ operation: WhereExpression.ArithmeticOperator, _ left: Bound, _ right: Bound,
    _ kind: ValueExpression.Kind, at offset: Int
  ) -> Bound {
    compound(
      .arithmetic(operation, left.value, right.value), of: [left, right], kind, at: offset)
  }

  func concatenation(_ parts: [Bound], at offset: Int) throws(FeatureStoreError) -> Bound {
    guard !parts.isEmpty else {
      throw .badWhereClause(reason: "CONCAT needs at least one value", offset: offset)
    }
    var texts: [Bound] = []
    for part in parts {
      switch part.kind {
      case .text, .null: texts.append(part)
      case .number:
        texts.append(
          compound(
            .function(.castToText, [part.value]), of: [part], .text, at: part.offset))
      case .date, .interval, .blob:
        throw .badWhereClause(
          reason: "\(part.kind.rawValue) cannot be joined to text", offset: part.offset)
      }
    }
    return compound(.concatenation(texts.map(\.value)), of: texts, .text, at: offset)
  }
}
