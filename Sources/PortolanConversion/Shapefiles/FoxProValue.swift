internal import Foundation
internal import PortolanFeatures

/// The values of those columns of Visual FoxPro whose cells are no texts.
enum FoxProValue: Character {
  /// Four bytes.
  case integer = "I"
  /// Eight bytes; elsewhere ten, as of a memo.
  case double = "B"
  /// A whole number of ten-thousandths.
  case currency = "Y"
  /// A day and the milliseconds since its midnight.
  case moment = "T"

  /// The day of 1970-01-01, counted as astronomers do.
  private static let firstDay = 2_440_588
  /// The days up to the end of the year 9999; a blank cell has more.
  private static let days = 1...5_373_484
  private static let millisecondsOfDay = 86_400_000

  /// The columns of a kind and a length; `nil` if their cells are texts.
  init?(kind: Character, length: Int) {
    guard let value = FoxProValue(rawValue: kind), length == (value == .integer ? 4 : 8) else {
      return nil
    }
    self = value
  }

  /// The type of the field.
  var type: FieldType {
    switch self {
    case .integer: .integer
    case .double, .currency: .double
    case .moment: .date
    }
  }

  /// The value of a cell.
  func value(_ cell: Data) -> AttributeValue {
    // The least byte is the first.
    let bits = cell.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    switch self {
    case .integer: return .integer(Int64(Int32(truncatingIfNeeded: bits)))
    case .double:
      let number = Double(bitPattern: bits)
      return number.isFinite ? .double(number) : .null
    case .currency: return .double(Double(Int64(bitPattern: bits)) / 10_000)
    case .moment:
      let (day, milliseconds) = (Int(bits & 0xFFFF_FFFF), Int(bits >> 32))
      guard Self.days.contains(day), milliseconds <= Self.millisecondsOfDay else { return .null }
      return .date(
        Date(
          timeIntervalSince1970: Double(day - Self.firstDay) * 86_400
            + Double(milliseconds) / 1_000))
    }
  }
}
