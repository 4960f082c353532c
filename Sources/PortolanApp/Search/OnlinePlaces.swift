internal import PortolanGeometry
internal import PortolanSearch

/// Finds the places of a map that is open over the network: queries its layers, and the geocode
/// service of its portal.
struct OnlinePlaces: Sendable {
  /// The layers that are searched.
  let layers: QueryLocator
  /// The geocode service; `nil` where the author has switched it off.
  let places: PortalPlaces?
  /// Near which place results are preferred, on WGS 84.
  let center: Coordinate?

  /// A locator on all of them.
  ///
  /// A geocode service that does not answer now is asked again: the layers, and coordinates, are found
  /// without it.
  ///
  /// - Parameter map: The title of the map.
  /// - Returns: The locator.
  /// - Throws: That there is nothing to search with.
  func locator(map: String) async throws -> LocatorTask {
    let addresses = places.map { PreferredGeocoder(of: $0, near: center, map: map) }
    let isThere = try await addresses?.prepare() ?? false
    guard isThere || !layers.sources.isEmpty else { throw SearchError.nothingToSearch(map: map) }
    return try LocatorTask(
      service: LayersAndAddresses(layers: layers, addresses: isThere ? addresses : nil))
  }
}
