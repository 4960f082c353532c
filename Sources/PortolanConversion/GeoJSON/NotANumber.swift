internal import Foundation

/// Reads JSON text into which a program has written `NaN`, which is not JSON.
enum NotANumber {
  private static let name = Data("NaN".utf8)

  /// The text with `null` for every `NaN` that is not part of a text in it; `nil` if there is none.
  static func nulled(in text: Data) -> Data? {
    guard text.range(of: name) != nil else { return nil }
    var result = Data(capacity: text.count)
    var (isInText, isEscaped) = (false, false)
    var index = text.startIndex
    while index < text.endIndex {
      let byte = text[index]
      if !isInText, text[index...].starts(with: name) {
        result.append(contentsOf: "null".utf8)
        index += name.count
        continue
      }
      if byte == UInt8(ascii: "\""), !isEscaped { isInText.toggle() }
      isEscaped = isInText && byte == UInt8(ascii: "\\") && !isEscaped
      result.append(byte)
      index += 1
    }
    return result
  }
}
