/// Cuts a line into words, as a shell does.
///
/// Blanks separate words. Double and single quotes keep what they enclose together; a backslash
/// takes the next character as it is, except inside single quotes. A quoted word may be empty.
public enum WordSplitter {
  /// A word and its position in the line.
  struct Word: Equatable {
    /// The word without quotes and backslashes.
    var text = ""
    /// The start of the word, quote included.
    var start: String.Index
    /// The quote that is still open at the end of the line.
    var openQuote: Character?
    /// Whether the line ends in a backslash that waits for a character.
    var isEscaping = false
  }

  /// The words of a whole line.
  ///
  /// - Throws: if a quote is not closed or the line ends in a backslash.
  public static func words(of line: String) throws(UsageError) -> [String] {
    let words = scan(line)
    if let quote = words.last?.openQuote {
      throw UsageError(
        "A quote is not closed.",
        suggestion: "Add \(quote) at its end, or write \\\(quote) for the character itself.")
    }
    if words.last?.isEscaping == true {
      throw UsageError(
        "The line ends in a backslash.", suggestion: "Write \\\\ for the character itself.")
    }
    return words.map(\.text)
  }

  /// The words of a line that may still be being typed.
  static func scan(_ line: String) -> [Word] {
    var words: [Word] = []
    var word: Word?
    for index in line.indices {
      let character = line[index]
      if word == nil, character.isWhitespace { continue }
      var current = word ?? Word(start: index)
      if current.isEscaping {
        current.text.append(character)
        current.isEscaping = false
      } else if current.openQuote == nil, character.isWhitespace {
        words.append(current)
        word = nil
        continue
      } else {
        take(character, into: &current)
      }
      word = current
    }
    if let word { words.append(word) }
    return words
  }

  private static func take(_ character: Character, into word: inout Word) {
    switch (character, word.openQuote) {
    case ("\\", let quote) where quote != "'": word.isEscaping = true
    case ("\"", nil), ("'", nil): word.openQuote = character
    case (word.openQuote, _): word.openQuote = nil
    default: word.text.append(character)
    }
  }
}
