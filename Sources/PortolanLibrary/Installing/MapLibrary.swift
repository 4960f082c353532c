public import Foundation
internal import PortolanSQLite

/// The maps on this device: stored whole or not at all, deleted for good or not at all.
///
/// Storing: the files are on the disk, then they take their place, then they are recorded. Deleting:
/// the record says so, then the files go to the trash, from which they can be taken back for a
/// while. ``recover()`` finishes what a crash has interrupted, at whichever step; call it before
/// anything else. Several processes may use a home: one at a time moves maps about.
public actor MapLibrary {
  /// Counts the edits of a map that were not sent to their service yet, by its place.
  ///
  /// Throws where the number cannot be known: a file that is busy or damaged may hold edits.
  public typealias UnsentEdits = @Sendable (URL) async throws -> Int

  /// The folders.
  public nonisolated let layout: HomeLayout
  /// The catalogue.
  public nonisolated let storage: any MapStorage
  /// How long a deleted map can be taken back.
  public nonisolated let trashRetention: Duration
  let now: @Sendable () -> Date
  let clock: any Clock<Duration>
  let unsentEdits: UnsentEdits
  let tell: @Sendable (LibraryStep) -> Void
  private let executor = QueueExecutor(label: "PortolanLibrary.MapLibrary")

  /// File systems block, which the threads of tasks must not do.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// How long a deleted map can be taken back, unless told otherwise: thirty days.
  public static let standardTrashRetention = Duration.seconds(30 * 86_400)

  /// Creates a library of folders that are there; see ``HomeLayout/prepare()``.
  ///
  /// - Parameters:
  ///   - layout: The folders.
  ///   - storage: The catalogue.
  ///   - now: Tells the date.
  ///   - clock: Measures the pauses while another process moves maps about.
  ///   - trashRetention: How long a deleted map can be taken back.
  ///   - unsentEdits: Counts the edits of a map that were not sent yet.
  public init(
    layout: HomeLayout, storage: any MapStorage, now: @escaping @Sendable () -> Date,
    clock: any Clock<Duration> = ContinuousClock(),
    trashRetention: Duration = MapLibrary.standardTrashRetention,
    unsentEdits: @escaping UnsentEdits
  ) {
    self.init(
      layout: layout, storage: storage, now: now, clock: clock, trashRetention: trashRetention,
      unsentEdits: unsentEdits, tell: { _ in })
  }

  /// Creates a library that tells of each step, for tests that die there.
  package init(
    layout: HomeLayout, storage: any MapStorage, now: @escaping @Sendable () -> Date,
    clock: any Clock<Duration> = ContinuousClock(),
    trashRetention: Duration = MapLibrary.standardTrashRetention,
    unsentEdits: @escaping UnsentEdits, tell: @escaping @Sendable (LibraryStep) -> Void
  ) {
    self.layout = layout
    self.storage = storage
    self.now = now
    self.clock = clock
    self.trashRetention = trashRetention
    self.unsentEdits = unsentEdits
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

  /// Where a stored map is, marked as open for as long as the use lives.
  ///
  /// - Throws: ``LibraryError/noSuchMap(_:)`` if there is no record of it or its files are gone.
  public func open(_ id: MapID) async throws(LibraryError) -> (url: URL, use: MapUse?) {
    guard let map = try await storage.storedMap(id), map.deleted == nil else {
      throw .noSuchMap(id.text)
    }
    let url = layout.place(of: map)
    guard DurableMove.exists(url) else { throw .filesMissing(map: map.title) }
    return (url, MapUse(url))
  }

  // MARK: - Edits

  /// Refuses what would lose edits that no service has received, or edits that cannot be counted.
  ///
  /// - Throws: ``LibraryError/unsentEdits(map:count:)``, ``LibraryError/editsUnknown(map:reason:)``.
  func requireNoEdits(of map: StoredMap, at place: URL) async throws(LibraryError) {
    let count: Int
    do { count = try await unsentEdits(place) } catch {
      guard !(error is CancellationError) else { throw .cancelled }
      throw .editsUnknown(map: map.title, reason: error.localizedDescription)
    }
    guard count == 0 else { throw .unsentEdits(map: map.title, count: count) }
  }

  // MARK: - Removing

  /// Removes something of ours; refuses anything else.
  ///
  /// It gets a name in the trash that says so first, so that nothing is ever there in part.
  func remove(_ url: URL) throws(LibraryError) {
    guard layout.mayDelete(url) else { throw .notOurs(file: url.path(percentEncoded: false)) }
    try DurableMove.erase(try condemn(url))
  }

  /// Gives something of ours a name in the trash that says that it is to be removed.
  func condemn(_ url: URL) throws(LibraryError) -> URL {
    guard layout.mayDelete(url) else { throw .notOurs(file: url.path(percentEncoded: false)) }
    guard !layout.isCondemned(url) else { return url }
    let target = layout.condemnedPlace(of: url)
    try DurableMove.erase(target)
    try DurableMove.move(url, to: target)
    tell(.removeNamed)
    return target
  }
}
