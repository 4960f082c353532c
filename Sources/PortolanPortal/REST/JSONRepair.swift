internal import Foundation

/// Repairs invalid JSON of some servers: bare `NaN` and `Infinity`, and bytes of Latin-1 in texts.
///
/// Each costs one value; without the repair it would cost the whole response.
struct JSONRepair {
  private let bytes: [UInt8]
  private var result: [UInt8] = []
  private var position = 0
  private var isRepaired = false

  private init(_ data: Data) {
    bytes = Array(data)
    result.reserveCapacity(bytes.count)
  }

  /// The document with numbers that JSON cannot express as `null` and texts in UTF-8; `nil` if it
  /// contains neither, so that something else is wrong with it.
  static func repaired(_ data: Data) -> Data? {
    var repair = JSONRepair(data)
    repair.run()
    return repair.isRepaired ? Data(repair.result) : nil
  }

  private mutating func run() {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""): copyText()
      case UInt8(ascii: "N"), UInt8(ascii: "I"), UInt8(ascii: "-"): copyNumber()
      default: copy(1)
      }
    }
  }

  private mutating func copyNumber() {
    for word in Self.numberWords where bytes[position...].starts(with: word) {
      replace(word.count, with: Array("null".utf8))
      return
    }
    copy(1)
  }

  /// Copies a text with its quotation marks.
  private mutating func copyText() {
    copy(1)
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\\") {
        copy(min(2, bytes.count - position))
      } else if byte == UInt8(ascii: "\"") {
        copy(1)
        return
      } else {
        copyCharacter()
      }
    }
  }

  private mutating func copyCharacter() {
    if let length = Self.characterLength(bytes[position...]) {
      copy(length)
    } else {
      // 0x80 to 0x9F are control characters in Latin-1, and others in each code page of Windows.
      let byte = bytes[position]
      let scalar = byte < 0xA0 ? "\u{FFFD}" : Unicode.Scalar(byte)
      replace(1, with: Array(String(Character(scalar)).utf8))
    }
  }

  private mutating func copy(_ count: Int) {
    result += bytes[position..<position + count]
    position += count
  }

  private mutating func replace(_ count: Int, with replacement: [UInt8]) {
    result += replacement
    position += count
    isRepaired = true
  }

  private static let numberWords = ["NaN", "Infinity", "-NaN", "-Infinity"].map { Array($0.utf8) }

  /// The length in UTF-8 of the character at the start, in bytes; `nil` if it is not UTF-8.
  private static func characterLength(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.first, let (length, second) = characterStart(first) else { return nil }
    let rest = bytes.dropFirst().prefix(length - 1)
    guard rest.count == length - 1 else { return nil }
    if let next = rest.first, !second.contains(next) { return nil }
    return rest.dropFirst().allSatisfy { (0x80...0xBF).contains($0) } ? length : nil
  }

  /// The length that the first byte of a character announces, and what the second may be.
  private static func characterStart(_ first: UInt8) -> (length: Int, second: ClosedRange<UInt8>)? {
    switch first {
    case 0x00...0x7F: (1, 0...0)
    case 0xC2...0xDF: (2, 0x80...0xBF)
    case 0xE0: (3, 0xA0...0xBF)
    case 0xED: (3, 0x80...0x9F)
    case 0xE1...0xEF: (3, 0x80...0xBF)
    case 0xF0: (4, 0x90...0xBF)
    case 0xF1...0xF3: (4, 0x80...0xBF)
    case 0xF4: (4, 0x80...0x8F)
    default: nil
    }
  }
}
