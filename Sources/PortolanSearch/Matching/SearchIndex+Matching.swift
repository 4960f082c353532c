extension SearchIndex {
  /// The best matches of what was typed, best first.
  ///
  /// - Parameters:
  ///   - text: The words; the last may be the beginning of a word.
  ///   - limit: How many matches.
  ///   - sources: The places of the sources to look in; all if `nil`.
  ///   - forgivesMistakes: Whether typing mistakes are looked for where nothing else is found: one in the
  ///     text, else a blank that is missing, else one in each word.
  ///   - isCancelled: Asked every thousand documents.
  /// - Returns: `nil` if it was cancelled.
  func matches(
    of text: SearchText, limit: Int, in sources: Set<Int>? = nil,
    forgivingMistakes forgivesMistakes: Bool = true,
    isCancelled: () -> Bool = { false }
  ) -> [MatchKey]? {
    guard !text.words.isEmpty, limit > 0, documentCount > 0 else { return [] }
    var collector = MatchCollector(limit: limit, sources: sources)
    let reading = WordReading(self, text)
    let whole = reading.whole
    guard collect(whole, &collector, isPrefix: false, isCancelled: isCancelled) else { return nil }
    // Where no word begins like the last but itself, there is nothing else.
    if !collector.isFull, case let begun = reading.begun, begun != whole {
      guard collect(begun, &collector, isPrefix: true, isCancelled: isCancelled) else {
        return nil
      }
    }
    if collector.keys.isEmpty, let begun = reading.begunAnywhere {
      guard collect(begun, &collector, isPrefix: true, isCancelled: isCancelled) else {
        return nil
      }
    }
    guard collector.keys.isEmpty, forgivesMistakes else { return collector.keys }
    return mistypedMatches(of: reading, &collector, isCancelled: isCancelled)
  }

  /// The matches of a text with typing mistakes; those with several only where there are none with one.
  private func mistypedMatches(
    of reading: WordReading, _ collector: inout MatchCollector, isCancelled: () -> Bool
  ) -> [MatchKey]? {
    let attempts: [(readings: () -> [WordReading.Mistyped], hasSeveral: Bool)] = [
      (reading.mistypedReadings, false), (reading.readingsWithBlank, false),
      (reading.severalMistypedReadings, true), (reading.shortenedReadings, true),
    ]
    for (readings, hasSeveral) in attempts {
      for words in readings() {
        guard
          collect(
            words.words, &collector, isMistyped: true, isPrefix: words.isPrefix,
            isCancelled: isCancelled)
        else { return nil }
      }
      guard collector.keys.isEmpty else {
        return hasSeveral ? collector.keys.map(\.ofSeveralMistakes) : collector.keys
      }
    }
    return []
  }

  /// Takes the documents that have all words.
  ///
  /// - Returns: Whether it came to its end, and was not cancelled.
  func collect(
    _ words: [WordMatch], _ collector: inout MatchCollector, isMistyped: Bool = false,
    isPrefix: Bool, isCancelled: () -> Bool
  ) -> Bool {
    guard !words.contains(where: \.isEmpty) else { return true }
    let ordered = words.map { ($0, volume(of: $0)) }.sorted { $0.1 < $1.1 }
    guard let (rarest, _) = ordered.first else { return true }
    var walk = DocumentWalk(self, rarest)
    var others = walks(of: ordered, limit: collector.limit)
    var length = (wordCount: 0, end: 0)
    var count = 0
    var target = 0
    candidates: while let document = walk.document(from: target) {
      count += 1
      if count.isMultiple(of: 1024), isCancelled() { return false }
      target = document + 1
      if document >= length.end { length = labelLength(of: document) }
      let best = MatchKey(
        isMistyped: isMistyped, isPrefix: isPrefix, wordCount: length.wordCount,
        isReordered: false, document: document)
      if collector.isSettled(before: best) { return true }
      for place in others.indices where !others[place].isSlow {
        guard let next = others[place].document(from: document) else { return true }
        guard next == document else {
          target = next
          continue candidates
        }
      }
      if let sources = collector.sources, !sources.contains(origin(of: document).source) {
        continue
      }
      guard words.count > 1 else {
        if collector.accepts(document) { collector.take(best) }
        continue
      }
      guard let isReordered = order(of: words, in: document), collector.accepts(document)
      else { continue }
      collector.take(
        MatchKey(
          isMistyped: isMistyped, isPrefix: isPrefix, wordCount: length.wordCount,
          isReordered: isReordered, document: document))
    }
    return true
  }

  /// Walks along the other words but the rarest, where that takes less than to look for them in the
  /// labels of the rarest.
  ///
  /// - Parameters:
  ///   - words: The words and the volumes of their lists, the least first.
  ///   - limit: How many matches are wanted.
  /// - Returns: The walks, that along the shortest lists first.
  private func walks(of words: [(WordMatch, Int)], limit: Int) -> [DocumentWalk] {
    guard let rarest = words.first else { return [] }
    // A single list is the quickest to go along.
    let others = words.dropFirst().filter { $0.0.termCount == 1 }
    let unions = words.dropFirst().filter { $0.0.termCount != 1 }
    return (others + unions).compactMap { word, volume in
      // So many labels hold as many matches as are wanted, if the words have nothing to do with
      // each other. To begin a list takes about as long as to look into a label.
      let labels = min(rarest.1, (limit + 1) * documentCount / max(1, volume))
      return word.termCount <= labels ? DocumentWalk(self, word) : nil
    }
  }

  private func volume(of word: WordMatch) -> Int {
    word.ranges.reduce(0) { $0 + volume(of: $1) }
  }

  /// Whether the words are in another order in a document than in the text; `nil` if it does not
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
