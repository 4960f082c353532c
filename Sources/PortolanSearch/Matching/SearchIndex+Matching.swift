extension SearchIndex {
  /// The best matches of what was typed, best first.
  ///
  /// - Parameters:
  ///   - text: The words; the last may be the beginning of a word.
  ///   - limit: How many matches.
  ///   - sources: The places of the sources to look in; all if `nil`.
  ///   - isCancelled: Asked every thousand documents.
  /// - Returns: `nil` if it was cancelled.
  func matches(
    of text: SearchText, limit: Int, in sources: Set<Int>? = nil,
    isCancelled: () -> Bool = { false }
  ) -> [MatchKey]? {
    guard !text.words.isEmpty, limit > 0, documentCount > 0 else { return [] }
    var collector = MatchCollector(limit: limit, sources: sources)
    let reading = WordReading(self, text)
    let whole = reading.words(lastIsPrefix: false)
    guard collect(whole, &collector, isPrefix: false, isCancelled: isCancelled) else { return nil }
    if !collector.isFull {
      let begun = reading.words(lastIsPrefix: true)
      guard collect(begun, &collector, isPrefix: true, isCancelled: isCancelled) else {
        return nil
      }
    }
    guard collector.keys.isEmpty else { return collector.keys }
    for words in reading.mistypedReadings() {
      guard
        collect(
          words.words, &collector, isMistyped: true, isPrefix: words.isPrefix,
          isCancelled: isCancelled)
      else { return nil }
    }
    return collector.keys
  }

  /// Takes the documents that have all words.
  ///
  /// - Returns: Whether it came to its end, and was not cancelled.
  private func collect(
    _ words: [WordMatch], _ collector: inout MatchCollector, isMistyped: Bool = false,
    isPrefix: Bool, isCancelled: () -> Bool
  ) -> Bool {
    guard !words.contains(where: \.isEmpty), let rarest = rarest(of: words) else { return true }
    var walk = DocumentWalk(self, words[rarest])
    var others = cursors(besides: rarest, of: words)
    var length = (wordCount: 0, end: 0)
    var count = 0
    candidates: while let document = walk.next() {
      count += 1
      if count.isMultiple(of: 1024), isCancelled() { return false }
      if document >= length.end { length = labelLength(of: document) }
      let wordCount = length.wordCount
      let best = MatchKey(
        isMistyped: isMistyped, isPrefix: isPrefix, wordCount: wordCount, isReordered: false,
        document: document)
      if collector.isSettled(before: best) { return true }
      if let sources = collector.sources, !sources.contains(origin(of: document).source) {
        continue
      }
      guard words.count > 1 else {
        collector.take(best)
        continue
      }
      for place in others.indices where !others[place].isFound(in: document) {
        continue candidates
      }
      guard let isReordered = order(of: words, in: document) else { continue }
      collector.take(
        MatchKey(
          isMistyped: isMistyped, isPrefix: isPrefix, wordCount: wordCount,
          isReordered: isReordered, document: document))
    }
    return true
  }

  /// What tells most quickly that a document lacks one of the other words.
  private func cursors(besides rarest: Int, of words: [WordMatch]) -> [PostingCursor] {
    let size = 128 * volume(of: words[rarest])
    return words.indices.filter { $0 != rarest }
      .compactMap { PostingCursor(self, words[$0], upTo: size) }
  }

  /// The word with the fewest documents.
  private func rarest(of words: [WordMatch]) -> Int? {
    words.indices.min { volume(of: words[$0]) < volume(of: words[$1]) }
  }

  private func volume(of word: WordMatch) -> Int {
    word.ranges.reduce(0) { $0 + volume(of: $1) }
  }

  /// Whether the words stand in another order in a document than in the text; `nil` if it does not
  /// have them all.
  private func order(of words: [WordMatch], in document: Int) -> Bool? {
    var missing: UInt64 = 1 << UInt64(words.count) - 1
    var next = 0
    forEachTerm(of: document) { term in
      for (place, word) in words.enumerated() where word.contains(term) {
        missing &= ~(1 << UInt64(place))
      }
      if next < words.count, words[next].contains(term) { next += 1 }
    }
    return missing == 0 ? next < words.count : nil
  }
}
