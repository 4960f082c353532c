internal import struct Foundation.Date

/// Finds the fields of a where clause, checks that kinds fit, and works out what is constant.
struct WhereBinder {
  /// A value, its kind, and its position in the clause.
  struct Bound {
    var value: ValueExpression
    var kind: ValueExpression.Kind
    var offset: Int
    /// The type of the field that it is, if it is one.
    var fieldType: FieldType?

    /// The text, if it is a constant one.
    var constantText: String? {
      if case .constant(.text(let text)) = value { text } else { nil }
    }
  }

  let fields: FieldList
  let table: String
  let now: Date

  // MARK: Conditions

  func condition(_ part: WhereExpression) throws(FeatureStoreError) -> WhereCondition {
    switch part.kind {
    case .comparison(let operation, let left, let right):
      let (left, right) = try unified(value(left), value(right), at: part.offset)
      return .comparison(operation, left.value, right.value)
    case .isNull(let operand): return .isNull(try value(operand).value)
    case .like(let operand, let pattern, let escape):
      return try like(value(operand), pattern, escape, at: part.offset)
    case .between(let operand, let lower, let upper):
      return .all([
        try condition(.comparison(.greaterOrEqual, operand, lower), at: part.offset),
        try condition(.comparison(.lessOrEqual, operand, upper), at: part.offset),
      ])
    case .isIn(let operand, let elements): return try isIn(operand, elements, at: part.offset)
    case .and(let parts): return .all(try conditions(parts))
    case .or(let parts): return .any(try conditions(parts))
    case .not(let operand): return .not(try condition(operand))
    default:
      throw .badWhereClause(
        reason: "a condition is expected here, such as NAME = 'Portland'", offset: part.offset)
    }
  }

  private func condition(
    _ kind: WhereExpression.Kind, at offset: Int
  ) throws(FeatureStoreError) -> WhereCondition {
    try condition(WhereExpression(kind, offset: offset))
  }

  private func conditions(
    _ parts: [WhereExpression]
  ) throws(FeatureStoreError) -> [WhereCondition] {
    var conditions: [WhereCondition] = []
    for part in parts { conditions.append(try condition(part)) }
    return conditions
  }

  private func isIn(
    _ operand: WhereExpression, _ elements: [WhereExpression], at offset: Int
  ) throws(FeatureStoreError) -> WhereCondition {
    let list = try unified([operand] + elements, at: offset)
    return .isIn(list[0].value, list.dropFirst().map(\.value))
  }

  private func like(
    _ operand: Bound, _ pattern: WhereExpression, _ escape: WhereExpression?, at offset: Int
  ) throws(FeatureStoreError) -> WhereCondition {
    guard operand.kind == .text || operand.kind == .null else {
      throw .badWhereClause(
        reason: "LIKE is for text, not for \(operand.kind.rawValue); use CAST(… AS VARCHAR)",
        offset: offset)
    }
    guard let text = try value(pattern).constantText else {
      throw .badWhereClause(
        reason: "the pattern of LIKE is no constant text", offset: pattern.offset)
    }
    let escapeText = try escape.map(constantText)
    guard escapeText?.unicodeScalars.count ?? 1 == 1 else {
      throw .badWhereClause(
        reason: "the text after ESCAPE is not one character", offset: escape?.offset ?? offset)
    }
    guard text.unicodeScalars.count <= LikePattern.maximumCount else {
      throw .badWhereClause(
        reason: "the pattern of LIKE, which begins with '\(text.prefix(20))', has more than "
          + "\(LikePattern.maximumCount) characters", offset: pattern.offset)
    }
    guard let like = LikePattern(text, escape: escapeText?.unicodeScalars.first) else {
      throw .badWhereClause(
        reason: "the pattern of LIKE ends with the escape character", offset: pattern.offset)
    }
    return .like(operand.value, like)
  }

  private func constantText(_ part: WhereExpression) throws(FeatureStoreError) -> String {
    try value(part).constantText ?? ""
  }

  // MARK: Values

  func value(_ part: WhereExpression) throws(FeatureStoreError) -> Bound {
    switch part.kind {
    case .literal(let value): return literal(value, at: part.offset)
    case .interval(let milliseconds):
      return constant(.integer(milliseconds), .interval, at: part.offset)
    case .currentTimestamp: return constant(.milliseconds(of: now), .date, at: part.offset)
    case .currentDate:
      let today = WhereFunction.startOfDay.call([.milliseconds(of: now)])
      return constant(today, .date, at: part.offset)
    case .field(let name): return try field(name, at: part.offset)
    case .negation(let operand): return try negation(value(operand), at: part.offset)
    case .arithmetic(let operation, let left, let right):
      return try arithmetic(operation, value(left), value(right), at: part.offset)
    case .concatenation(let parts): return try concatenation(values(parts), at: part.offset)
    case .function(let function, let arguments):
      return try call(function, arguments, at: part.offset)
    case .extract(let datePart, let operand):
      return try extract(datePart, value(operand), at: part.offset)
    case .cast(let operand, let type): return try cast(value(operand), type, at: part.offset)
    case .cases(let branches, let otherwise):
      return try cases(branches, otherwise, at: part.offset)
    case .comparison, .isNull, .like, .between, .isIn, .and, .or, .not:
      throw .badWhereClause(
        reason: "a value is expected here, not a condition", offset: part.offset)
    }
  }

  func values(_ parts: [WhereExpression]) throws(FeatureStoreError) -> [Bound] {
    var values: [Bound] = []
    for part in parts { values.append(try value(part)) }
    return values
  }

  func constant(
    _ value: AttributeValue, _ kind: ValueExpression.Kind, at offset: Int
  ) -> Bound {
    Bound(value: .constant(value), kind: kind, offset: offset)
  }

  /// A value made of others; worked out at once if they are constant.
  func compound(
    _ value: ValueExpression, of parts: [Bound], _ kind: ValueExpression.Kind, at offset: Int
  ) -> Bound {
    let isConstant = parts.allSatisfy(\.value.isConstant)
    return Bound(
      value: isConstant ? .constant(value.value([])) : value, kind: kind, offset: offset)
  }

  private func literal(_ value: AttributeValue, at offset: Int) -> Bound {
    switch value {
    case .null: constant(.null, .null, at: offset)
    case .integer, .double: constant(value, .number, at: offset)
    case .text: constant(value, .text, at: offset)
    case .date(let date): constant(.milliseconds(of: date), .date, at: offset)
    case .blob: constant(value, .blob, at: offset)
    }
  }

  /// The field of a name that may be qualified with the table's.
  private func field(_ name: String, at offset: Int) throws(FeatureStoreError) -> Bound {
    let bareName = name.split(separator: ".").last.map(String.init) ?? name
    guard let position = fields.position(of: name) ?? fields.position(of: bareName) else {
      throw .noSuchField(name: name, table: table)
    }
    let field = fields.fields[position]
    return Bound(
      value: .field(position, field), kind: ValueExpression.Kind(of: field.type), offset: offset,
      fieldType: field.type)
  }
}

extension ValueExpression.Kind {
  init(of type: FieldType) {
    switch type {
    case .objectID, .smallInteger, .integer, .bigInteger, .single, .double: self = .number
    case .date: self = .date
    case .blob, .raster, .geometry: self = .blob
    case .string, .xml, .guid, .globalID, .dateOnly, .timeOnly, .timestampOffset: self = .text
    }
  }
}
