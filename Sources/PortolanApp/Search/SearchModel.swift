public import Observation
public import PortolanGeometry
internal import PortolanPackages
public import PortolanSearch

/// The search box of an open map.
@MainActor
@Observable
public final class SearchModel {
  /// The number of suggestions.
  public static let suggestionCount = LocatorTask.suggestionCount

  /// The state of the screen.
  public enum State: Hashable, Sendable, Codable {
    /// Nothing was typed yet.
    case idle
    /// The map's index is being looked for, or made.
    case preparing
    /// The suggestions, none if nothing in the map's index matches; and what could not be searched.
    case suggested([LocatorSuggestion], unsearched: [Problem] = [])
    /// The places that were found, and the one that is shown, none if nothing in the map's index
    /// matches; and what could not be searched.
    case found([LocatorResult], selection: Int?, unsearched: [Problem] = [])
    /// The map cannot be searched.
    case failed(Problem)

    /// The suggestions.
    public var suggestions: [LocatorSuggestion] {
      if case .suggested(let suggestions, _) = self { suggestions } else { [] }
    }

    /// The places that were found.
    public var results: [LocatorResult] {
      if case .found(let results, _, _) = self { results } else { [] }
    }

    /// The reasons why layers or services were left out of the answer.
    public var unsearched: [Problem] {
      switch self {
      case .suggested(_, let problems), .found(_, _, let problems): problems
      case .idle, .preparing, .failed: []
      }
    }
  }

  /// The current state; observe this.
  public private(set) var state = State.idle

  @ObservationIgnored private(set) weak var map: MapModel?
  @ObservationIgnored private let indexes: LocatorIndexes?
  /// The locator, once it is there or on its way, and the drawing that it is of.
  @ObservationIgnored private var locator: (task: Task<LocatorTask, any Error>, revision: Int)?
  /// Counts requests: an answer that is no longer waited for changes nothing.
  @ObservationIgnored private var request = 0
  @ObservationIgnored private var suggesting: Task<[LocatorSuggestion], any Error>?
  /// The layers that the suggestions are of; all if `nil`.
  @ObservationIgnored private var suggestedLayers: Set<String>?

  init(map: MapModel, indexes: LocatorIndexes?) {
    self.map = map
    self.indexes = indexes
  }

  /// Finds out what may be meant by a text that is being typed; the request before is cancelled.
  ///
  /// - Parameters:
  ///   - text: What was typed so far.
  ///   - layers: The keys of the layers to search, of those in ``layers``; all, and the places of the
  ///     portal, if `nil`. Coordinates are found whatever is chosen.
  public func suggest(_ text: String, in layers: Set<String>? = nil) async {
    let number = begin()
    guard !text.allSatisfy(\.isWhitespace) else {
      state = .idle
      return
    }
    do {
      let scope = try await scope(of: layers)
      guard number == request else { return }
      let problems = SearchProblems()
      let task = Task {
        try await scope.locator.suggest(text, in: scope.sourceIDs, noting: problems)
      }
      suggesting = task
      let suggestions = try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
      guard number == request else { return }
      suggestedLayers = layers
      state = .suggested(suggestions, unsearched: problems.all.map { Problem($0) })
    } catch {
      fail(error, number)
    }
  }

  /// Finds the places that a text may mean, in some layers or, if those are `nil`, in all.
  public func find(_ text: String, limit: Int = 10, in layers: Set<String>? = nil) async {
    await search(layers) {
      try await $0.locator.geocode(text, limit: limit, in: $0.sourceIDs, noting: $1)
    }
  }

  /// Finds what is near a place, given as longitude and latitude, in some layers or in all.
  public func findNearest(
    to place: Coordinate, within distance: Double, limit: Int, in layers: Set<String>? = nil
  ) async {
    await search(layers) {
      try await $0.locator.reverseGeocode(
        place, within: distance, limit: limit, in: $0.sourceIDs, noting: $1)
    }
  }

  /// Finds the places of a suggestion, and shows the first.
  ///
  /// - Parameter index: Its place in the list.
  /// - Throws: A problem if there is no such suggestion, its place cannot be found or shown, or something
  ///   else is searched for meanwhile.
  public func choose(_ index: Int) async throws(Problem) {
    let suggestions = state.suggestions
    guard suggestions.indices.contains(index) else { throw Self.absent(index, suggestions.count) }
    let question = map?.popups.ask()
    let number = await search(suggestedLayers) {
      try await $0.locator.geocode(suggestions[index], in: $0.sourceIDs, noting: $1)
    }
    // The results of a later search do not belong to this suggestion.
    guard number == request else { throw Self.overtaken }
    if case .failed(let problem) = state { throw problem }
    if let question, !state.results.isEmpty { try await select(0, question) }
  }

  /// Shows a place that was found, with the popup of its feature.
  ///
  /// - Parameter index: Its place in the list.
  /// - Throws: A problem if there is no such place, it cannot be shown, or something else is shown meanwhile.
  public func select(_ index: Int) async throws(Problem) {
    guard let map else { return }
    try await select(index, map.popups.ask())
  }

  private func select(_ index: Int, _ question: Int) async throws(Problem) {
    let results = state.results
    guard results.indices.contains(index) else { throw Self.absent(index, results.count) }
    let result = results[index]
    guard let map else { return }
    // As where another page has identified a place since this one was chosen.
    guard !map.popups.isOvertaken(question) else { throw Self.overtaken }
    try show(result, in: map)
    state = .found(results, selection: index, unsearched: state.unsearched)
    let source = await popup(of: result, in: map)
    // Without a popup none is shown: that of another place is not taken for one of this one.
    guard map.popups.present([source].compactMap(\.self), answering: question) else {
      throw Self.overtaken
    }
    if source != nil { try await map.popups.select(0) }
  }

  /// Forgets what was typed and found.
  public func clear() {
    _ = begin()
    state = .idle
  }

  // MARK: - Asking

  private func begin() -> Int {
    request += 1
    suggesting?.cancel()
    suggesting = nil
    return request
  }

  /// The locator that answers a request, and its sources.
  private struct Scope: Sendable {
    let locator: LocatorTask
    /// The sources of it that are asked; all if `nil`.
    var sourceIDs: Set<String>?
  }

  /// Shows what is found unless another request follows meanwhile, and gives the number of this one.
  @discardableResult
  private func search(
    _ layers: Set<String>?,
    _ body: @Sendable (Scope, SearchProblems) async throws -> [LocatorResult]
  ) async -> Int {
    let number = begin()
    do {
      let problems = SearchProblems()
      let results = try await body(try await scope(of: layers), problems)
      guard number == request else { return number }
      state = .found(
        results, selection: nil, unsearched: problems.all.map { Problem($0) })
    } catch {
      fail(error, number)
    }
    return number
  }

  private func fail(_ error: any Error, _ number: Int) {
    guard number == request else { return }
    state = .failed(Problem(error))
  }

  /// The locator and the sources for searching some layers, or all.
  private func scope(of layers: Set<String>?) async throws -> Scope {
    guard let layers, let map else { return Scope(locator: try await ready()) }
    let sources = try sources(of: layers, in: map)
    guard map.origin == nil else {
      return Scope(locator: try await ready(), sourceIDs: Set(sources.map(\.id)))
    }
    // Nothing is prepared of layers of services, which are asked by query.
    var locator = try LocatorTask(
      service: LayersAndAddresses(layers: QueryLocator(sources), addresses: nil))
    locator.extent = map.homeExtent
    return Scope(locator: locator)
  }

  /// The locator of the map as it is now; it is rebuilt after edits.
  private func ready() async throws -> LocatorTask {
    guard let map else { throw CancellationError() }
    let revision = map.featureRevision
    if let locator, locator.revision == revision {
      return try await value(of: locator.task, in: map)
    }
    state = .preparing
    let (sources, indexes, title) = (map.searchSources, indexes, map.state.title)
    let subject = map.searchSubject
    let online = map.onlinePlaces
    let task = Task {
      if let online { return try await online.locator(map: title) }
      guard !sources.isEmpty else { throw SearchError.nothingToSearch(map: title) }
      guard let subject, let indexes else {
        return try await LocatorTask(indexing: sources, map: title)
      }
      return try await indexes.locator(for: subject, searching: sources)
    }
    locator = (task, revision)
    return try await value(of: task, in: map)
  }

  /// A value that could not be made is tried again by the next request.
  private func value(
    of task: Task<LocatorTask, any Error>, in map: MapModel
  ) async throws -> LocatorTask {
    do {
      var locator = try await task.value
      locator.extent = map.homeExtent
      return locator
    } catch {
      locator = nil
      throw error
    }
  }

  private static let overtaken = Problem(
    message: "Something else is searched for meanwhile.", suggestion: "Choose the place again.")

  static func absent(_ index: Int, _ count: Int) -> Problem {
    Problem(
      message: "There is no place \(index.counted) in the list.",
      suggestion: count == 0 ? "Search for something first." : count.choiceOfNumbers,
      kind: .absence)
  }
}
