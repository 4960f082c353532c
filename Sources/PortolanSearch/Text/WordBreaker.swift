/// Cuts a text into pieces, each of which is a word with the separators that follow it.
///
/// Put together again, the pieces are the text. Where a script writes no spaces (Han, kana, Thai and
/// its neighbours) each letter is a word of its own.
enum WordBreaker {
  /// A piece; separators before the first word belong to the first piece.
  struct Piece {
    /// The bytes of the piece.
    let range: Range<Int>
    /// The bytes of its word; empty in a text without any.
    let word: Range<Int>
    /// Whether the word is a single letter of a script that writes no spaces.
    let isIdeograph: Bool
  }

  /// What a character is in a word.
  private enum Role {
    case separator
    case letter
    /// A word by itself, with the marks that follow: so is a fraction of one character.
    case ideograph
    /// Belongs to what is before it.
    case mark
    /// Part of a word between letters only.
    case apostrophe
  }

  /// Hands on the pieces of a text in UTF-8.
  static func pieces(of text: Span<UInt8>, _ body: (Piece) -> Void) {
    var start = 0
    var word = 0..<0
    var isIdeograph = false
    var position = 0
    while position < text.count {
      let (role, length) = role(at: position, in: text)
      let end = position + length
      let isJoined = !word.isEmpty && word.upperBound == position
      let continues: Bool =
        switch role {
        case .letter: isJoined && !isIdeograph
        case .mark: isJoined
        case .apostrophe:
          isJoined && !isIdeograph && isLetter(at: end, in: text)
            && !Elision.isOne(word, before: end, in: text)
        case .separator, .ideograph: false
        }
      if continues {
        word = word.lowerBound..<end
      } else if role == .letter || role == .ideograph || role == .mark {
        if !word.isEmpty {
          body(Piece(range: start..<position, word: word, isIdeograph: isIdeograph))
          start = position
        }
        word = position..<end
        isIdeograph = role == .ideograph
      }
      position = end
    }
    if start < text.count {
      body(Piece(range: start..<text.count, word: word, isIdeograph: isIdeograph))
    }
  }

  /// The character at a position.
  static func character(at position: Int, in text: Span<UInt8>) -> Unicode.Scalar {
    let byte = text[position]
    return byte < 0x80 ? Unicode.Scalar(byte) : scalar(at: position, in: text).scalar
  }

  private static func isLetter(at position: Int, in text: Span<UInt8>) -> Bool {
    position < text.count && role(at: position, in: text).role == .letter
  }

  private static func role(
    at position: Int, in text: Span<UInt8>
  ) -> (role: Role, length: Int) {
    let byte = text[position]
    if byte < 0x80 {
      switch byte {
      case 0x61...0x7A, 0x30...0x39, 0x41...0x5A: return (.letter, 1)
      case 0x27, 0x60: return (.apostrophe, 1)
      case 0x22 where isBetweenHebrew(position, 1, in: text): return (.apostrophe, 1)
      default: return (.separator, 1)
      }
    }
    let (scalar, length) = scalar(at: position, in: text)
    let isQuote = scalar == "\u{201C}" || scalar == "\u{201D}"
    if isQuote, isBetweenHebrew(position, length, in: text) { return (.apostrophe, length) }
    return (role(of: scalar), length)
  }

  /// Whether letters of Hebrew are before and behind a quotation mark, which makes an abbreviation of them.
  private static func isBetweenHebrew(
    _ position: Int, _ length: Int, in text: Span<UInt8>
  ) -> Bool {
    position >= 2 && text[position - 2] == 0xD7 && position + length < text.count
      && text[position + length] == 0xD7
  }

  /// Decodes a character of two bytes or more; bytes that are none are separators.
  private static func scalar(
    at position: Int, in text: Span<UInt8>
  ) -> (scalar: Unicode.Scalar, length: Int) {
    let byte = text[position]
    let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
    guard byte >= 0xC0, position + length <= text.count else { return ("\u{FFFD}", 1) }
    var value = UInt32(byte) & (0x7F >> UInt32(length))
    for index in 1..<length { value = value << 6 | UInt32(text[position + index] & 0x3F) }
    return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
  }

  private static func role(of scalar: Unicode.Scalar) -> Role {
    if scalar == "\u{2018}" || scalar == "\u{2019}" { return .apostrophe }
    // What Hebrew has for an apostrophe, and between the last letters of an abbreviation.
    if scalar == "\u{5F3}" || scalar == "\u{5F4}" { return .apostrophe }
    // What says how letters are joined, or where a line may end, is in the middle of a word.
    if scalar == "\u{AD}" || scalar == "\u{200C}" || scalar == "\u{200D}" { return .mark }
    // The voicing marks of half-width katakana belong to the letter before, as those of others do.
    if scalar == "\u{FF9E}" || scalar == "\u{FF9F}" { return .mark }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return .mark
    default: break
    }
    // A fraction is not a digit of the number before it: "12½" is "12 1/2".
    if isFraction(scalar) { return .ideograph }
    // The digits of a number belong together, also where letters are words by themselves.
    if properties.numericType == .decimal { return .letter }
    if writesNoSpaces(scalar) || properties.isIdeographic { return .ideograph }
    return properties.isAlphabetic || properties.numericType != nil ? .letter : .separator
  }

  private static func isFraction(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xBC...0xBE, 0x2150...0x215E, 0x2189: true
    default: false
    }
  }

  private static func writesNoSpaces(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x30FF, 0x31F0...0x31FF,
      0xFF66...0xFF9F:
      true
    default: false
    }
  }
}
