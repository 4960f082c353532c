extension SearchIndex {
  /// The labels of lots among whose numbers one lies that was typed: "104-106 Main St" for "105 Main".
  ///
  /// Those come first whose ends are even or odd as the number is: on its side of the street.
  ///
  /// - Returns: `nil` if it was cancelled.
  func houseRangeMatches(
    of text: SearchText, limit: Int, in sources: Set<Int>? = nil,
    isCancelled: () -> Bool = { false }
  ) -> [MatchKey]? {
    guard text.words.count > 1, limit > 0, documentCount > 0 else { return [] }
    let reading = WordReading(self, text)
    for (place, word) in text.words.enumerated() {
      guard let number = HouseRange.number(word) else { continue }
      let starts = WordMatch(
        (max(0, number - HouseRange.widest)..<number).map { terms(equalTo: Array("\($0)".utf8)) })
      guard !starts.isEmpty else { continue }
      var keys: [MatchKey] = []
      for isOnSide in [true, false] where keys.count < limit {
        var collector = MatchCollector(limit: limit - keys.count, sources: sources) { document in
          HouseRange.ranges(in: self.label(of: document)).contains {
            $0.encloses(number) && $0.isOnSide(of: number) == isOnSide
          }
        }
        for (words, isPrefix) in [(reading.whole, false), (reading.begun, true)] {
          let isCollected = collect(
            words.replacing(place, with: starts), &collector, isPrefix: isPrefix,
            isCancelled: isCancelled)
          guard isCollected else { return nil }
        }
        keys += collector.keys.map { $0.ofHouseRange(isOnSide: isOnSide) }
      }
      if !keys.isEmpty { return keys }
    }
    return []
  }

  /// The labels of houses whose number has a letter that was not typed: "221B Baker Street" for
  /// "221 Baker".
  ///
  /// - Returns: `nil` if it was cancelled.
  func letteredHouseMatches(
    of text: SearchText, limit: Int, in sources: Set<Int>? = nil,
    isCancelled: () -> Bool = { false }
  ) -> [MatchKey]? {
    guard text.words.count > 1, limit > 0, documentCount > 0 else { return [] }
    let reading = WordReading(self, text)
    for (place, word) in text.words.enumerated() where HouseRange.number(word) != nil {
      let houses = WordMatch(
        HouseRange.letters.map { terms(equalTo: word + Array(String($0).utf8)) })
      guard !houses.isEmpty else { continue }
      var collector = MatchCollector(limit: limit, sources: sources)
      for (words, isPrefix) in [(reading.whole, false), (reading.begun, true)] {
        let isCollected = collect(
          words.replacing(place, with: houses), &collector, isPrefix: isPrefix,
          isCancelled: isCancelled)
        guard isCollected else { return nil }
      }
      if !collector.keys.isEmpty { return collector.keys }
    }
    return []
  }
}
