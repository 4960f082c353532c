internal import Foundation
internal import PortolanFeatures

extension LocatorTask {
  /// The places that a text may mean, the best first.
  ///
  /// - Parameters:
  ///   - text: Words in any order, "Main & 2nd", or a coordinate in any common form.
  ///   - limit: How many places.
  ///   - sourceIDs: The sources to ask; all if `nil`.
  ///   - problems: Gets what could not be searched, while the rest has answered.
  /// - Returns: The places; none if nothing in the index matches.
  /// - Throws: ``SearchError``; one of a source only where the others have found nothing.
  @concurrent public func geocode(
    _ text: String, limit: Int = 10, in sourceIDs: Set<String>? = nil,
    noting problems: SearchProblems = SearchProblems()
  ) async throws(SearchError) -> [LocatorResult] {
    guard limit > 0 else { return [] }
    if let service, CoordinateText(text, near: extent) == nil {
      let found = try await service.geocode(text, key: nil, limit: limit, noting: problems)
      return Array(found.prefix(limit))
    }
    let reading = try await reading(of: text, in: sourceIDs, problems)
    try noteUnsearched(reading, in: sourceIDs, problems)
    let keys = try matches(of: reading, limit: limit, in: sourceIDs)
    let labels = try await results(
      for: keys, wordCount: reading.text.words.count, noting: problems,
      isAll: reading.places.isEmpty)
    return reading.merged(reading.places, labels, limit: limit, label: \.label)
  }

  /// The places that a suggestion stands for: all that have its label.
  ///
  /// - Parameters:
  ///   - suggestion: What was suggested.
  ///   - limit: How many places.
  ///   - sourceIDs: The sources that were asked for it; all if `nil`.
  ///   - problems: Gets what could not be searched, while the rest has answered.
  /// - Returns: The places.
  /// - Throws: ``SearchError``.
  @concurrent public func geocode(
    _ suggestion: LocatorSuggestion, limit: Int = 10, in sourceIDs: Set<String>? = nil,
    noting problems: SearchProblems = SearchProblems()
  ) async throws(SearchError) -> [LocatorResult] {
    if let service, let key = suggestion.key {
      let places = try await service.geocode(
        suggestion.label, key: key, limit: limit, noting: problems)
      return Array(places.prefix(limit))
    }
    let sources = suggestion.sourceID.map { Set([$0]) }
    guard sources != nil else {
      return try await geocode(
        suggestion.label, limit: limit, in: sourceIDs, noting: problems)
    }
    let text = SearchText(suggestion.label)
    let keys = try keys(of: suggestion.label, text, limit: limit, in: sources)
    return try await results(for: keys, wordCount: text.words.count, noting: problems)
  }

  /// The matches that have just this label, or the best ones if none has.
  private func keys(
    of label: String, _ text: SearchText, limit: Int, in sourceIDs: Set<String>?
  ) throws(SearchError) -> [MatchKey] {
    var wanted = max(limit, 64)
    while true {
      let keys = try matches(of: text, limit: wanted, in: sourceIDs)
      let same = keys.filter { index.label(of: $0.document) == label }
      // The pieces of a "Main St" are as good matches of "Main Street", and may come before it.
      let mayBeBehind = keys.last.map { $0.isWhole(ofWords: text.words.count) } ?? false
      guard same.count < limit, keys.count == wanted, mayBeBehind, wanted < 4096 else {
        return Array((same.isEmpty ? keys : same).prefix(limit))
      }
      wanted *= 4
    }
  }

  /// The places of matches; a feature that is gone since is left out.
  ///
  /// - Throws: Why a source cannot be read, if there is nothing else and this is all of the answer.
  func results(
    for keys: [MatchKey], wordCount: Int, noting problems: SearchProblems, isAll: Bool = true
  ) async throws(SearchError) -> [LocatorResult] {
    let failures = SearchProblems()
    let found = try await results(for: keys, wordCount: wordCount, failures)
    if isAll, found.isEmpty, let failure = failures.all.first { throw failure }
    for failure in failures.all { problems.add(failure) }
    return found
  }

  private func results(
    for keys: [MatchKey], wordCount: Int, _ problems: SearchProblems
  ) async throws(SearchError) -> [LocatorResult] {
    let origins = keys.map { index.origin(of: $0.document) }
    var shapes: [SearchIndex.DocumentOrigin: PlacedShape] = [:]
    for source in Set(origins.map(\.source)) where sources.indices.contains(source) {
      let ids = origins.filter { $0.source == source }.map(\.objectID)
      for (id, shape) in try await self.shapes(of: ids, in: sources[source], problems) {
        shapes[SearchIndex.DocumentOrigin(source: source, objectID: id)] = shape
      }
    }
    return zip(keys, origins).compactMap { key, origin in
      guard let shape = shapes[origin] else { return nil }
      let source = sources[origin.source]
      return LocatorResult(
        label: index.label(of: key.document), sourceTitle: source.title,
        score: key.score(ofWords: wordCount), location: shape.location, extent: shape.extent,
        kind: .feature(source.reference(to: origin.objectID)))
    }
  }

  /// Where features are, by object id; none of a source that cannot be read.
  func shapes(
    of ids: [Int64], in source: LocatorSource, _ problems: SearchProblems
  ) async throws(SearchError) -> [Int64: PlacedShape] {
    let query = QueryParameters(objectIDs: ids, outFields: [])
    var reader = TolerantReader(source.store, source.schema, query)
    var shapes: [Int64: PlacedShape] = [:]
    do throws(FeatureStoreError) {
      while case let page = try await reader.next(), !page.isEmpty {
        if let end = page.end { throw end.error }
        for feature in page.features {
          shapes[feature.objectID] = PlacedShape(
            feature.geometry, in: source.schema.spatialReference)
        }
      }
    } catch .cancelled {
      throw .cancelled
    } catch {
      problems.add(.unreadableLayer(title: source.title, reason: error.localizedDescription))
    }
    return shapes
  }
}

extension LocatorSource {
  /// What names one of its features.
  func reference(to objectID: Int64) -> LocatorResult.FeatureReference {
    LocatorResult.FeatureReference(
      sourceID: id, layerID: layerID, table: schema.name, objectID: objectID)
  }
}

extension MatchKey {
  /// Whether a label with so many words may be behind this match in the order.
  fileprivate func isWhole(ofWords count: Int) -> Bool {
    !isMistyped && !isPrefix && (wordCount <= count || count >= SearchText.mostWords)
  }

  /// The score for people: what keeps the match from being the whole label, as typed.
  func score(ofWords count: Int) -> Double {
    let surplus = max(0, wordCount - count)
    let lost =
      Double(min(surplus, 8)) * 2 + (isPrefix ? 5 : 0) + (isReordered ? 4 : 0)
      + (isMistyped ? 15 : 0) + (hasSeveralMistakes ? 15 : 0) + (isOfPart ? 25 : 0)
      + (isOfHouseRange ? 10 : 0) + (isOnOtherSide ? 5 : 0)
    return max(1, 100 - lost)
  }
}
