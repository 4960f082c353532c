extension WhereBinder {
  func call(
    _ function: WhereExpression.Function, _ arguments: [WhereExpression], at offset: Int
  ) throws(FeatureStoreError) -> Bound {
    switch function {
    case .coalesce: return try coalesce(arguments, at: offset)
    case .nullIf: return try nullIf(arguments, at: offset)
    case .upper, .lower: return try call(function, arguments, [.text], gives: .text, at: offset)
    case .charLength: return try call(function, arguments, [.text], gives: .number, at: offset)
    case .substring:
      return try call(function, arguments, [.text, .number, .number], gives: .text, at: offset)
    case .trim, .trimLeading, .trimTrailing:
      return try call(function, arguments, [.text, .text], gives: .text, at: offset)
    case .position:
      return try call(function, arguments, [.text, .text], gives: .number, at: offset)
    case .abs, .floor, .ceiling:
      return try call(function, arguments, [.number], gives: .number, at: offset)
    case .round, .mod:
      return try call(function, arguments, [.number, .number], gives: .number, at: offset)
    }
  }

  /// A call of a function that SQL and memory share.
  private func call(
    _ function: WhereExpression.Function, _ arguments: [WhereExpression],
    _ kinds: [ValueExpression.Kind], gives result: ValueExpression.Kind, at offset: Int
  ) throws(FeatureStoreError) -> Bound {
    guard let shared = function.shared, shared.argumentCounts.contains(arguments.count) else {
      throw .badWhereClause(
        reason: "\(function.rawValue) does not take \(arguments.count) "
          + (arguments.count == 1 ? "value" : "values"), offset: offset)
    }
    var values: [Bound] = []
    for (argument, kind) in zip(try self.values(arguments), kinds) {
      values.append(try checked(argument, kind, for: function.rawValue))
    }
    return compound(.function(shared, values.map(\.value)), of: values, result, at: offset)
  }

  /// A value of the kind that a function takes; constants are converted if they can be.
  private func checked(
    _ value: Bound, _ kind: ValueExpression.Kind, for name: String
  ) throws(FeatureStoreError) -> Bound {
    if value.kind == kind || value.kind == .null { return value }
    let model = Bound(value: .constant(.null), kind: kind, offset: value.offset)
    if value.constantText != nil { return try unified(value, model, at: value.offset).0 }
    throw .badWhereClause(
      reason: "\(name) takes \(kind.rawValue), not \(value.kind.rawValue)", offset: value.offset)
  }

  private func coalesce(
    _ arguments: [WhereExpression], at offset: Int
  ) throws(FeatureStoreError) -> Bound {
    // SQLite wants two.
    guard arguments.count > 1 else {
      throw .badWhereClause(reason: "COALESCE needs at least two values", offset: offset)
    }
    let values = try unified(arguments, at: offset)
    let kind = values.first { $0.kind != .null }?.kind ?? .null
    return compound(.coalesce(values.map(\.value)), of: values, kind, at: offset)
  }

  private func nullIf(
    _ arguments: [WhereExpression], at offset: Int
  ) throws(FeatureStoreError) -> Bound {
    guard arguments.count == 2 else {
      throw .badWhereClause(reason: "NULLIF needs two values", offset: offset)
    }
    let (left, right) = try unified(value(arguments[0]), value(arguments[1]), at: offset)
    return compound(.nullIf(left.value, right.value), of: [left, right], left.kind, at: offset)
  }

  /// `CASE`, whose values are all of one kind.
  func cases(
    _ branches: [WhereExpression.Branch], _ otherwise: WhereExpression?, at offset: Int
  ) throws(FeatureStoreError) -> Bound {
    let last = otherwise ?? WhereExpression(.literal(.null), offset: offset)
    let values = try unified(branches.map(\.value) + [last], at: offset)
    var bound: [ValueExpression.Branch] = []
    for (branch, value) in zip(branches, values) {
      bound.append(
        ValueExpression.Branch(condition: try condition(branch.condition), value: value.value))
    }
    let kind = values.first { $0.kind != .null }?.kind ?? .null
    return Bound(
      value: .cases(bound, otherwise: values[branches.count].value), kind: kind, offset: offset)
  }

  func extract(
    _ part: WhereExpression.DatePart, _ operand: Bound, at offset: Int
  ) throws(FeatureStoreError) -> Bound {
    let date = try checked(operand, .date, for: "EXTRACT")
    return compound(.function(part.function, [date.value]), of: [date], .number, at: offset)
  }

  func cast(
    _ operand: Bound, _ type: WhereExpression.CastType, at offset: Int
  ) throws(FeatureStoreError) -> Bound {
    switch (operand.kind, type) {
    case (.null, _): return operand
    case (.number, .integer), (.text, .integer):
      return cast(operand, .castToInteger, .number, at: offset)
    case (.number, .double), (.text, .double):
      return cast(operand, .castToDouble, .number, at: offset)
    case (.number, .text), (.text, .text):
      return cast(operand, .castToText, .text, at: offset)
    case (.date, .timestamp): return operand
    case (.date, .date): return cast(operand, .startOfDay, .date, at: offset)
    case (.text, .timestamp), (.text, .date):
      let moment = cast(operand, .castToTimestamp, .date, at: offset)
      return type == .date ? cast(moment, .startOfDay, .date, at: offset) : moment
    default:
      throw .badWhereClause(
        reason: "\(operand.kind.rawValue) cannot be cast to \(type.rawValue)", offset: offset)
    }
  }

  private func cast(
    _ operand: Bound, _ function: WhereFunction, _ kind: ValueExpression.Kind, at offset: Int
  ) -> Bound {
    compound(.function(function, [operand.value]), of: [operand], kind, at: offset)
  }
}

extension WhereExpression.Function {
  /// The function that SQL and memory share; the others are SQL's own.
  fileprivate var shared: WhereFunction? {
    switch self {
    case .upper: .upper
    case .lower: .lower
    case .charLength: .charLength
    case .substring: .substring
    case .trim: .trim
    case .trimLeading: .trimLeading
    case .trimTrailing: .trimTrailing
    case .position: .position
    case .abs: .abs
    case .round: .round
    case .floor: .floor
    case .ceiling: .ceiling
    case .mod: .mod
    case .coalesce, .nullIf: nil
    }
  }
}

extension WhereExpression.DatePart {
  fileprivate var function: WhereFunction {
    switch self {
    case .year: .year
    case .month: .month
    case .day: .day
    case .hour: .hour
    case .minute: .minute
    case .second: .second
    }
  }
}
