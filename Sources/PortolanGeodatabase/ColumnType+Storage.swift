internal import Foundation
internal import PortolanFeatureTables
package import PortolanFeatures
package import PortolanSQLite

extension ColumnType {
  /// A value as the column stores it, or `nil` if the column cannot hold it.
  ///
  /// Numbers change their storage class where nothing is lost; GUIDs get their braces.
  /// Not-a-number is stored as `null`, as SQLite itself would.
  package func stored(_ value: AttributeValue) -> SQLValue? {
    switch (self, value) {
    case (_, .null): .null
    case (.int16, _), (.int32, _), (.int64, _): storedInteger(value)
    case (.float64, _): value.number.map { $0.isNaN ? .null : .real($0) }
    case (.float32, _): value.number.map { $0.isNaN ? .null : .real(Double(Float($0))) }
    case (.realDate, .date(let date)): Self.storedDay(JulianDay.day(date))
    case (.text(let length), .text(let text)): text.hasAtMost(length) ? .text(text) : nil
    case (.longText, .text(let text)):
      text.hasAtMost(Self.greatestTextLength) ? .text(text) : nil
    case (.xml, .text(let text)): .text(text)
    case (.guid, .text(let text)): Self.storedGUID(text)
    case (.blob(let length), .blob(let data)):
      data.count <= length ?? .max ? .blob(data) : nil
    default: nil
    }
  }

  /// A stored value as an attribute of a field of this type.
  ///
  /// Values of another storage class than the column's are taken for what they are, since files
  /// exist that no CHECK constraint held to their types.
  package func attribute(_ value: SQLValue) -> AttributeValue {
    switch (self, value) {
    case (_, .null): .null
    case (.realDate, .real(let day)): .date(JulianDay.date(day))
    case (.realDate, .integer(let day)): .date(JulianDay.date(Double(day)))
    // As in GeoPackages; what cannot be read stays what it is.
    case (.realDate, .text(let text)):
      DateTimeText.date(of: text).map { .date($0) } ?? .text(text)
    case (.float32, .integer(let number)), (.float64, .integer(let number)):
      .double(Double(number))
    case (_, .integer(let number)): .integer(number)
    case (_, .real(let number)): .double(number)
    case (_, .text(let text)): .text(text)
    case (_, .blob(let data)): .blob(data)
    }
  }

  private func storedInteger(_ value: AttributeValue) -> SQLValue? {
    let integer: Int64? =
      switch value {
      case .integer(let number): number
      case .double(let number): Int64(exactly: number)
      default: nil
      }
    guard let integer, let range = integerRange, range.contains(integer) else { return nil }
    return .integer(integer)
  }

  /// Days before the first cannot be stored.
  private static func storedDay(_ day: Double) -> SQLValue? {
    day.isFinite && day >= 0 ? .real(day) : nil
  }

  private static func storedGUID(_ text: String) -> SQLValue? {
    switch text.utf8.count {
    case 38 where text.utf8.first == UInt8(ascii: "{"): .text(text)
    case 36 where text.utf8.first != UInt8(ascii: "{"): .text("{\(text)}")
    default: nil
    }
  }
}

extension String {
  /// Whether there are at most `length` characters, counted as SQLite does: by code point.
  fileprivate func hasAtMost(_ length: Int) -> Bool {
    // The count of bytes is known without walking along the text, and is never the smaller.
    utf8.count <= length || unicodeScalars.count <= length
  }
}
