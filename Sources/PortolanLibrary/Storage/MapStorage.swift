public import Foundation
public import PortolanJobs

/// What is known of the maps on this device and of those that could be taken, with the jobs that
/// do so.
///
/// When a call that writes returns, what it wrote is there after a power cut. Several processes
/// may use one storage at a time.
public protocol MapStorage: JobJournal {
  // MARK: Stored maps

  /// The maps that are stored, those in the trash included, by title.
  func storedMaps() async throws(LibraryError) -> [StoredMap]

  /// A stored map, also one in the trash.
  func storedMap(_ id: MapID) async throws(LibraryError) -> StoredMap?

  /// Writes a record, in the place of the one with the same id, and forgets in the same stroke that
  /// such a map was about to be stored.
  func save(_ map: StoredMap) async throws(LibraryError)

  /// Forgets a stored map and its picture.
  func removeStoredMap(_ id: MapID) async throws(LibraryError)

  // MARK: Maps about to be stored

  /// Says that a map is about to take its place, instead of an earlier one of the same id.
  func announce(_ installation: MapInstallation) async throws(LibraryError)

  /// Says that a map that was about to take its place has not done so.
  func withdraw(_ installation: MapInstallation) async throws(LibraryError)

  /// The maps that are about to take their place.
  func installations() async throws(LibraryError) -> [MapInstallation]

  // MARK: What portals said

  /// The web maps that people take areas of, by title.
  func knownMaps() async throws(LibraryError) -> [KnownMap]

  /// Writes a record, in the place of the one with the same id.
  func save(_ map: KnownMap) async throws(LibraryError)

  /// Forgets a web map, its areas and their pictures; what is stored of it stays.
  func removeKnownMap(_ id: String) async throws(LibraryError)

  /// The areas of a web map, by title.
  func knownAreas(of webMap: String) async throws(LibraryError) -> [KnownArea]

  /// Replaces all areas of a web map.
  func save(_ areas: [KnownArea], of webMap: String) async throws(LibraryError)

  // MARK: Pictures

  /// The picture of a stored map, a web map or an area, by its id: PNG or JPEG.
  func thumbnail(of id: String) async throws(LibraryError) -> Data?

  /// Writes a picture, or takes it away.
  func setThumbnail(_ data: Data?, of id: String) async throws(LibraryError)

  // MARK: Soundness

  /// Records that cannot be read and are in no list, by kind and id; a newer Portolan may have
  /// written them.
  func unreadableRecords() async throws(LibraryError) -> [String]

  // MARK: Changes

  /// Tells what kind of thing has changed, each time something has; changes by other processes
  /// are told when something is asked for next.
  func changes() async -> AsyncStream<MapStorageChange>
}

/// What kind of thing has changed in a storage.
public struct MapStorageChange: OptionSet, Hashable, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Stored maps.
  public static let storedMaps = MapStorageChange(rawValue: 1)
  /// What portals said of web maps and areas.
  public static let knownMaps = MapStorageChange(rawValue: 2)
  /// Jobs.
  public static let jobs = MapStorageChange(rawValue: 4)
  /// Anything, as when another process has written.
  public static let all: MapStorageChange = [.storedMaps, .knownMaps, .jobs]
}
