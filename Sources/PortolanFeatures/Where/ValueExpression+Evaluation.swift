extension ValueExpression {
  /// The value for a feature whose values stand in the order of the fields.
  func value(_ values: [AttributeValue]) -> AttributeValue {
    switch self {
    case .constant(let value): return value
    case .field(let position, let field):
      guard values.indices.contains(position) else { return .null }
      return values[position].comparable(as: field.type)
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

extension AttributeValue {
  /// The value as conditions compare it: moments in milliseconds, not-a-number as `null`.
  fileprivate func comparable(as type: FieldType) -> AttributeValue {
    switch self {
    case .date(let date): .milliseconds(of: date)
    case .double(let double) where double.isNaN: .null
    default: self
    }
  }

  /// Which of two values is the greater: -1, 0 or 1; `nil` if one is missing.
  ///
  /// As in SQLite, numbers come before texts and texts before blobs; text is ordered by its bytes.
  func order(_ other: AttributeValue) -> Int? {
    switch (self, other) {
    case (.null, _), (_, .null): return nil
    case (.text(let left), .text(let right)): return Self.order(left.utf8, right.utf8)
    case (.blob(let left), .blob(let right)): return Self.order(left, right)
    default:
      let (rank, otherRank) = (storageRank, other.storageRank)
      if rank != otherRank { return rank < otherRank ? -1 : 1 }
      return SQLNumber.order(self, other)
    }
  }

  private var storageRank: Int {
    switch self {
    case .null: 0
    case .integer, .double, .date: 1
    case .text: 2
    case .blob: 3
    }
  }

  private static func order<Bytes: Collection<UInt8>>(_ left: Bytes, _ right: Bytes) -> Int {
    if left.elementsEqual(right) { return 0 }
    return left.lexicographicallyPrecedes(right) ? -1 : 1
  }
}
