/// The encoding of Unicode that the mark at the beginning of a text tells; UTF-8 without one.
enum UnicodeEncoding: Hashable, Sendable {
  case utf8
  case utf16LittleEndian
  case utf16BigEndian

  /// The mark of UTF-8.
  static let utf8Mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Tells the encoding by the first bytes of a text.
  init(markedAt bytes: [UInt8]) {
    self =
      bytes.starts(with: [0xFF, 0xFE])
      ? .utf16LittleEndian : bytes.starts(with: [0xFE, 0xFF]) ? .utf16BigEndian : .utf8
  }

  /// A piece of a text in UTF-8, its mark included.
  ///
  /// - Parameters:
  ///   - piece: The bytes.
  ///   - isLast: Whether the text ends with them.
  /// - Returns: The text in UTF-8, and how many of the bytes it stands for: a character that goes on behind
  ///   the piece is left to the next one.
  func text(of piece: [UInt8], isLast: Bool) -> (bytes: [UInt8], length: Int) {
    guard self != .utf8 else { return (piece, piece.count) }
    let (high, low) = self == .utf16BigEndian ? (0, 1) : (1, 0)
    var units = stride(from: 0, to: piece.count - 1, by: 2).map { place in
      UInt16(piece[place + high]) << 8 | UInt16(piece[place + low])
    }
    // A lone byte at the end is a half of nothing.
    guard !isLast else { return (Array(String(decoding: units, as: UTF16.self).utf8), piece.count) }
    if units.count > 1, let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
    return (Array(String(decoding: units, as: UTF16.self).utf8), 2 * units.count)
  }
}
