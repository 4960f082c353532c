public import struct Foundation.Data
public import struct Foundation.Date

/// The value of a field of one feature.
public enum AttributeValue: Hashable, Sendable, Codable {
  case null
  case integer(Int64)
  case double(Double)
  /// Text; GUIDs with braces; XML.
  case text(String)
  /// A moment in UTC.
  case date(Date)
  case blob(Data)

  /// Whether the value is null.
  public var isNull: Bool { self == .null }

  /// The number, if this is one.
  public var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// Whether both are the same value; numbers are compared by value, text by its bytes, `null`
  /// equals nothing.
  public func isEqual(to other: AttributeValue) -> Bool {
    switch (self, other) {
    case (.null, _), (_, .null): false
    case (.integer(let left), .integer(let right)): left == right
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    default:
      if let left = number, let right = other.number { left == right } else { self == other }
    }
  }

  /// Whether a stored value is this code or bound of a domain.
  ///
  /// Fields of single precision hold 0.1 as 0.10000000149…, which is still what the domain calls 0.1.
  func isMet(by stored: AttributeValue) -> Bool {
    if isEqual(to: stored) { return true }
    // Whole numbers that are too great for single precision stay apart, as codes are.
    guard case .double(let number) = self, case .double(let single) = stored,
      number != number.rounded()
    else { return false }
    return Double(Float(number)) == single
  }
}
