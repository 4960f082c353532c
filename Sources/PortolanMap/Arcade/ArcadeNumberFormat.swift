/// Writes and reads numbers by patterns such as `$#,##0.00` or `#%;(#%)`: commas between groups of
/// digits and a point before fractions, in every locale.
enum ArcadeNumberFormat {
  /// The number by a pattern.
  static func text(_ number: Double, _ pattern: String) throws(ArcadeError) -> String {
    guard number.isFinite, abs(number) < 1e15 else {
      throw .wrongValue("formats a number that is too large")
    }
    let parts = try ArcadeNumberPattern(pattern)
    guard let frame = number < 0 ? parts.negative : parts.positive else {
      throw .notSupported("the number format \"\(pattern)\"")
    }
    return frame.prefix + parts.form.text(abs(number) * frame.factor) + frame.suffix
  }

  /// The number that a text says by a pattern; not a number if the pattern does not fit it.
  ///
  /// - SeeAlso: [Type casting](https://developers.arcgis.com/arcade/guide/type-casting/)
  static func number(in text: String, _ pattern: String) throws(ArcadeError) -> Double {
    let parts = try ArcadeNumberPattern(pattern)
    let text = text.trimmingBlanks()
    guard text.utf8.count <= 400 else { return .nan }
    if let digits = parts.positive.digits(in: text) {
      let number = try parts.form.number(digits, shift: parts.positive.shift)
      if !number.isNaN { return number }
    }
    guard let frame = parts.negative, let digits = frame.digits(in: text) else { return .nan }
    return try -parts.form.number(digits, shift: frame.shift)
  }
}
