internal import PortolanGeometry
internal import PortolanSearch

/// The geocode service that a portal prefers, which is looked up when it is first needed, and again
/// after that has failed.
actor PreferredGeocoder: LocatorService {
  private let places: PortalPlaces
  private let center: Coordinate?
  private let map: String
  private var geocoder: (any LocatorService)?
  /// The reason why it could not be reached when it was last requested.
  private var failure: SearchError?

  /// Describes the service, of which nothing is asked yet.
  init(of places: PortalPlaces, near center: Coordinate?, map: String) {
    self.places = places
    self.center = center
    self.map = map
  }

  /// Asks for the service.
  ///
  /// - Returns: Whether the portal has one, as far as it is known: also if it does not answer now.
  /// - Throws: ``SearchError/cancelled``.
  func prepare() async throws(SearchError) -> Bool {
    do {
      _ = try await ready()
    } catch .nothingToSearch {
      return false
    } catch .cancelled {
      throw .cancelled
    } catch {
      return true
    }
    return true
  }

  /// Does not look for the service again where that has failed: the user is typing.
  func suggest(
    _ text: String, limit: Int, noting problems: SearchProblems
  ) async throws(SearchError) -> [LocatorSuggestion] {
    if geocoder == nil, let failure { throw failure }
    return try await ready().suggest(text, limit: limit, noting: problems)
  }

  func geocode(
    _ text: String, key: String?, limit: Int, noting problems: SearchProblems
  ) async throws(SearchError) -> [LocatorResult] {
    try await ready().geocode(text, key: key, limit: limit, noting: problems)
  }

  func reverseGeocode(
    _ place: Coordinate, within distance: Double, noting problems: SearchProblems
  ) async throws(SearchError) -> [LocatorResult] {
    try await ready().reverseGeocode(place, within: distance, noting: problems)
  }

  private func ready() async throws(SearchError) -> any LocatorService {
    if let geocoder { return geocoder }
    do throws(SearchError) {
      let found = try await places.geocoder(near: center, map: map)
      geocoder = found
      return found
    } catch {
      if error != .cancelled { failure = error }
      throw error
    }
  }
}
