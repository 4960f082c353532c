internal import PortolanGeometry
internal import PortolanSearch

/// What finds the places of a map that is open over the network: its layers, asked by query, and the
/// geocode service of its portal.
struct OnlinePlaces: Sendable {
  /// The layers that are searched.
  let layers: QueryLocator
  /// The geocode service; `nil` where the author has switched it off.
  let places: PortalPlaces?
  /// Near which place results are preferred, on WGS 84.
  let center: Coordinate?

  /// A locator on all of them.
  ///
  /// - Parameter map: The title of the map.
  /// - Returns: The locator.
  /// - Throws: `PortalError`, or that there is nothing to search with.
  func locator(map: String) async throws -> LocatorTask {
    var addresses: (any LocatorService)?
    do {
      addresses = try await places?.geocoder(near: center, map: map)
    } catch SearchError.nothingToSearch where !layers.sources.isEmpty {
      // A portal without a geocode service leaves the layers.
      addresses = nil
    }
    guard !layers.sources.isEmpty || addresses != nil else {
      throw SearchError.nothingToSearch(map: map)
    }
    return try LocatorTask(service: LayersAndAddresses(layers: layers, addresses: addresses))
  }
}

/// Layers and a geocode service as one: what the layers have comes first, and either is used where the
/// other fails.
private struct LayersAndAddresses: LocatorService {
  /// How many places there may be of a suggestion that several features bear.
  private static let mostOfLabel = 64
  /// What the keys of suggestions begin with that layers made; those of services have no space.
  private static let keyStart = "layer "

  let layers: QueryLocator
  let addresses: (any LocatorService)?

  func suggest(_ text: String, limit: Int) async throws(SearchError) -> [LocatorSuggestion] {
    try await both(limit) { () throws(SearchError) in
      try await layers.suggest(text, limit: limit).map { suggestion in
        var keyed = suggestion
        keyed.key = Self.keyStart + (suggestion.sourceID ?? "")
        return keyed
      }
    } _: { service throws(SearchError) in
      try await service.suggest(text, limit: limit)
    }
  }

  func geocode(
    _ text: String, key: String?, limit: Int
  ) async throws(SearchError) -> [LocatorResult] {
    if let key, key.hasPrefix(Self.keyStart) {
      let source = String(key.dropFirst(Self.keyStart.count))
      let found = try await layers.geocode(text, limit: Self.mostOfLabel, in: source)
      let same = found.filter { $0.label == text }
      return same.isEmpty ? found : same
    }
    if key != nil, let addresses {
      return try await addresses.geocode(text, key: key, limit: limit)
    }
    return try await both(limit) { () throws(SearchError) in
      try await layers.geocode(text, limit: limit)
    } _: { service throws(SearchError) in
      try await service.geocode(text, key: nil, limit: limit)
    }
  }

  func reverseGeocode(
    _ place: Coordinate, within distance: Double
  ) async throws(SearchError) -> [LocatorResult] {
    try await both(Self.mostOfLabel) { () throws(SearchError) in
      try await layers.reverseGeocode(place, within: distance, limit: Self.mostOfLabel)
    } _: { service throws(SearchError) in
      try await service.reverseGeocode(place, within: distance)
    }
  }

  /// What both find; the service keeps a third of the room, as far as it needs it.
  private func both<Found: Sendable>(
    _ limit: Int, _ askLayers: @Sendable () async throws(SearchError) -> [Found],
    _ askService: @Sendable (any LocatorService) async throws(SearchError) -> [Found]
  ) async throws(SearchError) -> [Found] {
    var problem: SearchError?
    var (own, others): ([Found], [Found]) = ([], [])
    do { own = try await askLayers() } catch { problem = error }
    if let addresses {
      do { others = try await askService(addresses) } catch { problem = problem ?? error }
    }
    if let problem, problem == .cancelled || own.isEmpty && others.isEmpty { throw problem }
    let kept = own.prefix(limit - min(others.count, limit / 3))
    return Array(kept) + others.prefix(limit - kept.count)
  }
}
