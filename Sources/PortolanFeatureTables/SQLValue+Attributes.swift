public import PortolanFeatures
public import PortolanSQLite

public import struct Foundation.Date

extension SQLValue {
  /// The value as SQLite takes it.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - moment: How a date is stored, which differs between formats.
  public init(_ value: AttributeValue, moment: (Date) -> SQLValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let number): .integer(number)
      case .double(let number): .real(number)
      case .text(let text): .text(text)
      case .date(let date): moment(date)
      case .blob(let data): .blob(data)
      }
  }

  /// A value of a bound where clause, in which moments are whole numbers of milliseconds.
  init(ofClause value: AttributeValue) { self.init(value) { _ in .null } }
}

extension AttributeValue {
  /// The value as it is, whatever column it came from.
  public init(_ value: SQLValue) {
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
