extension Completer {
  /// The word as it must be typed: quoted if something in it has a meaning of its own.
  ///
  /// A quote that the user has opened is kept.
  static func quoted(_ word: String, openedBy quote: Character?) -> String {
    let needsQuote = word.contains { $0.isWhitespace || "\"'\\#".contains($0) }
    guard quote != nil || needsQuote else { return word }
    // Nothing can be escaped between single quotes.
    if quote == "'", !word.contains("'") { return "'\(word)'" }
    let escaped = word.map { "\"\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    return "\"\(escaped)\""
  }

  /// A word that is not finished: its last quote is left off.
  static func open(_ word: String) -> String {
    word.hasPrefix("\"") || word.hasPrefix("'") ? String(word.dropLast()) : word
  }

  /// The common prefix of all words, letter case aside; in the letters of the first.
  static func commonPrefix(of words: [String]) -> String {
    guard var common = words.first?[...] else { return "" }
    for word in words.dropFirst() {
      let count = zip(common, word).prefix { $0.lowercased() == $1.lowercased() }.count
      common = common.prefix(count)
    }
    return String(common)
  }
}
