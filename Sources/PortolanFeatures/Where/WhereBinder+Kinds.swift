internal import Foundation

extension WhereBinder {
  /// Both values as one kind, so that they can be compared.
  ///
  /// A constant takes the kind of the other side if it can.
  func unified(
    _ left: Bound, _ right: Bound, at offset: Int
  ) throws(FeatureStoreError) -> (Bound, Bound) {
    guard left.kind != .blob, right.kind != .blob else {
      throw .badWhereClause(
        reason: "bytes cannot be compared, only be asked for with IS NULL", offset: offset)
    }
    if left.isGUID || right.isGUID { return (comparableGUID(left), comparableGUID(right)) }
    if left.kind == right.kind || left.kind == .null || right.kind == .null { return (left, right) }
    if let constant = try converted(left, to: right) { return (constant, right) }
    if let constant = try converted(right, to: left) { return (left, constant) }
    throw .badWhereClause(
      reason: "\(left.kind.rawValue) cannot be compared with \(right.kind.rawValue)",
      offset: offset)
  }

  /// All values as one kind: that of the first that has one.
  func unified(
    _ parts: [WhereExpression], at offset: Int
  ) throws(FeatureStoreError) -> [Bound] {
    var values = try values(parts)
    let model =
      values.first { !$0.value.isConstant }
      ?? values.first { $0.kind != .null && $0.kind != .text } ?? values.first { $0.kind == .text }
    guard let model else { return values }
    for index in values.indices { values[index] = try unified(values[index], model, at: offset).0 }
    return values
  }

  /// A constant as another value's kind; `nil` if this is none, or the kinds do not go together.
  private func converted(_ value: Bound, to other: Bound) throws(FeatureStoreError) -> Bound? {
    guard case .constant(let constant) = value.value else { return nil }
    switch (constant, other.kind) {
    case (.text(let text), .number):
      guard let number = SQLNumber.parse(text) ?? Double(text).map({ .double($0) }) else {
        throw .badWhereClause(reason: "'\(text)' is no number", offset: value.offset)
      }
      return self.constant(number, .number, at: value.offset)
    case (.text(let text), .date):
      guard let date = CivilDate(parsing: text)?.date else {
        throw .badWhereClause(
          reason: "'\(text)' is no date; write DATE '2020-01-31'", offset: value.offset)
      }
      return self.constant(.milliseconds(of: date), .date, at: value.offset)
    case (.integer(let milliseconds), .text) where value.kind == .date:
      guard other.fieldType == .dateOnly else { return nil }
      let date = CivilDate(Date(timeIntervalSince1970: Double(milliseconds) / 1000))
      return self.constant(date.map { .text($0.dayText) } ?? .null, .text, at: value.offset)
    default: return nil
    }
  }

  /// A GUID in lower case; a constant one gets the braces that stored ones have.
  private func comparableGUID(_ value: Bound) -> Bound {
    var result = value
    if case .constant(.text(let text)) = value.value {
      let isBare = text.utf8.count == 36 && text.utf8.first != UInt8(ascii: "{")
      result.value = .constant(.text((isBare ? "{\(text)}" : text).lowercased()))
    } else {
      result.value = .function(.lower, [value.value])
    }
    return result
  }
}

extension WhereBinder.Bound {
  fileprivate var isGUID: Bool { fieldType == .guid || fieldType == .globalID }
}
