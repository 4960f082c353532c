/// What the words of a text may stand for in an index.
struct WordReading {
  /// Words with a typing mistake in one of them.
  struct Mistyped {
    let words: [WordMatch]
    /// Whether the last word is only the beginning of one.
    let isPrefix: Bool
  }

  /// The shortest word in which a mistake is looked for, in characters.
  private static let shortestMistyped = 3

  /// The terms of each word, as it is written or abbreviated.
  let whole: [WordMatch]
  private let index: SearchIndex
  private let words: [[UInt8]]

  init(_ index: SearchIndex, _ text: SearchText) {
    self.index = index
    words = text.words
    whole = words.map { Self.whole($0, in: index) }
  }

  /// The same, with all terms that begin like the last word.
  var begun: [WordMatch] {
    guard let last = words.last else { return [] }
    return whole.replacing(words.count - 1, with: begun(last))
  }

  /// The same, with all terms that begin like any word of a script that has no case, where what kind of
  /// place a name is of may follow it without a space: "서울" for "서울특별시"; `nil` without such a word
  /// before the last.
  var begunAnywhere: [WordMatch]? {
    let places = words.indices.dropLast().filter { Self.hasNoCase(words[$0]) }
    guard !places.isEmpty else { return nil }
    return places.reduce(into: self.begun) { $0[$1] = begun(words[$1]) }
  }

  /// Whether a word has letters, and none of a script with capitals.
  private static func hasNoCase(_ word: [UInt8]) -> Bool {
    let letters = String(decoding: word, as: UTF8.self).unicodeScalars
      .filter(\.properties.isAlphabetic)
    return !letters.isEmpty && !letters.contains(where: \.properties.isCased)
  }

  private static func whole(_ word: [UInt8], in index: SearchIndex) -> WordMatch {
    let others = Abbreviations.standard.alternatives(to: word)
    return WordMatch([index.terms(equalTo: word)] + others.map { index.terms(equalTo: $0) })
  }

  private func begun(_ word: [UInt8]) -> WordMatch {
    let others =
      Abbreviations.standard.alternatives(toWordsFrom: word)
      + Abbreviations.standard.alternatives(to: word)
    return WordMatch([index.terms(from: word)] + others.map { index.terms(equalTo: $0) })
  }

  /// The readings with one mistake.
  ///
  /// A word that the index does not have is the mistyped one; where it has them all, each may be.
  func mistypedReadings() -> [Mistyped] {
    let begun = begun
    let unknown = words.indices.filter { begun[$0].isEmpty }
    guard unknown.count <= 1 else { return [] }
    return (unknown.isEmpty ? Array(words.indices) : unknown).flatMap { place -> [Mistyped] in
      guard let spellings = SpellingVariants(index, of: words[place], Self.shortestMistyped)
      else { return [] }
      let isLast = place == words.count - 1
      let others = Abbreviations.standard.alternatives(toMistyped: words[place])
        .map { index.terms(equalTo: $0) }
      let meant = WordMatch(spellings.whole + others)
      var readings = [
        Mistyped(words: whole.replacing(place, with: meant), isPrefix: false)
      ]
      let prefix = isLast ? WordMatch(spellings.begun + others) : meant
      readings.append(Mistyped(words: begun.replacing(place, with: prefix), isPrefix: true))
      return readings
    }
  }
}

extension [WordMatch] {
  /// The same words with another in one place.
  func replacing(_ place: Int, with word: WordMatch) -> [WordMatch] {
    var words = self
    words[place] = word
    return words
  }
}
