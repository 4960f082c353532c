public import Foundation

/// The last responses of portals on web maps, their areas and stored packages.
public protocol PortalCache: Sendable {
  /// The web maps that people take areas of, by title.
  func knownMaps() async throws(LibraryError) -> [KnownMap]

  /// Writes a record, in place of the one with the same id.
  func save(_ map: KnownMap) async throws(LibraryError)

  /// Forgets a web map, its areas and their pictures; what is stored of it stays.
  func removeKnownMap(_ id: String) async throws(LibraryError)

  /// The areas of a web map, by title.
  func knownAreas(of webMap: String) async throws(LibraryError) -> [KnownArea]

  /// Replaces all areas of a web map.
  func save(_ areas: [KnownArea], of webMap: String) async throws(LibraryError)

  /// When the portals of stored packages said last that these were changed, by the ids of the maps.
  func packageDates() async throws(LibraryError) -> [String: Date]

  /// Keeps what a portal said of a package; `nil` if it says nothing.
  func save(packageDate: Date?, of map: String) async throws(LibraryError)
}
