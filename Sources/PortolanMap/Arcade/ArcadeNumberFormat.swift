internal import Foundation

/// Writes numbers by patterns such as `$#,##0.00` or `#%;(#%)`: commas between groups of digits
/// and a point before fractions, in every locale.
enum ArcadeNumberFormat {
  /// The number by a pattern.
  static func text(_ number: Double, _ pattern: String) throws(ArcadeError) -> String {
    guard pattern.utf8.count <= 1000 else { throw .tooLong }
    guard number.isFinite, abs(number) < 1e15 else {
      throw .wrongValue("formats a number that is too large")
    }
    let patterns = pattern.split(separator: ";", omittingEmptySubsequences: false)
    let positive = String(patterns[0])
    // The negative half gives no more than the text before and after the digits.
    let chosen = number < 0 ? (patterns.count > 1 ? String(patterns[1]) : "-" + positive) : positive
    let digits = #/[#0,]*[#0](?:\.0*#*)?/#
    guard let form = positive.firstMatch(of: digits), let place = chosen.firstMatch(of: digits),
      !positive.contains("E"), !positive.contains("¤"), !positive.contains("'")
    else { throw .notSupported("the number format \"\(pattern)\"") }
    var value = abs(number)
    if chosen.contains("%") { value *= 100 }
    if chosen.contains("‰") { value *= 1000 }
    let written = DigitForm(String(form.output)).text(value)
    return chosen.replacingCharacters(in: place.range, with: written)
  }

  /// What a pattern says about the digits themselves.
  private struct DigitForm {
    let whole: String
    let fraction: String

    init(_ pattern: String) {
      let parts = pattern.split(separator: ".", maxSplits: 1)
      whole = String(parts.first ?? "")
      fraction = parts.count > 1 ? String(parts[1]) : ""
    }

    func text(_ value: Double) -> String {
      let places = min(fraction.count, DecimalText.maximumPlaces)
      let rounded = ArcadeRounding.round(value, places: places)
      let least = fraction.prefix { $0 == "0" }.count
      let text = DecimalText.fixed(rounded, places: places, atLeast: least)
      let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
      let digits = grouped(padded(parts[0]))
      return parts.count > 1 ? "\(digits).\(parts[1])" : digits
    }

    /// Zeros ask for that many digits; without any `#` there are no more than that.
    private func padded(_ digits: String) -> String {
      let places = whole.filter { $0 != "," }
      guard let first = places.firstIndex(of: "0") else { return digits }
      let count = places.distance(from: first, to: places.endIndex)
      let padded = String(repeating: "0", count: max(0, count - digits.count)) + digits
      return places.contains("#") ? padded : String(padded.suffix(count))
    }

    private func grouped(_ digits: String) -> String {
      let groups = whole.split(separator: ",", omittingEmptySubsequences: false).map(\.count)
      guard groups.count > 1, var size = groups.last, size > 0 else { return digits }
      let inner = groups.count > 2 ? groups[groups.count - 2] : size
      var rest = Substring(digits)
      var parts: [Substring] = []
      while rest.count > size {
        parts.insert(rest.suffix(size), at: 0)
        rest = rest.dropLast(size)
        size = max(inner, 1)
      }
      return ([rest] + parts).joined(separator: ",")
    }
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
