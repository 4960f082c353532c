internal import Foundation

/// A word as it is compared: without case, accents and apostrophes.
///
/// Marks that are letters of their script, as in Devanagari, stay.
enum FoldedWord {
  /// What words are cut to, in bytes; longer ones are not typed.
  static let longest = 64

  /// Folds a word in UTF-8.
  static func bytes(of word: [UInt8]) -> [UInt8] {
    var folded: [UInt8] = []
    folded.reserveCapacity(min(word.count, longest))
    for byte in word {
      guard byte < 0x80 else { return cut(foldedText(word)) }
      guard byte != 0x27, byte != 0x60 else { continue }
      folded.append(byte >= 0x41 && byte <= 0x5A ? byte + 0x20 : byte)
    }
    return cut(folded)
  }

  private static func foldedText(_ word: [UInt8]) -> [UInt8] {
    let plain = String(decoding: word, as: UTF8.self).lowercased()
      .decomposedStringWithCompatibilityMapping.lowercased()
    var folded = String.UnicodeScalarView()
    for scalar in plain.unicodeScalars where !isDropped(scalar) {
      if let letters = substitutes[scalar] {
        folded.append(contentsOf: letters.unicodeScalars)
      } else {
        folded.append(digit(scalar) ?? hiragana(scalar) ?? HanLetters.plain(scalar))
      }
    }
    return Array(String(folded).utf8)
  }

  /// Accents of Latin, Greek and Cyrillic, the vowel points of Hebrew and Arabic, apostrophes,
  /// the signs of Hebrew abbreviations, the okina of Hawaii and what is typed for it, and what says how letters are joined, which people
  /// leave out.
  private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x22, 0x27, 0x60, 0x2018, 0x2019, 0x201C, 0x201D, 0x02BB...0x02BF, 0x20, 0x0300...0x036F,
      0x0591...0x05C7, 0x05F3, 0x05F4, 0x0610...0x061A, 0x0640,
      0x064B...0x065F, 0x0670, 0xAD, 0x200C, 0x200D:
      true
    default: false
    }
  }

  /// Digits of any script as those that keyboards have: the number of a house is typed either way.
  static func digit(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    let properties = scalar.properties
    guard properties.numericType == .decimal, let value = properties.numericValue,
      let digit = UInt8(exactly: value)
    else { return nil }
    return Unicode.Scalar(0x30 + digit)
  }

  /// Katakana as hiragana, which people type either way.
  private static func hiragana(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    (0x30A1...0x30F6).contains(scalar.value) ? Unicode.Scalar(scalar.value - 0x60) : nil
  }

  /// Letters that no decomposition takes apart, as people type them; letters of Arabic that are
  /// written in more than one way.
  private static let substitutes: [Unicode.Scalar: String] = [
    "ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i",
    "ħ": "h", "ŧ": "t", "ς": "σ", "ة": "ه", "ى": "ي", "ی": "ي", "ک": "ك",
    "ہ": "ه", "ە": "ه", "ۃ": "ه",
  ]

  /// Cuts a word between two characters.
  private static func cut(_ word: [UInt8]) -> [UInt8] {
    guard word.count > longest else { return word }
    var end = longest
    while end > 0, word[end] & 0xC0 == 0x80 { end -= 1 }
    return Array(word[..<end])
  }
}
