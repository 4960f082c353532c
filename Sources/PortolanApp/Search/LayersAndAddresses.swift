internal import PortolanGeometry
internal import PortolanSearch

/// Layers and a geocode service as one: what the layers have comes first, and either is used where the
/// other fails.
struct LayersAndAddresses: LocatorService {
  /// The maximum number of places of a suggestion that several features have.
  private static let mostOfLabel = 64
  /// The prefix of the keys of suggestions from layers; those of services have no space.
  private static let keyStart = "layer "

  let layers: QueryLocator
  let addresses: (any LocatorService)?

  func suggest(
    _ text: String, limit: Int, noting problems: SearchProblems
  ) async throws(SearchError) -> [LocatorSuggestion] {
    try await both(limit, problems) { () throws(SearchError) in
      try await layers.suggest(text, limit: limit, noting: problems).map { suggestion in
        var keyed = suggestion
        keyed.key = Self.keyStart + (suggestion.sourceID ?? "")
        return keyed
      }
    } _: { service throws(SearchError) in
      try await service.suggest(text, limit: limit, noting: problems)
    }
  }

  func geocode(
    _ text: String, key: String?, limit: Int, noting problems: SearchProblems
  ) async throws(SearchError) -> [LocatorResult] {
    if let key, key.hasPrefix(Self.keyStart) {
      let source = String(key.dropFirst(Self.keyStart.count))
      let found = try await layers.geocode(
        text, limit: Self.mostOfLabel, in: source, noting: problems)
      let same = found.filter { $0.label == text }
      return same.isEmpty ? found : same
    }
    if key != nil, let addresses {
      return try await addresses.geocode(text, key: key, limit: limit, noting: problems)
    }
    return try await both(limit, problems) { () throws(SearchError) in
      try await layers.geocode(text, limit: limit, noting: problems)
    } _: { service throws(SearchError) in
      try await service.geocode(text, key: nil, limit: limit, noting: problems)
    }
  }

  func reverseGeocode(
    _ place: Coordinate, within distance: Double, noting problems: SearchProblems
  ) async throws(SearchError) -> [LocatorResult] {
    try await both(Self.mostOfLabel, problems) { () throws(SearchError) in
      try await layers.reverseGeocode(
        place, within: distance, limit: Self.mostOfLabel, noting: problems)
    } _: { service throws(SearchError) in
      try await service.reverseGeocode(place, within: distance, noting: problems)
    }
  }

  /// The merged results of both; the service keeps a third of the places, as far as it needs them.
  private func both<Found: Sendable>(
    _ limit: Int, _ problems: SearchProblems,
    _ askLayers: @Sendable () async throws(SearchError) -> [Found],
    _ askService: @Sendable (any LocatorService) async throws(SearchError) -> [Found]
  ) async throws(SearchError) -> [Found] {
    var failures: [SearchError] = []
    var (own, others): ([Found], [Found]) = ([], [])
    do { own = try await askLayers() } catch { failures.append(error) }
    if let addresses {
      do { others = try await askService(addresses) } catch { failures.append(error) }
    }
    if failures.contains(.cancelled) { throw .cancelled }
    if own.isEmpty, others.isEmpty, let failure = failures.first { throw failure }
    for failure in failures { problems.add(failure) }
    let kept = own.prefix(limit - min(others.count, limit / 3))
    return Array(kept) + others.prefix(limit - kept.count)
  }
}
