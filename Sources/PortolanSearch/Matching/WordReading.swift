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

  private let index: SearchIndex
  private let words: [[UInt8]]

  init(_ index: SearchIndex, _ text: SearchText) {
    self.index = index
    words = text.words
  }

  /// The terms of each word, as it is written or abbreviated.
  func words(lastIsPrefix: Bool) -> [WordMatch] {
    words.indices.map { place in
      lastIsPrefix && place == words.count - 1 ? begun(words[place]) : whole(words[place])
    }
  }

  private func whole(_ word: [UInt8]) -> WordMatch {
    let spellings = [word] + Abbreviations.standard.alternatives(to: word)
    return WordMatch(spellings.map { index.terms(equalTo: $0) })
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
    let whole = words(lastIsPrefix: false)
    let begun = words(lastIsPrefix: true)
    let unknown = words.indices.filter { begun[$0].isEmpty }
    guard unknown.count <= 1 else { return [] }
    return (unknown.isEmpty ? Array(words.indices) : unknown).flatMap { place -> [Mistyped] in
      guard let spellings = SpellingVariants(index, of: words[place], Self.shortestMistyped)
      else { return [] }
      let isLast = place == words.count - 1
      var readings = [
        Mistyped(words: whole.replacing(place, with: WordMatch(spellings.whole)), isPrefix: false)
      ]
      let prefix = isLast ? WordMatch(spellings.begun) : WordMatch(spellings.whole)
      readings.append(Mistyped(words: begun.replacing(place, with: prefix), isPrefix: true))
      return readings
    }
  }
}

extension [WordMatch] {
  fileprivate func replacing(_ place: Int, with word: WordMatch) -> [WordMatch] {
    var words = self
    words[place] = word
    return words
  }
}
