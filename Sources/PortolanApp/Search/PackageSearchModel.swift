public import Observation
public import PortolanGeometry

/// The search box of a package: looks in all of its maps.
///
/// Each map has an index of its own. What several maps have alike, as maps that show the same layer do, is
/// listed once, with all of these maps.
@MainActor
@Observable
public final class PackageSearchModel {
  /// The layers of a map to search, all if `nil`.
  ///
  /// It throws for a map that does not have them.
  public typealias Layers = @MainActor (MapModel) throws -> Set<String>?

  /// A map of the package.
  public struct MapReference: Hashable, Sendable, Codable {
    /// The index of the map in the package, from 0.
    public var index: Int
    /// The title for people.
    public var title: String
  }

  /// A suggestion for the text typed so far.
  public struct Suggestion: Hashable, Sendable, Codable {
    /// The suggestion.
    public var suggestion: SearchModel.Suggestion
    /// The maps that have it.
    public var maps: [MapReference]
  }

  /// A place that was found.
  public struct Place: Hashable, Sendable, Codable {
    /// The place, with its feature in the first of the maps.
    public var place: SearchModel.Place
    /// The maps that have it.
    public var maps: [MapReference]
  }

  /// The state of the screen.
  public enum State: Hashable, Sendable, Codable {
    /// Nothing was searched for.
    case idle
    /// The maps are being searched.
    case searching
    /// The suggestions, the best first; with the number of maps that were searched, and those that
    /// could not be.
    case suggested([Suggestion], mapCount: Int, unsearched: [Problem])
    /// The places that were found, the best first; in how many maps, and what could not be searched.
    case found([Place], mapCount: Int, unsearched: [Problem])
    /// None of the maps can be searched.
    case failed(Problem)
  }

  /// The current state; observe this.
  public private(set) var state = State.idle

  @ObservationIgnored private weak var app: AppModel?
  /// The maps beside the open one, as far as they were searched.
  @ObservationIgnored private var maps: [Int: MapModel] = [:]
  /// The revision of the open map's edits when these were made.
  @ObservationIgnored private var revision: Int?
  /// Counts requests: an answer that is no longer waited for changes nothing.
  @ObservationIgnored private var request = 0
  /// The question that the list answers.
  @ObservationIgnored private var question: Question?

  init(app: AppModel) { self.app = app }

  /// Whether the open map is one of several of its package.
  public var hasSeveralMaps: Bool {
    guard let app, app.mapIndex != nil else { return false }
    return (app.package.contents?.maps.count ?? 0) > 1
  }

  /// Finds out in all maps what may be meant by a text that is being typed.
  ///
  /// - Throws: What `layers` throws, if it does so for all maps.
  public func suggest(_ text: String, in layers: @escaping Layers = { _ in nil }) async throws {
    try await ask(Question(subject: .suggestions(of: text), layers: layers))
  }

  /// Finds the places of all maps that a text may mean.
  ///
  /// - Throws: What `layers` throws, if it does so for all maps.
  public func find(
    _ text: String, limit: Int = 10, in layers: @escaping Layers = { _ in nil }
  ) async throws {
    try await ask(Question(subject: .places(of: text, limit: limit), layers: layers))
  }

  /// Finds what is near a place in any of the maps.
  ///
  /// - Throws: What `layers` throws, if it does so for all maps.
  public func findNearest(
    to place: Coordinate, within distance: Double, limit: Int,
    in layers: @escaping Layers = { _ in nil }
  ) async throws {
    try await ask(
      Question(subject: .nearby(place, within: distance, limit: limit), layers: layers))
  }

  /// Shows one of the list in its map, which is opened if another is open.
  ///
  /// - Parameter index: Its place in the list.
  /// - Throws: A problem if there is no such place, or its map cannot be opened or searched.
  public func choose(_ index: Int) async throws(Problem) {
    let list = state
    let rows = list.maps
    guard let app, let question, rows.indices.contains(index) else {
      throw SearchModel.absent(index, rows.count)
    }
    let holders = rows[index].map(\.index)
    let isOpen = holders.contains { $0 == app.mapIndex }
    if !isOpen, let holder = holders.first { try await app.openMap(at: holder) }
    guard let map = app.map else { throw Problem(CancellationError()) }
    do { try await question.ask(map) } catch { throw Problem(error) }
    if case .failed(let problem) = map.search.state { throw problem }
    switch list {
    case .suggested(let rows, _, _):
      try await map.search.choose(try place(of: rows[index].suggestion, in: map.search.state))
    case .found(let rows, _, _):
      try await map.search.select(try place(of: rows[index].place, in: map.search.state))
    case .idle, .searching, .failed: break
    }
  }

  /// Forgets what was found.
  public func clear() {
    request += 1
    question = nil
    state = .idle
  }

  /// Forgets what was found and the maps, since another package takes their place.
  func forget() {
    clear()
    dropMaps()
  }

  /// Takes note that another map of the package takes the place of the open one.
  ///
  /// It counts edits of its own: what was edited in the open one would go unnoticed.
  func openMapIsReplaced(by opened: MapModel?) {
    if revision != app?.map?.featureRevision { dropMaps() }
    revision = opened?.featureRevision
  }

  private func dropMaps() {
    for map in maps.values { map.stopLoading() }
    maps = [:]
  }

  // MARK: - Asking

  private func ask(_ question: Question) async throws {
    clear()
    let number = request
    guard let app, let entries = app.package.contents?.maps, app.mapIndex != nil else {
      state = .failed(Problem(message: "No package is open.", kind: .absence))
      return
    }
    state = .searching
    self.question = question
    var answer = PackageAnswer()
    var strange: (any Error)?
    for index in entries.indices {
      let reference = MapReference(index: index, title: entries[index].title)
      do throws(Problem) {
        let map = try await map(at: index, of: app, asked: number)
        if let error = question.misfit(of: map) {
          strange = strange ?? error
          continue
        }
        do { try await question.ask(map) } catch { throw Problem(error) }
        guard number == request else { return }
        try answer.add(
          map.search.state, of: reference, searchable: map.search.layers.map(\.title))
      } catch {
        guard number == request else { return }
        guard error.kind != .cancellation else {
          state = .failed(error)
          return
        }
        answer.add(error, of: reference)
      }
    }
    if answer.isEmpty, let strange {
      clear()
      throw strange
    }
    state = answer.state(for: question.subject)
  }

  /// A map of the package, which is opened beside the open one if it is another.
  private func map(
    at index: Int, of app: AppModel, asked number: Int
  ) async throws(Problem) -> MapModel {
    if app.mapIndex == index, let map = app.map { return map }
    // Maps may show what was edited in another.
    if revision != app.map?.featureRevision { dropMaps() }
    revision = app.map?.featureRevision
    if let map = maps[index] { return map }
    let map = try await app.package.map(at: index)
    guard number == request else { throw Problem(CancellationError()) }
    maps[index] = map
    return map
  }

  // MARK: - Choosing

  private func place(
    of suggestion: SearchModel.Suggestion, in state: SearchModel.State
  ) throws(Problem) -> Int {
    let place = state.proposals.firstIndex { $0.key == suggestion.key }
    guard let place else { throw Self.gone(suggestion.label) }
    return place
  }

  private func place(
    of place: SearchModel.Place, in state: SearchModel.State
  ) throws(Problem) -> Int {
    let places = state.places
    guard
      let index = places.firstIndex(of: place) ?? places.firstIndex(where: { $0.key == place.key })
    else { throw Self.gone(place.label) }
    return index
  }

  private static func gone(_ label: String) -> Problem {
    Problem(
      message: "\"\(label)\" is no longer found.", suggestion: "Search again.", kind: .absence)
  }
}

extension PackageSearchModel {
  /// The question that each map is asked.
  struct Question {
    enum Subject {
      case suggestions(of: String)
      case places(of: String, limit: Int)
      case nearby(Coordinate, within: Double, limit: Int)
    }

    let subject: Subject
    let layers: Layers

    /// The reason why a map does not have the layers; `nil` if it has them.
    @MainActor func misfit(of map: MapModel) -> (any Error)? {
      do {
        _ = try layers(map)
        return nil
      } catch {
        return error
      }
    }

    /// Puts it to the search box of a map.
    @MainActor func ask(_ map: MapModel) async throws {
      let layers = try layers(map)
      switch subject {
      case .suggestions(let text): await map.search.suggest(text, in: layers)
      case .places(let text, let limit): await map.search.find(text, limit: limit, in: layers)
      case .nearby(let place, let distance, let limit):
        await map.search.findNearest(to: place, within: distance, limit: limit, in: layers)
      }
    }
  }
}

extension PackageSearchModel.State {
  /// The suggestions.
  public var suggestions: [PackageSearchModel.Suggestion] {
    if case .suggested(let suggestions, _, _) = self { suggestions } else { [] }
  }

  /// The places that were found.
  public var places: [PackageSearchModel.Place] {
    if case .found(let places, _, _) = self { places } else { [] }
  }

  /// In how many maps it was looked for.
  public var mapCount: Int {
    switch self {
    case .suggested(_, let count, _), .found(_, let count, _): count
    case .idle, .searching, .failed: 0
    }
  }

  /// The maps, or their layers, that could not be searched, and why.
  public var unsearched: [Problem] {
    switch self {
    case .suggested(_, _, let problems), .found(_, _, let problems): problems
    case .idle, .searching, .failed: []
    }
  }

  /// Whether there is a list to choose from.
  public var isList: Bool { !maps.isEmpty }

  /// The maps of each row.
  fileprivate var maps: [[PackageSearchModel.MapReference]] {
    suggestions.map(\.maps) + places.map(\.maps)
  }
}
