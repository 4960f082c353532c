public import Foundation
package import PortolanFiles
public import PortolanJobs
internal import PortolanSQLite

/// The maps on this device: stored completely or not at all, deleted for good or not at all.
///
/// Storing: the files are on the disk, then they take their place beside the version before, then they
/// are recorded. Deleting: the record says so, then the files go to the trash, from which they can be
/// restored for a while. ``recover()`` finishes what a crash has interrupted, at whichever step; call
/// it before anything else. Several processes may use a home: one at a time moves maps about, and a
/// ``MapLease`` says which maps are open.
public actor MapLibrary {
  /// Counts the edits that were not sent to their service yet, of a map or of one of its geodatabases,
  /// by its place.
  ///
  /// Throws where the number cannot be known: a file that is busy or damaged may hold edits. Of one that another
  /// program keeps locked it throws ``LibraryError/beingWritten(file:by:)``.
  public typealias UnsentEdits = @Sendable (URL) async throws -> Int

  /// What is sent to services once a version of a map is gone, by its record and place and by the
  /// places of the versions that stay.
  public typealias Releases =
    @Sendable (_ map: StoredMap, _ place: URL, _ others: [URL]) async -> [OutboxMessage]

  /// The folders.
  public nonisolated let layout: HomeLayout
  /// The catalogue.
  public nonisolated let storage: any MapStorage
  /// How many days on which the home is used a deleted map, or the version before an update, is kept.
  public nonisolated let retentionDays: Int
  let files: FileSystem
  let now: @Sendable () -> Date
  let clock: any Clock<Duration>
  let unsentEdits: UnsentEdits
  let releases: Releases
  let report: @Sendable (LibraryStep) -> Void
  let tell: @Sendable (HomeLockNotice) -> Void
  /// Whether what a crash has interrupted is still to be looked for.
  var isRecoveryDue = false
  private let executor = QueueExecutor(label: "PortolanLibrary.MapLibrary")

  /// File systems block, which the threads of tasks must not do.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// How many days of use deleted maps are kept by default.
  public static let standardRetentionDays = 30

  /// Creates a library of folders that are there; see ``HomeLayout/prepare()``.
  ///
  /// - Parameters:
  ///   - layout: The folders.
  ///   - storage: The catalogue.
  ///   - now: Returns the date.
  ///   - clock: Measures the pauses while another process moves maps about.
  ///   - retentionDays: How many days of use deleted maps are kept.
  ///   - tell: Called when another process keeps maps from being moved about for longer than a second.
  ///   - releases: Finds out what to send to services when a version goes that was replaced.
  ///   - unsentEdits: Counts the edits of a map that were not sent yet.
  public init(
    layout: HomeLayout, storage: any MapStorage, now: @escaping @Sendable () -> Date,
    clock: any Clock<Duration> = ContinuousClock(),
    retentionDays: Int = MapLibrary.standardRetentionDays,
    tell: @escaping @Sendable (HomeLockNotice) -> Void = { _ in },
    releases: @escaping Releases = { _, _, _ in [] },
    unsentEdits: @escaping UnsentEdits
  ) {
    self.init(
      layout: layout, storage: storage, now: now, clock: clock, retentionDays: retentionDays,
      tell: tell, releases: releases, unsentEdits: unsentEdits, files: .live, report: { _ in })
  }

  /// Creates a library that reports each step, for tests that die there, and whose file system may
  /// fail.
  package init(
    layout: HomeLayout, storage: any MapStorage, now: @escaping @Sendable () -> Date,
    clock: any Clock<Duration> = ContinuousClock(),
    retentionDays: Int = MapLibrary.standardRetentionDays,
    tell: @escaping @Sendable (HomeLockNotice) -> Void = { _ in },
    releases: @escaping Releases = { _, _, _ in [] },
    unsentEdits: @escaping UnsentEdits, files: FileSystem = .live,
    report: @escaping @Sendable (LibraryStep) -> Void
  ) {
    self.layout = layout
    self.storage = storage
    self.now = now
    self.clock = clock
    self.retentionDays = retentionDays
    self.unsentEdits = unsentEdits
    self.releases = releases
    self.files = files
    self.report = report
    self.tell = tell
  }

  // MARK: - Looking

  /// The maps that are stored and can be opened, by title; none of the trash.
  public func maps() async throws(LibraryError) -> [StoredMap] {
    try await storage.storedMaps().filter { $0.deleted == nil }
  }

  /// The maps in the trash, by title.
  public func deletedMaps() async throws(LibraryError) -> [StoredMap] {
    try await storage.storedMaps().filter { $0.deleted != nil }
  }

  /// The day of use that today is: how many days the home was used on, from the first one to today.
  func dayOfUse() async throws(LibraryError) -> Int {
    try await storage.recordUse(onDay: Int((now().timeIntervalSince1970 / 86_400).rounded(.down)))
  }

  // MARK: - Edits

  /// Refuses what would lose edits that no service has received, or edits that cannot be counted.
  ///
  /// - Throws: ``LibraryError/unsentEdits(map:count:)``, ``LibraryError/editsUnknown(map:reason:)``.
  func requireNoEdits(of map: StoredMap, at place: URL) async throws(LibraryError) {
    let count = try await countEdits(of: map, at: place)
    guard count == 0 else { throw .unsentEdits(map: map.title, count: count) }
  }

  /// The edits of a map, or of one of its geodatabases, that no service has received.
  ///
  /// - Throws: ``LibraryError/editsUnknown(map:reason:)``; ``LibraryError/beingWritten(file:by:)`` while
  ///   another program keeps a database locked.
  func countEdits(of map: StoredMap, at place: URL) async throws(LibraryError) -> Int {
    do { return try await unsentEdits(place) } catch {
      guard !(error is CancellationError) else { throw .cancelled }
      if let lock = LibraryError(lockedOutBy: error, at: place) { throw lock }
      throw .editsUnknown(map: map.title, reason: error.localizedDescription)
    }
  }

  /// How many edits of a map, be it in the trash, no service has received; `nil` where that cannot be
  /// known.
  ///
  /// Edits that several of its versions hold count once.
  ///
  /// - Throws: The catalogue's errors, and ``LibraryError/cancelled``.
  public func unsentEdits(of id: MapID) async throws(LibraryError) -> Int? {
    guard let map = try await storage.storedMap(id) else { return 0 }
    do throws(LibraryError) {
      var count = 0
      let settled = try await settledPaths(of: map)
      for place in try allPlaces(of: map) {
        let edits = try await countEdits(
          of: map, at: place, except: settled[place.standardizedFileURL.path] ?? [])
        count = max(count, edits)
      }
      return count
    } catch .cancelled {
      throw .cancelled
    } catch {
      return nil
    }
  }

  /// The databases of versions that are not the current one and hold no edit which that one lacks, or has
  /// sent since, by the paths of the versions.
  private func settledPaths(
    of map: StoredMap
  ) async throws(LibraryError) -> [String: Set<String>] {
    guard map.deleted == nil, map.version > 0,
      try await holdsDatabases(recordedVersion(of: map))
    else { return [:] }
    var settled: [String: Set<String>] = [:]
    for version in try await storage.versions(of: map.id) where version.number != map.version {
      let place = layout.place(of: version.map)
      guard files.exists(place) else { continue }
      for path in try geodatabases(of: version.map, at: place) {
        let state = try GeodatabaseState(of: StoredFile.url(of: path, in: place))
        guard state.isUnchanged(since: version.settled[path]) else { continue }
        settled[place.standardizedFileURL.path, default: []].insert(path)
      }
    }
    return settled
  }

  /// The edits of a version, but for those in some of its databases.
  private func countEdits(
    of map: StoredMap, at place: URL, except settled: Set<String>
  ) async throws(LibraryError) -> Int {
    guard !settled.isEmpty else { return try await countEdits(of: map, at: place) }
    var count = 0
    for path in try geodatabases(of: map, at: place) where !settled.contains(path) {
      count += try await countEdits(of: map, at: StoredFile.url(of: path, in: place))
    }
    return count
  }

  /// Where the versions of a map are, or those of a deleted one.
  private func allPlaces(of map: StoredMap) throws(LibraryError) -> [URL] {
    guard map.deleted != nil else { return try places(of: map).filter(files.exists) }
    guard map.version > 0 else { return [layout.trashPlace(of: map)].filter(files.exists) }
    var places: [URL] = []
    for (_, trash) in layout.trashMoves(of: map) {
      places += try layout.versions(in: trash, in: files).map(\.url)
    }
    return places
  }

  // MARK: - Moving

  /// Moves something to where nothing is, durably.
  func move(_ source: URL, to target: URL) throws(LibraryError) {
    do { try files.move(source, to: target) } catch { throw LibraryError(error) }
  }

  /// Removes something of ours; refuses anything else.
  ///
  /// It gets a name in the trash that says so first, so that nothing is ever there in part.
  func remove(_ url: URL) throws(LibraryError) {
    guard layout.mayDelete(url) else { throw .notOurs(file: url.path(percentEncoded: false)) }
    try erase(try condemn(url))
  }

  /// Gives something of ours a name in the trash that says that it is to be removed.
  func condemn(_ url: URL) throws(LibraryError) -> URL {
    guard layout.mayDelete(url) else { throw .notOurs(file: url.path(percentEncoded: false)) }
    guard !layout.isCondemned(url) else { return url }
    let target = try freeCondemnedPlace(of: url)
    do { try files.move(url, to: target) } catch FileError.durabilityUnknown {
      // After a power cut it is found under its old name, and removed then.
    } catch {
      throw LibraryError(error)
    }
    report(.removeNamed)
    return target
  }

  /// A free name that says that something is to be removed.
  ///
  /// What was to be removed before under such a name, and still cannot be, keeps nothing else.
  private func freeCondemnedPlace(of url: URL) throws(LibraryError) -> URL {
    var number = 1
    while true {
      let place = layout.condemnedPlace(of: url, number: number)
      do throws(LibraryError) {
        try erase(place)
        return place
      } catch {
        guard number < Self.mostCondemned else { throw error }
        number += 1
      }
    }
  }

  /// How many things of one name may be left that cannot be removed.
  private static let mostCondemned = 16

  /// Removes something that has a name which says so.
  func erase(_ url: URL) throws(LibraryError) {
    do { try files.erase(url) } catch { throw LibraryError(error) }
  }
}
