internal import Foundation

/// Reads JSON text into which a program has written `NaN`, which is not JSON.
enum NotANumber {
  /// A text that is JSON.
  struct Repair {
    var text: Data
    /// Whether there was a number that is infinite.
    var hadInfinity = false
  }

  private static let infinity = Data("Infinity".utf8)
  private static let names = [Data("NaN".utf8), infinity, Data("-Infinity".utf8)]

  /// The text with `null` for every `NaN`, `Infinity` and `-Infinity` that is not part of a text in it; `nil` if
  /// there is none.
  static func nulled(in text: Data) -> Repair? {
    guard names.contains(where: { text.range(of: $0) != nil }) else { return nil }
    var result = Data(capacity: text.count)
    var hadInfinity = false
    var (isInText, isEscaped) = (false, false)
    var index = text.startIndex
    while index < text.endIndex {
      let byte = text[index]
      if !isInText, let name = names.first(where: { text[index...].starts(with: $0) }) {
        result.append(contentsOf: "null".utf8)
        hadInfinity = hadInfinity || name.count >= infinity.count
        index += name.count
        continue
      }
      if byte == UInt8(ascii: "\""), !isEscaped { isInText.toggle() }
      isEscaped = isInText && byte == UInt8(ascii: "\\") && !isEscaped
      result.append(byte)
      index += 1
    }
    return Repair(text: result, hadInfinity: hadInfinity)
  }
}
