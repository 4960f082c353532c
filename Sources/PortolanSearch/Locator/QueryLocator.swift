internal import PortolanFeatures
public import PortolanGeometry

/// Finds features by asking their stores for those that may match: a locator for layers of services,
/// of which no index is made.
///
/// Each source is asked for the rows whose fields have all words, at most ``candidateCount`` of them; for
/// a crossing layers of lines are asked for each of its two names as well. Where there is no row, those
/// with a range of houses are asked for in place of those with a number. What comes is compared and ordered
/// as the labels of an index are. A typing mistake or an accent that is left out finds nothing where
/// the service does not overlook it.
public struct QueryLocator: Sendable {
  /// How many rows each source is asked for.
  public static let candidateCount = 200

  /// The sources, in the order of the map.
  public let sources: [LocatorSource]

  /// Creates a locator; sends no request yet.
  public init(_ sources: [LocatorSource]) { self.sources = sources }

  /// What may be meant by a text that is being typed: each label once, the best first.
  ///
  /// - Parameters:
  ///   - text: Words in any order, the last of which may be unfinished.
  ///   - limit: How many suggestions.
  ///   - problems: Gets what could not be searched, while the rest has answered.
  /// - Returns: The suggestions; none if no row matches.
  /// - Throws: ``SearchError``; one of a source only where the others have found nothing.
  public func suggest(
    _ text: String, limit: Int = LocatorTask.suggestionCount,
    noting problems: SearchProblems = SearchProblems()
  ) async throws(SearchError) -> [LocatorSuggestion] {
    try await locator(for: text, in: nil, problems)?
      .suggest(text, limit: limit, noting: problems) ?? []
  }

  /// The places that a text may mean, the best first.
  ///
  /// - Parameters:
  ///   - text: Words in any order.
  ///   - limit: How many places.
  ///   - sourceID: The source to ask; all if `nil`.
  ///   - problems: Gets what could not be searched, while the rest has answered.
  /// - Returns: The places; none if no row matches.
  /// - Throws: ``SearchError``; one of a source only where the others have found nothing.
  public func geocode(
    _ text: String, limit: Int = 10, in sourceID: String? = nil,
    noting problems: SearchProblems = SearchProblems()
  ) async throws(SearchError) -> [LocatorResult] {
    try await locator(for: text, in: sourceID, problems)?
      .geocode(text, limit: limit, noting: problems) ?? []
  }

  /// What is nearest to a place, the nearest first.
  ///
  /// - Parameters:
  ///   - place: Longitude and latitude on WGS 84.
  ///   - distance: How far away it may be, in metres.
  ///   - limit: How many places.
  ///   - problems: Gets what could not be searched, while the rest has answered.
  /// - Returns: The places.
  /// - Throws: ``SearchError``; one of a source only where the others have found nothing.
  public func reverseGeocode(
    _ place: Coordinate, within distance: Double = 100, limit: Int = 1,
    noting problems: SearchProblems = SearchProblems()
  ) async throws(SearchError) -> [LocatorResult] {
    let locator = try LocatorTask(sources: sources, index: SearchIndex(of: SearchIndexBuilder()))
    return try await locator.reverseGeocode(
      place, within: distance, limit: limit, noting: problems)
  }

  /// A locator on the rows that may match; `nil` if there are none.
  private func locator(
    for text: String, in sourceID: String?, _ problems: SearchProblems
  ) async throws(SearchError) -> LocatorTask? {
    let questions = RowQuestion.all(of: text)
    guard !questions.isEmpty else { return nil }
    let asked = sources.enumerated().filter { sourceID == nil || $0.element.id == sourceID }
    var failures: [SearchError] = []
    var builder = SearchIndexBuilder()
    for questions in questions where builder.documentCount == 0 && failures.isEmpty {
      for (number, rows) in await answers(to: questions, of: asked) {
        do {
          for row in try rows.get() {
            builder.add(row.label, source: number, objectID: row.objectID)
          }
        } catch {
          failures.append(error)
        }
      }
      guard !Task.isCancelled else { throw .cancelled }
    }
    guard builder.documentCount > 0 else {
      if let failure = failures.first { throw failure }
      return nil
    }
    for failure in failures { problems.add(failure) }
    return LocatorTask(sources: sources, index: try SearchIndex(of: builder))
  }

  /// What sources answer, all asked at once, in their order.
  private func answers(
    to questions: [RowQuestion], of asked: [(offset: Int, element: LocatorSource)]
  ) async -> [(Int, Result<[LabelledRow], SearchError>)] {
    await withTaskGroup(of: (Int, Result<[LabelledRow], SearchError>).self) { group in
      for (number, source) in asked {
        group.addTask { (number, await Self.rows(of: source, for: questions)) }
      }
      var answers: [(Int, Result<[LabelledRow], SearchError>)] = []
      for await answer in group { answers.append(answer) }
      return answers.sorted { $0.0 < $1.0 }
    }
  }

  /// The rows of a source that answer any of some questions, each once.
  @concurrent private static func rows(
    of source: LocatorSource, for questions: [RowQuestion]
  ) async -> Result<[LabelledRow], SearchError> {
    var rows: [LabelledRow] = []
    var known: Set<Int64> = []
    for question in questions where !question.isOfLines || source.isOfLines {
      guard let condition = LabelCondition.whereClause(for: question, in: source) else { continue }
      var narrowed = source
      narrowed.whereClause = condition
      do throws(SearchError) {
        try await LocatorIndexing.read(narrowed, limit: question.limit) { row in
          if known.insert(row.objectID).inserted { rows.append(row) }
        }
      } catch {
        return .failure(error)
      }
    }
    return .success(rows)
  }
}

extension LocatorSource {
  /// Whether its features are lines, which may be streets.
  fileprivate var isOfLines: Bool { schema.geometryType == .polyline }
}

extension SearchIndex {
  /// An index in memory.
  ///
  /// - Throws: ``SearchError/tooLarge(map:)``.
  fileprivate convenience init(of builder: SearchIndexBuilder) throws(SearchError) {
    guard let bytes = builder.finished(origin: []) else { throw .tooLarge(map: "query") }
    try self.init(IndexBytes(bytes), name: "query")
  }
}
