/// The encoding of Unicode that the beginning of a text shows: by its byte order mark, or without one by
/// the halves of characters that are zero.
enum UnicodeEncoding: Hashable, Sendable {
  case utf8
  case utf16LittleEndian
  case utf16BigEndian

  /// The mark of UTF-8.
  static let utf8Mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Detects the encoding by the beginning of a text, at least a line of it.
  init(of bytes: [UInt8]) {
    if bytes.starts(with: [0xFF, 0xFE]) {
      self = .utf16LittleEndian
    } else if bytes.starts(with: [0xFE, 0xFF]) {
      self = .utf16BigEndian
    } else {
      self = Self.unmarked(bytes)
    }
  }

  /// Tells UTF-16 without a mark: some programs write none.
  ///
  /// Separators, digits and line ends have a half that is zero, always the same one. Zeros that a text in
  /// UTF-8 is filled up with are adjacent, or beside no line end.
  private static func unmarked(_ bytes: [UInt8]) -> UnicodeEncoding {
    guard bytes.contains(0) else { return .utf8 }
    var zeros = (first: 0, second: 0)
    var lineEnds = (big: false, little: false)
    for place in stride(from: 0, to: bytes.count - 1, by: 2) {
      switch (bytes[place], bytes[place + 1]) {
      case (0, 0): return .utf8
      case (0, let low):
        zeros.first += 1
        if low == 0x0A || low == 0x0D { lineEnds.big = true }
      case (let low, 0):
        zeros.second += 1
        if low == 0x0A || low == 0x0D { lineEnds.little = true }
      default: break
      }
    }
    if lineEnds.little, zeros.second > zeros.first { return .utf16LittleEndian }
    return lineEnds.big && zeros.first > zeros.second ? .utf16BigEndian : .utf8
  }

  /// A piece of a text in UTF-8, its mark included.
  ///
  /// - Parameters:
  ///   - piece: The bytes.
  ///   - isLast: Whether the text ends with them.
  /// - Returns: The text in UTF-8, and how many of the bytes it stands for: a character that continues behind
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
