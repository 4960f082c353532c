/// The terms that differ from a word by one typing mistake: a character too many, one missing, a
/// wrong one, or two exchanged.
struct SpellingVariants {
  /// Terms that the word may have been meant for.
  private(set) var whole: [Range<Int>] = []
  /// Terms whose beginning the word may have been meant for.
  private(set) var begun: [Range<Int>] = []

  private let index: SearchIndex
  /// The characters of the word.
  private let characters: [[UInt8]]

  /// Looks for the terms.
  ///
  /// - Returns: `nil` for words that are too short to have a mistake, and for numbers.
  init?(_ index: SearchIndex, of word: [UInt8], _ shortest: Int) {
    let characters = String(decoding: word, as: UTF8.self).unicodeScalars.map {
      Array(String($0).utf8)
    }
    guard characters.count >= shortest, let first = word.first, first < 0x30 || first > 0x39 else {
      return nil
    }
    self.index = index
    self.characters = characters
    var before: [UInt8] = []
    var bounds = 0..<index.termCount
    for place in 0...characters.count {
      lookAround(place, before, bounds)
      guard place < characters.count else { break }
      before += characters[place]
      bounds = index.terms(from: before, in: bounds)
      // No term begins like this: a later mistake finds none either.
      guard !bounds.isEmpty else { break }
    }
  }

  /// Tries the mistakes at one place, among the terms that begin with what is before it.
  private mutating func lookAround(_ place: Int, _ before: [UInt8], _ bounds: Range<Int>) {
    let rest = characters[place...]
    if place < characters.count {
      take(before, rest.dropFirst(), bounds)
      if place + 1 < characters.count, characters[place] != characters[place + 1] {
        let exchanged = before + characters[place + 1] + characters[place]
        take(exchanged, rest.dropFirst(2), index.terms(from: exchanged, in: bounds))
      }
    }
    forEachContinuation(of: before, in: bounds) { longer, terms in
      take(longer, rest, terms)
      if place < characters.count { take(longer, rest.dropFirst(), terms) }
    }
  }

  /// Takes the terms that are, and that begin with, a spelling.
  private mutating func take(
    _ start: [UInt8], _ rest: ArraySlice<[UInt8]>, _ bounds: Range<Int>
  ) {
    guard !bounds.isEmpty else { return }
    let spelling = start + rest.joined()
    // A letter is not typed for a number: "h12" is not meant for "012".
    guard let first = spelling.first, first < 0x30 || first > 0x39 else { return }
    let terms = index.terms(from: spelling, in: bounds)
    guard !terms.isEmpty else { return }
    begun.append(terms)
    let same = index.terms(equalTo: spelling, in: terms)
    if !same.isEmpty { whole.append(same) }
  }

  /// Hands on each character that follows `before` in some term, with the terms.
  private func forEachContinuation(
    of before: [UInt8], in bounds: Range<Int>, _ body: ([UInt8], Range<Int>) -> Void
  ) {
    var term = bounds.lowerBound
    // More different characters than that are no alphabet.
    var left = 256
    while term < bounds.upperBound, left > 0 {
      left -= 1
      let bytes = index.term(term)
      guard bytes.count > before.count else {
        term += 1
        continue
      }
      var end = before.count + 1
      while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
      let longer = Array(bytes[..<end])
      let terms = index.terms(from: longer, in: term..<bounds.upperBound)
      body(longer, terms)
      term = max(term + 1, terms.upperBound)
    }
  }
}
