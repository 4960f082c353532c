internal import Foundation

/// Whole numbers beyond 64 bits, which simdjson refuses and other readers round.
enum WideIntegers {
  /// The text with an exponent behind each of them, so that they are read as the nearest `Double`;
  /// `nil` if it has none.
  static func rounded(in data: Data) -> Data? {
    var result = Data(capacity: data.count + 64)
    var number = Data()
    var isInString = false
    var isEscaped = false
    var hasChanged = false
    for byte in data {
      if !isInString, isPart(byte) {
        number.append(byte)
      } else if !number.isEmpty {
        hasChanged = end(&number, in: &result) || hasChanged
      }
      result.append(byte)
      if isEscaped {
        isEscaped = false
      } else if isInString, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString.toggle()
      }
    }
    hasChanged = end(&number, in: &result) || hasChanged
    return hasChanged ? result : nil
  }

  /// Ends a number, with an exponent if it is too wide; whether it was.
  private static func end(_ number: inout Data, in result: inout Data) -> Bool {
    defer { number.removeAll(keepingCapacity: true) }
    guard isWide(number) else { return false }
    result.append(contentsOf: [UInt8(ascii: "e"), UInt8(ascii: "0")])
    return true
  }

  /// Whether a byte is part of a number, whole or not.
  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private static func isWide(_ text: Data) -> Bool {
    let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text
    guard digits.count >= 19, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return false
    }
    let number = String(decoding: text, as: UTF8.self)
    return Int64(number) == nil && UInt64(number) == nil
  }
}
