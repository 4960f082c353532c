internal import PortolanFeatures
internal import PortolanSQLite

extension SQLValue {
  /// The value as SQLite takes it; moments become Julian days.
  init(_ value: AttributeValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let number): .integer(number)
      case .double(let number): .real(number)
      case .text(let text): .text(text)
      case .date(let date): .real(JulianDay.day(date))
      case .blob(let data): .blob(data)
      }
  }
}

extension AttributeValue {
  /// The value as it is, whatever column it came from.
  init(_ value: SQLValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let number): .integer(number)
      case .real(let number): .double(number)
      case .text(let text): .text(text)
      case .blob(let data): .blob(data)
      }
  }
}
