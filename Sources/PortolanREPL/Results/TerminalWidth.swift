extension String {
  /// The number of columns that the text takes on a terminal: letters of Chinese, Japanese and
  /// Korean, and pictures, take two each.
  var terminalWidth: Int {
    utf8.allSatisfy { $0 < 0x80 } ? utf8.count : reduce(0) { $0 + $1.terminalWidth }
  }

  /// The beginning of the text, as much of it as so many columns of a terminal hold.
  func prefix(columns: Int) -> Substring {
    var left = columns
    return prefix { character in
      left -= character.terminalWidth
      return left >= 0
    }
  }
}

extension Character {
  /// The number of columns that the character takes on a terminal.
  fileprivate var terminalWidth: Int {
    guard let first = unicodeScalars.first, first.value >= 0x1100 else { return 1 }
    return first.isWide || unicodeScalars.contains { $0.value == 0xFE0F } ? 2 : 1
  }
}

extension Unicode.Scalar {
  /// Whether terminals draw this two columns wide.
  ///
  /// - SeeAlso: [UAX #11, East Asian Width](https://www.unicode.org/reports/tr11/)
  fileprivate var isWide: Bool {
    if properties.isEmojiPresentation { return true }
    return switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
      0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x1_7000...0x1_8CFF, 0x1_B000...0x1_B2FF, 0x1_F300...0x1_F64F,
      0x1_F900...0x1_F9FF, 0x2_0000...0x3_FFFD:
      true
    default: false
    }
  }
}
