internal import Foundation

/// Formats numbers for people: a point before fractions and commas between thousands, unless a
/// locale is given.
enum DecimalText {
  /// The most digits after the point that are ever written.
  static let maximumPlaces = 15

  /// The fewest digits that tell the number from all others.
  static func shortest(_ number: Double) -> String {
    if let whole = Int64(exactly: number) { return String(whole) }
    guard number.isFinite else { return number.isNaN ? "" : (number < 0 ? "-∞" : "∞") }
    let text = "\(number)"
    return text.contains("e") ? fixed(number, places: maximumPlaces, atLeast: 0) : text
  }

  /// The number with `places` digits after the point.
  static func fixed(_ number: Double, places: Int, usesGrouping: Bool = false) -> String {
    fixed(number, places: places, atLeast: places, usesGrouping: usesGrouping)
  }

  /// The number with at most `places` digits after the point, and no fewer than `minimum` though
  /// they be zeros.
  static func fixed(
    _ number: Double, places: Int, atLeast minimum: Int, usesGrouping: Bool = false
  ) -> String {
    guard number.isFinite else { return shortest(number) }
    let places = min(max(places, 0), maximumPlaces)
    var text = String(format: "%.\(places)f", rounded(number, places: places))
    if let point = text.firstIndex(of: ".") {
      var surplus = places - min(max(minimum, 0), places)
      while surplus > 0, text.last == "0" {
        text.removeLast()
        surplus -= 1
      }
      if text.index(after: point) == text.endIndex { text.removeLast() }
    }
    if text.allSatisfy({ "-0.".contains($0) }) { text = text.replacing("-", with: "") }
    return usesGrouping ? grouped(text) : text
  }

  /// Doubles from here on are whole numbers.
  private static let firstOfWholes = 9_007_199_254_740_992.0

  /// The nearest number with so many digits after the point; of two, the one farther from zero.
  ///
  /// By the digits that the number is written with, as browsers format the numbers of popups: 2.5 becomes 3
  /// and 1.005 becomes 1.01, of which the formatting of C makes 2 and 1.00.
  private static func rounded(_ number: Double, places: Int) -> Double {
    guard abs(number) < firstOfWholes else { return number }
    return ArcadeRounding.adjust(number, places: places) { $0.rounded(.toNearestOrAwayFromZero) }
  }

  /// The digits of a text with the separators of a locale; the text itself if it is no number.
  ///
  /// The digits stay those of the text, so that two locales never differ in how they round.
  static func localized(_ text: String, in locale: Locale, usesGrouping: Bool) -> String {
    let plain = text.replacing(",", with: "")
    let digits = plain.filter(\.isNumber).count
    guard digits > 0, digits <= maximumDecimalDigits,
      plain.allSatisfy({ "-0123456789.".contains($0) }),
      let number = Decimal(string: plain, locale: posix)
    else { return text }
    let places = plain.split(separator: ".").dropFirst().first?.count ?? 0
    return number.formatted(
      .number.locale(locale).precision(.fractionLength(places))
        .grouping(usesGrouping ? .automatic : .never))
  }

  /// The most digits that a decimal number holds exactly.
  private static let maximumDecimalDigits = 38
  private static let posix = Locale(identifier: "en_US_POSIX")

  /// The same digits with a comma between thousands.
  static func grouped(_ text: String) -> String {
    let start = text.firstIndex(where: \.isNumber) ?? text.endIndex
    let end = text.firstIndex(of: ".") ?? text.endIndex
    guard start < end else { return text }
    let digits = text[start..<end]
    var result = String(text[..<start])
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { result.append(",") }
      result.append(digit)
    }
    return result + text[end...]
  }
}
