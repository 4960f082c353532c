/// Short words that lose their vowel before another: "l'Église", "d'Or", "dell'Arte".
///
/// They are words of their own, so that the name behind them is found without them. "O'Hare" is one
/// word.
enum Elision {
  private static let words: Set<[UInt8]> = Set(
    [
      "l", "d", "j", "m", "n", "s", "t", "c", "qu", "un", "all", "dall", "dell", "nell", "sull",
      "quell", "sant",
    ].map { Array($0.utf8) })
  private static let longest = 5
  private static let vowels = Set(
    "aeiouyhàâäæáèéêëìíîïòóôöœùúûüAEIOUYHÀÂÄÆÁÈÉÊËÌÍÎÏÒÓÔÖŒÙÚÛÜ".unicodeScalars)

  /// Whether what precedes an apostrophe is such a word.
  ///
  /// - Parameters:
  ///   - word: The word before the apostrophe.
  ///   - position: Where the text continues behind the apostrophe.
  ///   - text: The text.
  /// - Returns: Whether it is cut there.
  static func isOne(_ word: Range<Int>, before position: Int, in text: Span<UInt8>) -> Bool {
    guard word.count <= longest, position < text.count else { return false }
    var small: [UInt8] = []
    for place in word { small.append(text[place] | 0x20) }
    return words.contains(small)
      && vowels.contains(WordBreaker.character(at: position, in: text))
  }

  /// Those of several letters that are looked for where no apostrophe was typed.
  private static let longWords = [
    "qu", "un", "all", "dall", "dell", "nell", "sull", "quell", "sant",
  ].map { Array($0.utf8) }

  /// A word cut in two behind each of several letters that it may begin with: "dellarte", "quappelle".
  static func longCuts(_ word: [UInt8]) -> [[[UInt8]]] {
    longWords.filter { short in
      word.count > short.count + 2 && word.starts(with: short)
        && "aeiouyh".utf8.contains(word[short.count])
    }.map { [$0, Array(word.dropFirst($0.count))] }
  }

  /// A word cut in two behind what may be one without its apostrophe: "dangelo"; `nil` if it does
  /// not begin so.
  static func cut(_ word: [UInt8]) -> [[UInt8]]? {
    guard word.count > 3, let first = word.first, first == 0x64 || first == 0x6C,
      "aeiouyh".utf8.contains(word[1])
    else { return nil }
    return [[first], Array(word.dropFirst())]
  }

  /// What names of Ireland and Scotland begin with, and is also written apart.
  private static let gaelicWords = ["o", "mc", "mac"].map { Array($0.utf8) }

  /// A word cut in two behind such a beginning: "oconnor" and "mcdonald" for "O Connor" and "Mc Donald".
  static func gaelicCuts(_ word: [UInt8]) -> [[[UInt8]]] {
    gaelicWords.filter { short in
      word.count > short.count + 3 && word.starts(with: short)
        && !(short.count == 1 && "aeiouy".utf8.contains(word[1]))
    }.map { [$0, Array(word.dropFirst($0.count))] }
  }

  /// Behind how many letters of a word an apostrophe may have been left out: "dangelo", "dellarte",
  /// "ohare".
  static func lengths(in word: [UInt8]) -> [Int] {
    let isIrish = word.count > 4 && word[0] == 0x6F && !"aeiouy".utf8.contains(word[1])
    return [cut(word)].compactMap { $0?.first?.count }
      + longCuts(word).compactMap { $0.first?.count }
      + (isIrish ? [1] : [])
  }
}
