internal import Foundation
internal import PortolanFeatures

/// Formats single values for popups.
struct PopupValueFormatter {
  var timeZone: TimeZone
  /// `nil` for the way of documents.
  var locale: Locale?

  func text(
    of value: AttributeValue, type: FieldType?, domain: Domain?, format: PopupFieldFormat
  ) -> String {
    if case .codedValue(let domain) = domain, let name = domain.name(of: value) { return name }
    switch value {
    case .null: return ""
    case .integer(let number): return localized(format.text(of: number), format)
    case .double(let number): return localized(format.text(of: number), format)
    case .text(let text): return self.text(of: text, type: type, format: format.dateFormat)
    case .blob(let data): return data.sizeText
    case .date(let date):
      return format.dateFormat?.text(of: date, in: timeZone, locale: locale)
        ?? defaultText(of: date, type)
    }
  }

  /// Days and times that services write as text have no time zone.
  private func text(of text: String, type: FieldType?, format: PopupDateFormat?) -> String {
    guard type == .dateOnly, let day = CivilDate(parsing: text) else { return text }
    return PopupDateFormat(format?.day ?? .shortDate).text(of: day, locale: locale)
  }

  /// A number that was written the way of documents, in the locale.
  private func localized(_ text: String, _ format: PopupFieldFormat) -> String {
    guard let locale else { return text }
    return DecimalText.localized(text, in: locale, usesGrouping: format.usesDigitSeparator)
  }

  private func defaultText(of date: Date, _ type: FieldType?) -> String {
    type == .dateOnly
      ? PopupDateFormat(.shortDate).text(of: date, in: .gmt, locale: locale)
      : PopupDateFormat(.shortDate, .shortTime).text(of: date, in: timeZone, locale: locale)
  }
}
