public import PortolanGeometry

/// Finds places by what people type: in the tables of one map, or with a geocode service.
///
/// All sources together are the composite locator; a search may be limited to some of them.
public struct LocatorTask: Sendable {
  /// How many suggestions are made by default.
  public static let suggestionCount = 12

  /// The sources, in the order of the map.
  public let sources: [LocatorSource]
  /// The words.
  let index: SearchIndex
  /// What finds places in place of the index.
  let service: (any LocatorService)?
  /// Why sources are not in the index: layers that could not be read when it was made.
  public let unsearched: [SearchError]
  /// Where the map is, in degrees on WGS 84: of two numbers that may be read either way, the place that
  /// lies there is meant.
  public var extent: Envelope?

  /// Creates a locator on an index of these sources.
  init(sources: [LocatorSource], index: SearchIndex, unsearched: [SearchError] = []) {
    self.sources = sources
    self.index = index
    self.unsearched = unsearched
    service = nil
  }

  /// Creates a locator of a map that is open over the network.
  ///
  /// Coordinates are found without asking the service.
  ///
  /// - Parameter service: What finds places.
  /// - Throws: ``SearchError``, never in practice.
  public init(service: any LocatorService) throws(SearchError) {
    sources = []
    index = try SearchIndex(
      IndexBytes(SearchIndexBuilder().finished(origin: []) ?? []), name: "service")
    self.service = service
    unsearched = []
  }

  /// Creates a locator with an index in memory.
  ///
  /// A source that cannot be read leaves the others, and is one of ``unsearched``.
  ///
  /// - Throws: ``SearchError/nothingToSearch(map:)`` if no source has a text, and other errors.
  public init(indexing sources: [LocatorSource], map: String) async throws(SearchError) {
    let made = try await LocatorIndexing.index(of: sources, map: map, origin: [])
    self.init(
      sources: sources, index: try SearchIndex(IndexBytes(made.bytes), name: map),
      unsearched: made.unsearched)
  }

  /// How many labels can be found.
  public var labelCount: Int { index.documentCount }

  /// What may be meant by a text that is being typed: each label once, the best first.
  ///
  /// - Parameters:
  ///   - text: Words in any order, the last of which may be unfinished; or a coordinate.
  ///   - limit: How many suggestions.
  ///   - sourceIDs: The sources to ask; all if `nil`.
  ///   - problems: Gets what could not be searched, while the rest has answered.
  /// - Returns: The suggestions; none if nothing in the index matches.
  /// - Throws: ``SearchError/cancelled``, as soon as the next request has taken its place; another
  ///   ``SearchError`` if nothing could be searched.
  @concurrent public func suggest(
    _ text: String, limit: Int = suggestionCount, in sourceIDs: Set<String>? = nil,
    noting problems: SearchProblems = SearchProblems()
  ) async throws(SearchError) -> [LocatorSuggestion] {
    guard limit > 0 else { return [] }
    if let service, CoordinateText(text, near: extent) == nil {
      let found = try await service.suggest(text, limit: limit, noting: problems)
      return Array(found.prefix(limit))
    }
    let reading = try await reading(of: text, in: sourceIDs, problems)
    try noteUnsearched(reading, in: sourceIDs, problems)
    let places = Self.suggestions(of: reading.places)
    let labels = try labels(of: reading, limit: limit, in: sourceIDs)
    return reading.merged(places, labels, limit: limit, label: \.label)
  }

  /// Places as suggestions, each label once.
  private static func suggestions(of places: [LocatorResult]) -> [LocatorSuggestion] {
    var suggestions: [LocatorSuggestion] = []
    for place in places {
      if let known = suggestions.firstIndex(where: { $0.label == place.label }) {
        suggestions[known].isCollection = true
      } else {
        suggestions.append(
          LocatorSuggestion(
            label: place.label, sourceTitle: place.sourceTitle, score: place.score))
      }
    }
    return suggestions
  }

  /// The best labels, each once for a source.
  private func labels(
    of reading: PlaceReading, limit: Int, in sourceIDs: Set<String>?
  ) throws(SearchError) -> [LocatorSuggestion] {
    var wanted = limit
    while true {
      let keys = try matches(of: reading, limit: wanted, in: sourceIDs)
      let labels = distinct(keys, wordCount: reading.text.words.count)
      // Of a street in a hundred pieces the first few matches may all be pieces.
      guard labels.count < limit, keys.count == wanted, wanted < 4096 else {
        return Array(labels.prefix(limit))
      }
      wanted *= 4
    }
  }

  /// Tells which layers of those that are asked are not in the index; a coordinate needs none of them.
  func noteUnsearched(
    _ reading: PlaceReading, in sourceIDs: Set<String>?, _ problems: SearchProblems
  ) throws(SearchError) {
    let unsearched = unsearched(in: sourceIDs)
    guard let first = unsearched.first, reading.places.first?.kind != .coordinate else { return }
    guard index.documentCount > 0 else { throw first }
    for problem in unsearched { problems.add(problem) }
  }

  private func unsearched(in sourceIDs: Set<String>?) -> [SearchError] {
    guard let sourceIDs else { return unsearched }
    let titles = Set(sources.filter { sourceIDs.contains($0.id) }.map(\.title))
    return unsearched.filter { error in
      guard case .unreadableLayer(let title, _) = error else { return true }
      return titles.contains(title)
    }
  }

  private func distinct(_ keys: [MatchKey], wordCount: Int) -> [LocatorSuggestion] {
    var places: [SourcedLabel: Int] = [:]
    var labels: [LocatorSuggestion] = []
    places.reserveCapacity(keys.count)
    labels.reserveCapacity(keys.count)
    for key in keys {
      let source = index.origin(of: key.document).source
      guard sources.indices.contains(source) else { continue }
      let label = index.label(of: key.document)
      let sourced = SourcedLabel(source: source, label: label)
      if let place = places[sourced] {
        labels[place].isCollection = true
        continue
      }
      places[sourced] = labels.count
      labels.append(
        LocatorSuggestion(
          label: label, sourceTitle: sources[source].title, sourceID: sources[source].id,
          isCollection: false, score: key.score(ofWords: wordCount)))
    }
    return labels
  }
}

/// A label of one source.
private struct SourcedLabel: Hashable {
  let source: Int
  let label: String
}
