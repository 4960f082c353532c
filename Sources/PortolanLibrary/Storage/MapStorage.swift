public import PortolanJobs

/// The catalogue of a home: what is stored, what portals said, pictures, and jobs.
///
/// When a call that writes returns, what it wrote is there after a power cut. Several processes may
/// use one storage at a time. Each kind of record has a protocol of its own; code that needs one
/// kind asks for that.
public protocol MapStorage: StoredMapStorage, PortalCache, ThumbnailStore, JobJournal, Outbox {
  /// Why nothing can be written, so that maps can only be opened; `nil` if all can be changed.
  var readOnlyReason: String? { get }

  /// Makes sure that the next start finds the catalogue that is in use.
  ///
  /// - Throws: ``LibraryError/catalogueGone(file:)`` if it was deleted or moved away, so that what is
  ///   read is in no file that anyone else can open; the catalogue's errors.
  func requireCatalogue() async throws(LibraryError)

  /// Whether there may be maps on the disk that are in no list, since the catalogue was made after them.
  func mayLackMaps() async throws(LibraryError) -> Bool

  /// Records that the maps on the disk were looked for.
  func mapsWereLookedFor() async throws(LibraryError)

  /// Records that cannot be read and are in no list, by kind and id; a newer Portolan may have
  /// written them.
  func unreadableRecords() async throws(LibraryError) -> [String]

  /// What kind of thing has changed, each time something has; changes by other processes are
  /// reported when something is asked for next.
  func changes() async -> AsyncStream<MapStorageChange>
}

/// The kind of object that has changed in a storage.
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
