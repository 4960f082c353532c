internal import PortolanGeometry
internal import PortolanSearch

/// Merges the search results of the maps of a package into one list.
struct PackageAnswer {
  /// A row of a map's list.
  private struct Row<Value> {
    let value: Value
    /// The key that it has in common with the same place in another map.
    let key: [String]
    /// The score from 0 to 100, no better than that of the row before it.
    let score: Double
    /// Its place in the list of its map.
    let rank: Int
    let map: PackageSearchModel.MapReference
  }

  private var suggestions: [Row<SearchModel.Suggestion>] = []
  private var places: [Row<SearchModel.Place>] = []
  private var mapCount = 0
  private var unsearched: [Problem] = []
  private var failures: [Problem] = []
  /// The same before they were named by their maps.
  private var causes: [Problem] = []
  /// The layers that can be searched in maps where others were to be.
  private var searchable: [String] = []

  /// Whether no map was searched, nor failed.
  var isEmpty: Bool { mapCount == 0 && failures.isEmpty }

  /// Takes what a map has answered.
  ///
  /// - Parameters:
  ///   - state: The answer.
  ///   - map: The map.
  ///   - titles: Its layers that can be searched.
  /// - Throws: Why the map cannot be searched.
  mutating func add(
    _ state: SearchModel.State, of map: PackageSearchModel.MapReference, searchable titles: [String]
  ) throws(Problem) {
    if case .failed(let problem) = state {
      if problem.code == .unsearchableLayer {
        searchable += titles.filter { !searchable.contains($0) }
      }
      throw problem
    }
    mapCount += 1
    suggestions += Self.rows(state.proposals, state.suggestions.map { $0.score ?? 100 }, map)
    places += Self.rows(state.places, state.places.map(\.score), map)
    unsearched += state.unsearched.map { $0.naming(map) }
  }

  /// Takes why a map cannot be searched.
  mutating func add(_ problem: Problem, of map: PackageSearchModel.MapReference) {
    failures.append(problem.naming(map))
    causes.append(problem)
  }

  private static func rows<Value: Searched>(
    _ values: [Value], _ scores: [Double], _ map: PackageSearchModel.MapReference
  ) -> [Row<Value>] {
    var least = Double.infinity
    return zip(values, scores).enumerated().map { rank, pair in
      least = min(least, pair.1)
      return Row(value: pair.0, key: pair.0.key, score: least, rank: rank, map: map)
    }
  }

  /// All that was found, the best of all maps first.
  func state(
    for subject: PackageSearchModel.Question.Subject
  ) -> PackageSearchModel.State {
    if mapCount == 0, var problem = causes.first {
      // A message that all maps share is given once.
      if causes.count == 1 || causes.contains(where: { $0.message != problem.message }) {
        problem.message = failures.map(\.message).joined(separator: " ")
      }
      // The choices of the first map alone would hide those of the others.
      if problem.code == .unsearchableLayer {
        problem.suggestion = SearchModel.choice(among: searchable)
      }
      return .failed(problem)
    }
    let problems = failures + unsearched
    switch subject {
    case .suggestions:
      let merged = Self.merged(suggestions, limit: LocatorTask.suggestionCount)
      return .suggested(
        merged.map { PackageSearchModel.Suggestion(suggestion: $0.value, maps: $0.maps) },
        mapCount: mapCount, unsearched: problems)
    case .places(_, let limit), .nearby(_, _, let limit):
      let merged = Self.merged(places, limit: limit)
      return .found(
        merged.map { PackageSearchModel.Place(place: $0.value, maps: $0.maps) },
        mapCount: mapCount, unsearched: problems)
    }
  }

  /// The rows of all maps by score, those with the same score by their places in the lists of their maps;
  /// what is alike in several maps once.
  private static func merged<Value>(
    _ rows: [Row<Value>], limit: Int
  ) -> [(value: Value, maps: [PackageSearchModel.MapReference])] {
    let ordered = rows.enumerated().sorted { left, right in
      (-left.element.score, left.element.rank, left.offset)
        < (-right.element.score, right.element.rank, right.offset)
    }
    var known: [[String]: Int] = [:]
    var merged: [(value: Value, maps: [PackageSearchModel.MapReference])] = []
    for row in ordered.map(\.element) {
      // A map may have two features that are alike.
      if let place = known[row.key], !merged[place].maps.contains(row.map) {
        merged[place].maps.append(row.map)
        merged[place].maps.sort { $0.index < $1.index }
      } else {
        known[row.key] = merged.count
        merged.append((row.value, [row.map]))
      }
    }
    return Array(merged.prefix(limit))
  }
}

/// A row that may be the same as one of another map.
private protocol Searched {
  /// The key that both have in common.
  var key: [String] { get }
}

extension SearchModel.Suggestion: Searched {
  var key: [String] { [label, sourceTitle] }
}

extension SearchModel.Place: Searched {
  var key: [String] {
    [label, sourceTitle] + (location.map { ["\($0.x)", "\($0.y)"] } ?? [])
  }
}

extension Problem {
  /// The same problem with the title of its map in front, unless it is in the message.
  fileprivate func naming(_ map: PackageSearchModel.MapReference) -> Problem {
    guard !message.contains("\"\(map.title)\"") else { return self }
    var problem = self
    problem.message = "\"\(map.title)\": \(message)"
    return problem
  }
}
