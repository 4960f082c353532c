internal import Foundation

/// Two streets that were typed as a crossing: "Main & 2nd", "Main St and 2nd Ave", "Main / 2nd",
/// "corner of Main and 2nd".
struct IntersectionText: Hashable, Sendable {
  private static let separators = ["&", "@", " and ", " at ", " und ", " et ", " y ", "/", "+"]
  private static let openings = [
    "the ", "corner of ", "intersection of ", "crossing of ", "junction of ",
  ]

  let first: String
  let second: String

  /// Reads a text; `nil` if it names no crossing.
  init?(_ text: String) {
    let text = Self.withoutOpening(String(text.prefix(256)))
    for separator in Self.separators {
      guard let range = text.range(of: separator, options: .caseInsensitive) else { continue }
      let (first, second) = (String(text[..<range.lowerBound]), String(text[range.upperBound...]))
      guard Self.hasWords(first), Self.hasWords(second),
        separator != "/" || !Self.isNumber(first) && !Self.isNumber(second)
      else { continue }
      self.first = first
      self.second = second
      return
    }
    return nil
  }

  private static func withoutOpening(_ text: String) -> String {
    var text = text[...].drop(while: \.isWhitespace)
    while let opening = openings.first(where: { text.lowercased().hasPrefix($0) }) {
      text = text.dropFirst(opening.count)
    }
    return String(text)
  }

  private static func hasWords(_ text: String) -> Bool { !SearchText(text).words.isEmpty }

  /// Whether a text is no more than a number: "12/14 Main St" is no crossing.
  private static func isNumber(_ text: String) -> Bool {
    text.allSatisfy { $0.isNumber || $0.isWhitespace }
  }
}
