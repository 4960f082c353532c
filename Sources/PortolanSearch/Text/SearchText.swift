/// A typed search, as words to look for.
struct SearchText: Hashable, Sendable {
  /// What is read of a text, in bytes.
  static let longest = 1024
  /// How many words count; no label has more that tell it apart.
  static let mostWords = 12
  /// How many letters that are words by themselves count as one of these: an address without spaces has its
  /// number at the end.
  private static let ideographsPerWord = 4
  /// How many words there are in any reading; matching has a bit for each, of 64.
  private static let most = mostWords * ideographsPerWord

  /// The words, folded, in their order.
  let words: [[UInt8]]
  /// How many of them precede the first comma; all if there is none.
  let headCount: Int

  /// Describes words that were read already, as far as they count.
  init(words: [[UInt8]], headCount: Int? = nil) {
    self.words = Array(words.prefix(Self.most))
    self.headCount = min(headCount ?? words.count, self.words.count)
  }

  /// Reads a text of any length and content.
  init(_ text: String) {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if bytes.count >= Self.longest, byte & 0xC0 != 0x80 { break }
      bytes.append(byte)
    }
    var words: [[UInt8]] = []
    var headCount: Int?
    var left = Self.most
    WordBreaker.pieces(of: bytes.span) { piece in
      guard left > 0, !piece.word.isEmpty else { return }
      let word = FoldedWord.bytes(of: Array(bytes[piece.word]))
      guard !word.isEmpty else { return }
      words.append(word)
      left -= piece.isIdeograph ? 1 : Self.ideographsPerWord
      let separators = bytes[piece.word.upperBound..<piece.range.upperBound]
      if headCount == nil, separators.contains(0x2C) { headCount = words.count }
    }
    self.init(words: words, headCount: headCount)
  }
}
