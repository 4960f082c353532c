/// A typed search, as words to look for.
struct SearchText: Hashable, Sendable {
  /// What is read of a text, in bytes.
  static let longest = 1024
  /// How many words count; no label has more that tell it apart.
  static let mostWords = 12

  /// The words, folded, in their order.
  let words: [[UInt8]]
  /// How many of them precede the first comma; all if there is none.
  let headCount: Int

  /// Describes words that were read already.
  init(words: [[UInt8]], headCount: Int? = nil) {
    self.words = words
    self.headCount = headCount ?? words.count
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
    WordBreaker.pieces(of: bytes.span) { piece in
      guard words.count < Self.mostWords, !piece.word.isEmpty else { return }
      let word = FoldedWord.bytes(of: Array(bytes[piece.word]))
      guard !word.isEmpty else { return }
      words.append(word)
      let separators = bytes[piece.word.upperBound..<piece.range.upperBound]
      if headCount == nil, separators.contains(0x2C) { headCount = words.count }
    }
    self.init(words: words, headCount: headCount)
  }
}
