/// The terms of an index that the words of a text may stand for.
struct WordReading {
  /// Words with typing mistakes in some of them.
  struct Mistyped {
    let words: [WordMatch]
    /// Whether the last word is only the beginning of one.
    let isPrefix: Bool
  }

  /// The shortest word in which a mistake is looked for, in characters.
  private static let shortestMistyped = 3
  /// The shortest word that is there, but may be meant for another, where several are mistyped.
  private static let shortestDoubtful = 4
  /// The shortest word with a kind of street at its end, in characters.
  private static let shortestWithEnding = 6
  /// The shortest part of a word that may have lost a blank, in bytes.
  private static let shortestPart = 2

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

  /// The readings in which any word of four letters or more may be the beginning of one: "pump sta" for
  /// "Pumping Station"; none of a single word.
  func shortenedReadings() -> [Mistyped] {
    let places = words.indices.dropLast().filter { place in
      words[place].count >= Self.shortestDoubtful && !words[place].contains(where: Self.isDigit)
    }
    guard !places.isEmpty else { return [] }
    let begunWords = places.reduce(into: self.begun) { $0[$1] = begun(words[$1]) }
    return [Mistyped(words: begunWords, isPrefix: true)]
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
    let beginnings = [word] + [Abbreviations.standard.withArticle(word)].compactMap(\.self)
    return WordMatch(
      beginnings.map { index.terms(from: $0) } + others.map { index.terms(equalTo: $0) })
  }

  /// The readings with one mistake.
  ///
  /// A word that the index does not have is the mistyped one; where it has them all, each may be.
  func mistypedReadings() -> [Mistyped] {
    let begun = begun
    let unknown = words.indices.filter { begun[$0].isEmpty }
    guard unknown.count <= 1 else { return [] }
    return (unknown.isEmpty ? Array(words.indices) : unknown).flatMap { place -> [Mistyped] in
      guard let meant = meant(by: place, from: Self.shortestMistyped) else { return [] }
      let last = place == words.count - 1 ? meant.begun : meant.whole
      return [
        Mistyped(words: whole.replacing(place, with: meant.whole), isPrefix: false),
        Mistyped(words: begun.replacing(place, with: last), isPrefix: true),
      ]
    }
  }

  /// The readings with a typing mistake in several words: words that are not in the index are
  /// mistyped, and words that are in it may be.
  func severalMistypedReadings() -> [Mistyped] {
    guard words.count > 1 else { return [] }
    var (whole, begun) = (whole, begun)
    var count = 0
    // One that is like no other ends it, before anything is looked up for the known words.
    let unknown = words.indices.filter { begun[$0].isEmpty }
    let known = words.indices.filter { !begun[$0].isEmpty }
    for place in unknown + known {
      let isKnown = known.contains(place)
      let shortest = isKnown ? Self.shortestDoubtful : Self.shortestMistyped
      guard let meant = meant(by: place, from: shortest) else {
        if isKnown { continue }
        return []
      }
      let last = place == words.count - 1 ? meant.begun : meant.whole
      guard isKnown || !last.isEmpty else { return [] }
      whole[place] = WordMatch(whole[place].ranges + meant.whole.ranges)
      begun[place] = WordMatch(begun[place].ranges + last.ranges)
      count += 1
    }
    guard count > 1 else { return [] }
    return [Mistyped(words: whole, isPrefix: false), Mistyped(words: begun, isPrefix: true)]
  }

  /// The readings of a text in which the blank between two words of the index is missing: "mainstreet".
  func readingsWithBlank() -> [Mistyped] {
    let begun = begun
    let unknown = words.indices.filter { begun[$0].isEmpty }
    guard let place = unknown.first, unknown.count == 1 else { return [] }
    let isLast = place == words.count - 1
    return cuts(of: words[place]).flatMap { cut -> [Mistyped] in
      let (first, second) = (Self.whole(cut.first, in: index), Self.whole(cut.second, in: index))
      guard !first.isEmpty else { return [] }
      if second.isEmpty, case let rest = twoBlanks(first, cut.second, at: place), !rest.isEmpty {
        return rest
      }
      let start = Array(whole[..<place]) + [first]
      let end: [WordMatch] =
        isLast ? [self.begun(cut.second)] : [second] + begun[(place + 1)...]
      return [
        Mistyped(words: start + [second] + whole[(place + 1)...], isPrefix: false),
        Mistyped(words: start + end, isPrefix: true),
      ]
    }
  }

  /// The same where another blank is missing in what follows the first: "karlmarxallee".
  private func twoBlanks(_ first: WordMatch, _ rest: [UInt8], at place: Int) -> [Mistyped] {
    // A number is not part of a name that is written together.
    guard !words[place].contains(where: Self.isDigit) else { return [] }
    return cuts(of: rest).compactMap { cut in
      let second = Self.whole(cut.first, in: index)
      guard !second.isEmpty, case let third = Self.whole(cut.second, in: index), !third.isEmpty
      else {
        return nil
      }
      return Mistyped(
        words: Array(whole[..<place]) + [first, second, third] + whole[(place + 1)...],
        isPrefix: false)
    }
  }

  /// A word cut in two between two of its characters, but not within a number.
  private func cuts(of word: [UInt8]) -> [(first: [UInt8], second: [UInt8])] {
    guard word.count >= 2 * Self.shortestPart else { return [] }
    return (Self.shortestPart...(word.count - Self.shortestPart)).filter { place in
      word[place] & 0xC0 != 0x80 && !(Self.isDigit(word[place - 1]) && Self.isDigit(word[place]))
    }.map { (Array(word[..<$0]), Array(word[$0...])) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  /// The terms that a word is meant for if it has a mistake, and those that begin with such a one.
  ///
  /// - Returns: `nil` for words of fewer characters than `shortest`, and for numbers.
  private func meant(
    by place: Int, from shortest: Int
  ) -> (whole: WordMatch, begun: WordMatch)? {
    guard let spellings = SpellingVariants(index, of: words[place], shortest) else { return nil }
    var others = Abbreviations.standard.alternatives(toMistyped: words[place])
      .map { index.terms(equalTo: $0) }
    for word in Abbreviations.standard.alternativeEndings(of: words[place]) {
      others += SpellingVariants(index, of: word, Self.shortestWithEnding)?.whole ?? []
    }
    return (WordMatch(spellings.whole + others), WordMatch(spellings.begun + others))
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
