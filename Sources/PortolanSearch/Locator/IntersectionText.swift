internal import Foundation

/// Two streets that were typed as a crossing: "Main & 2nd", "Main St and 2nd Ave", "Main @ 2nd".
struct IntersectionText: Hashable, Sendable {
  let first: String
  let second: String

  /// Reads a text; `nil` if it names no crossing.
  init?(_ text: String) {
    let text = String(text.prefix(256))
    for separator in ["&", "@", " and ", " at ", " und ", " et ", " y "] {
      guard let range = text.range(of: separator, options: .caseInsensitive) else { continue }
      let (first, second) = (String(text[..<range.lowerBound]), String(text[range.upperBound...]))
      guard !SearchText(first).words.isEmpty, !SearchText(second).words.isEmpty else { continue }
      self.first = first
      self.second = second
      return
    }
    return nil
  }
}
