internal import Foundation

/// Numbers as many languages write them, with a comma where a point is meant here.
enum DecimalComma {
  /// Says how numbers are written.
  ///
  /// - Parameters:
  ///   - text: What was typed, such as `1,5` or `-68,2;44,3`.
  ///   - isUnderstood: Whether a text is what it must be.
  /// - Returns: A sentence; `nil` if the text would not be understood with points or without commas
  ///   either.
  static func advice(on text: String, _ isUnderstood: (String) -> Bool) -> String? {
    let numbers = Self.numbers(in: text)
    let withPoints = numbers.map { $0.replacing(",", with: ".") }.joined(separator: ",")
    // If any text is accepted, as the name of a file, numbers are none of its parts.
    guard numbers.contains(where: { $0.contains(",") }), !isUnderstood("?") else { return nil }
    // Three digits behind a comma are thousands as often as decimals.
    let plain = text.replacing(",", with: "")
    let parts = text.split(separator: ",")
    let isGrouped =
      parts.count == 2 && numbers.count == 1
      && parts[1].prefix { $0.isASCII && $0.isNumber }.count == 3
    switch (isUnderstood(withPoints), isGrouped && isUnderstood(plain)) {
    case (true, true): return "Write \(plain) or \(withPoints): the comma is no part of a number."
    case (true, false): return "Numbers have a decimal point: \(withPoints)."
    case (false, true): return "Write \(plain), without a comma."
    case (false, false): return nil
    }
  }

  /// The numbers between semicolons and spaces, each without a comma at its end.
  private static func numbers(in text: String) -> [String] {
    text.components(separatedBy: CharacterSet(charactersIn: "; \t"))
      .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: ",")) }
      .filter { !$0.isEmpty }
  }
}
