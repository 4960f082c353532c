extension LocatorTask {
  /// What a text may mean besides labels.
  struct PlaceReading {
    /// The words.
    let text: SearchText
    /// The coordinate, or the crossings of streets, that it names.
    let places: [LocatorResult]
    /// Whether it has the form of one of them.
    let isPlace: Bool
    /// The words of a crossing without the one between the names, for which a label may have a sign:
    /// "Smith & Sons".
    var names: SearchText?

    /// Puts labels and places in order: what has the text as its name, the places, the rest.
    func merged<Value>(
      _ places: [Value], _ labels: [Value], limit: Int, label: (Value) -> String
    ) -> [Value] {
      guard !places.isEmpty else { return Array(labels.prefix(limit)) }
      let named = labels.prefix { SearchText(label($0)).words == text.words }
      return Array((named + places + labels.dropFirst(named.count)).prefix(limit))
    }
  }

  /// Reads a text as a coordinate, a crossing and words.
  func reading(
    of text: String, in sourceIDs: Set<String>?, _ problems: SearchProblems
  ) async throws(SearchError) -> PlaceReading {
    if let place = CoordinateText(text, near: extent)?.result {
      return PlaceReading(text: SearchText(text), places: [place], isPlace: true)
    }
    let pairs = IntersectionText.readings(of: text)
    guard let pair = pairs.first else {
      return PlaceReading(text: SearchText(text), places: [], isPlace: false)
    }
    var places: [LocatorResult] = []
    for pair in pairs where places.isEmpty {
      places = try await crossings(of: pair, in: sourceIDs, problems)
    }
    let names = SearchText("\(pair.first) \(pair.second)")
    // "104 & 106 Main St" are two houses, where no streets are called so.
    if places.isEmpty, pair.isOfHouses {
      return PlaceReading(text: names, places: [], isPlace: false)
    }
    return PlaceReading(text: SearchText(text), places: places, isPlace: true, names: names)
  }

  /// The matches of a typed text.
  ///
  /// Where the text names a place, only exact matches count; where it names an intersection that
  /// does not exist, only those with all of its words.
  func matches(
    of reading: PlaceReading, limit: Int, in sourceIDs: Set<String>?
  ) throws(SearchError) -> [MatchKey] {
    guard !reading.places.isEmpty else {
      let keys = try matches(
        of: reading.text, inParts: !reading.isPlace, limit: limit, in: sourceIDs)
      guard keys.isEmpty, let names = reading.names, names != reading.text else { return keys }
      return try matches(of: names, inParts: false, limit: limit, in: sourceIDs)
    }
    return try keys(of: reading.text, limit: limit, in: sourceIDs).filter { !$0.isMistyped }
  }

  /// The matches of a text among some sources: as it was typed; with its words written apart or
  /// together; with the number of a house between those of a lot; with a typing mistake; without words
  /// at its end.
  func matches(
    of text: SearchText, inParts: Bool = true, limit: Int, in sourceIDs: Set<String>?
  ) throws(SearchError) -> [MatchKey] {
    let keys = try keys(of: text, limit: limit, in: sourceIDs)
    if let best = keys.first, !best.isMistyped {
      guard best.isReordered else { return keys }
      return try numberMatches(of: text, limit: limit, in: sourceIDs, before: keys)
    }
    for other in text.respaced {
      let found = try self.keys(
        of: other, limit: limit, in: sourceIDs, forgivingMistakes: false)
      if !found.isEmpty { return found }
    }
    guard inParts else { return keys }
    let lots = try lots(around: text, limit: limit, in: sourceIDs)
    guard lots.isEmpty, keys.isEmpty else { return lots.isEmpty ? keys : lots }
    return try partialMatches(of: text, limit: limit, in: sourceIDs).map(\.ofPart)
  }

  /// The matches of a text with its numbers as ideographs, or as digits for these, before those that have
  /// its words in another order: "三丁目" is meant by "3丁目", and not "一丁目3番".
  private func numberMatches(
    of text: SearchText, limit: Int, in sourceIDs: Set<String>?, before keys: [MatchKey]
  ) throws(SearchError) -> [MatchKey] {
    for other in HanNumerals.readings(of: text.words).map({ SearchText(words: $0) }) {
      let found = try self.keys(
        of: other, limit: limit, in: sourceIDs, forgivingMistakes: false
      ).filter { !$0.isReordered }
      if !found.isEmpty {
        return Array((found + keys.filter { !found.contains($0) }).prefix(limit))
      }
    }
    return keys
  }

  /// The matches of a text of which something is left out: the flat in front, of the house, or at the end.
  private func partialMatches(
    of text: SearchText, limit: Int, in sourceIDs: Set<String>?
  ) throws(SearchError) -> [MatchKey] {
    let addresses = text.withoutFlat
    // A number alone is rather the first of a lot.
    let beginsWithNumber = text.words.first?.first.map(SearchText.isDigit) ?? false
    if !beginsWithNumber {
      let found = try matches(withoutFlat: addresses, limit: limit, in: sourceIDs)
      if !found.isEmpty { return found }
    }
    let houses = try housesNearby(text, limit: limit, in: sourceIDs)
    guard houses.isEmpty else { return houses }
    for part in text.parts {
      let found = try keys(of: part, limit: limit, in: sourceIDs)
      if !found.isEmpty { return found }
      let lots = try lots(around: part, limit: limit, in: sourceIDs)
      if !lots.isEmpty { return lots }
      let houses = try housesNearby(part, limit: limit, in: sourceIDs)
      if !houses.isEmpty { return houses }
    }
    return beginsWithNumber
      ? try matches(withoutFlat: addresses, limit: limit, in: sourceIDs) : []
  }

  /// The matches of addresses behind a flat: of the one that leaves out least and is there, else of the one
  /// that is found otherwise and leaves out most.
  private func matches(
    withoutFlat addresses: [SearchText], limit: Int, in sourceIDs: Set<String>?
  ) throws(SearchError) -> [MatchKey] {
    for address in addresses {
      let found = try keys(
        of: address, limit: limit, in: sourceIDs, forgivingMistakes: false)
      if !found.isEmpty { return found }
    }
    for address in addresses.reversed() {
      let found = try matches(of: address, limit: limit, in: sourceIDs)
      if !found.isEmpty { return found }
    }
    return []
  }

  /// The matches of a text with less said of the house, or of a house with a letter that was left out: the
  /// ends of a lot, what lies between them, the lots that they lie in.
  private func housesNearby(
    _ text: SearchText, limit: Int, in sourceIDs: Set<String>?
  ) throws(SearchError) -> [MatchKey] {
    let lettered = index.letteredHouseMatches(of: text, limit: limit, in: places(of: sourceIDs)) {
      Task.isCancelled
    }
    guard let lettered, !Task.isCancelled else { throw .cancelled }
    guard lettered.isEmpty else { return lettered }
    let houses = text.housesNearby
    var nearby: [MatchKey] = []
    for house in houses {
      // The first and the last house of a lot are as good as each other; a mistyped one is not.
      let found = try keys(
        of: house, limit: limit, in: sourceIDs, forgivingMistakes: nearby.isEmpty)
      nearby += found.filter { !nearby.contains($0) }
    }
    if nearby.isEmpty {
      for house in text.housesBetween {
        nearby += try keys(
          of: house, limit: limit, in: sourceIDs, forgivingMistakes: false)
      }
    }
    guard nearby.isEmpty else { return Array(nearby.prefix(limit)) }
    for house in houses {
      let found = try lots(around: house, limit: limit, in: sourceIDs)
      if !found.isEmpty { return found }
    }
    return []
  }

  /// The labels of lots among whose numbers that of a house lies.
  private func lots(
    around text: SearchText, limit: Int, in sourceIDs: Set<String>?
  ) throws(SearchError) -> [MatchKey] {
    let keys = index.houseRangeMatches(of: text, limit: limit, in: places(of: sourceIDs)) {
      Task.isCancelled
    }
    guard let keys, !Task.isCancelled else { throw .cancelled }
    return keys
  }

  /// The places of sources among all; `nil` for all.
  private func places(of sourceIDs: Set<String>?) -> Set<Int>? {
    sourceIDs.map { ids in Set(sources.indices.filter { ids.contains(sources[$0].id) }) }
  }

  private func keys(
    of text: SearchText, limit: Int, in sourceIDs: Set<String>?,
    forgivingMistakes forgivesMistakes: Bool = true
  ) throws(SearchError) -> [MatchKey] {
    let keys = index.matches(
      of: text, limit: limit, in: places(of: sourceIDs), forgivingMistakes: forgivesMistakes
    ) { Task.isCancelled }
    guard let keys, !Task.isCancelled else { throw .cancelled }
    return keys
  }
}
