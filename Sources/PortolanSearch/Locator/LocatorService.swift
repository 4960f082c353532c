public import PortolanGeometry

/// A geocode service, which finds the places of a ``LocatorTask`` without an index.
///
/// Failures are thrown as ``SearchError/serviceFailed(reason:suggestion:code:)``; what only a part could
/// not find is added to `problems`.
public protocol LocatorService: Sendable {
  /// What may be meant by a text that is being typed.
  ///
  /// - Parameters:
  ///   - text: What was typed so far.
  ///   - limit: How many suggestions.
  ///   - problems: Gets what could not be searched.
  /// - Returns: The suggestions, the best first.
  /// - Throws: ``SearchError``.
  func suggest(
    _ text: String, limit: Int, noting problems: SearchProblems
  ) async throws(SearchError) -> [LocatorSuggestion]

  /// The places that a text may mean.
  ///
  /// - Parameters:
  ///   - text: An address or a name.
  ///   - key: The key of the suggestion that was chosen, if one was.
  ///   - limit: How many places.
  ///   - problems: Gets what could not be searched.
  /// - Returns: The places, the best first.
  /// - Throws: ``SearchError``.
  func geocode(
    _ text: String, key: String?, limit: Int, noting problems: SearchProblems
  ) async throws(SearchError) -> [LocatorResult]

  /// What is nearest to a place.
  ///
  /// - Parameters:
  ///   - place: Longitude and latitude on WGS 84.
  ///   - distance: How far away it may be, in metres.
  ///   - problems: Gets what could not be searched.
  /// - Returns: The places, the nearest first.
  /// - Throws: ``SearchError``.
  func reverseGeocode(
    _ place: Coordinate, within distance: Double, noting problems: SearchProblems
  ) async throws(SearchError) -> [LocatorResult]
}
