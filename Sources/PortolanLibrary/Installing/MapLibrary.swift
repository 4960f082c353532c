public import Foundation

/// The maps on this device: stored whole or not at all, deleted for good or not at all.
///
/// Storing: the files are on the disk, then they take their place, then they are recorded. Deleting:
/// the record says so, then the files go to the trash, from which they can be taken back.
/// ``recover()`` finishes what a crash has interrupted, at whichever step.
public actor MapLibrary {
  /// How many edits of a map were not sent to their service yet, by its place.
  public typealias UnsentEdits = @Sendable (URL) async -> Int

  /// The folders.
  public nonisolated let layout: HomeLayout
  /// The catalogue.
  public nonisolated let storage: any MapStorage
  private let now: @Sendable () -> Date
  private let unsentEdits: UnsentEdits

  /// Creates a library of folders that are there; see ``HomeLayout/prepare()``.
  public init(
    layout: HomeLayout, storage: any MapStorage, now: @escaping @Sendable () -> Date,
    unsentEdits: @escaping UnsentEdits
  ) {
    self.layout = layout
    self.storage = storage
    self.now = now
    self.unsentEdits = unsentEdits
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

  // MARK: - Storing

  /// Stores a map whose files were verified.
  ///
  /// - Parameters:
  ///   - staged: The folder or file, on the disk of the home. It is gone afterwards.
  ///   - map: What to record.
  /// - Throws: ``LibraryError``; then all is as before, or ``recover()`` completes it.
  public func install(_ staged: URL, as map: StoredMap) async throws(LibraryError) {
    try DurableMove.sync(staged)
    let target = layout.place(of: map)
    if DurableMove.exists(target) {
      // The one before stays until the new one is whole, and those who read it go on.
      try DurableMove.exchange(staged, with: target)
      try remove(staged)
    } else {
      try DurableMove.move(staged, to: target)
    }
    try await storage.save(map)
  }

  /// Puts the files of a stored map into what a job is writing, so that a job which completes or
  /// replaces the map fetches only what is missing or new; does nothing if there is no such map or
  /// the job has begun already.
  public func reuse(_ id: MapID, in job: String) async throws(LibraryError) {
    let staging = layout.staging(job)
    guard !DurableMove.exists(staging), let map = try await storage.storedMap(id),
      map.deleted == nil, map.form == .folder, DurableMove.exists(layout.place(of: map))
    else { return }
    // Links take neither time nor room, and an edit made meanwhile is in both.
    do { try FileManager.default.linkItem(at: layout.place(of: map), to: staging) } catch {
      throw .unwritable(
        file: staging.path(percentEncoded: false), reason: error.localizedDescription)
    }
  }

  /// Removes what a job was writing.
  public func removeStaged(_ job: String) throws(LibraryError) {
    let staging = layout.staging(job)
    if DurableMove.exists(staging) { try remove(staging) }
  }

  // MARK: - Deleting

  /// What deleting a map would free, in bytes.
  ///
  /// - Throws: ``LibraryError/noSuchMap(_:)``, ``LibraryError/inUse(map:)``,
  ///   ``LibraryError/unsentEdits(map:count:)``.
  public func deletion(
    of id: MapID, discardingEdits: Bool = false
  ) async throws(LibraryError)
    -> Int
  {
    guard let map = try await storage.storedMap(id), map.deleted == nil else {
      throw .noSuchMap(id.text)
    }
    let place = layout.place(of: map)
    guard MapUse.excluding(place, { true }) != nil else { throw .inUse(map: map.title) }
    if !discardingEdits {
      let count = await unsentEdits(place)
      guard count == 0 else { throw .unsentEdits(map: map.title, count: count) }
    }
    return map.byteCount
  }

  /// Moves a map to the trash.
  ///
  /// - Throws: as ``deletion(of:discardingEdits:)`` does.
  public func delete(_ id: MapID, discardingEdits: Bool = false) async throws(LibraryError) {
    _ = try await deletion(of: id, discardingEdits: discardingEdits)
    guard var map = try await storage.storedMap(id) else { throw .noSuchMap(id.text) }
    let place = layout.place(of: map)
    map.deleted = now()
    try await storage.save(map)
    guard DurableMove.exists(place) else { return }
    let trash = layout.trashPlace(of: map)
    if DurableMove.exists(trash) { try remove(trash) }
    let moved: Void? = try MapUse.excluding(place) { () throws(LibraryError) in
      try DurableMove.move(place, to: trash)
    }
    guard moved != nil else {
      map.deleted = nil
      try await storage.save(map)
      throw .inUse(map: map.title)
    }
  }

  /// Takes a map back from the trash.
  ///
  /// - Throws: ``LibraryError/noSuchMap(_:)`` if it is not there.
  public func undoDeletion(of id: MapID) async throws(LibraryError) {
    guard var map = try await storage.storedMap(id), map.deleted != nil else {
      throw .noSuchMap(id.text)
    }
    let (place, trash) = (layout.place(of: map), layout.trashPlace(of: map))
    if !DurableMove.exists(place) {
      guard DurableMove.exists(trash) else { throw .filesMissing(map: map.title) }
      try DurableMove.move(trash, to: place)
    }
    map.deleted = nil
    try await storage.save(map)
  }

  /// Removes for good what was deleted before a date.
  ///
  /// - Returns: The bytes that were freed, as far as recorded.
  @discardableResult
  public func emptyTrash(deletedBefore date: Date) async throws(LibraryError) -> Int {
    var freed = 0
    for map in try await deletedMaps() where map.deleted.map({ $0 <= date }) ?? false {
      let trash = layout.trashPlace(of: map)
      if DurableMove.exists(trash) { try remove(trash) }
      try await storage.removeStoredMap(map.id)
      freed += map.byteCount
    }
    return freed
  }

  /// Finishes deletions that a crash has interrupted.
  ///
  /// What a crash left of an installation is for the job that it belongs to, or for the audit.
  public func recover() async throws(LibraryError) {
    for map in try await deletedMaps() {
      let (place, trash) = (layout.place(of: map), layout.trashPlace(of: map))
      guard DurableMove.exists(place) else { continue }
      if DurableMove.exists(trash) { try remove(trash) }
      _ = try MapUse.excluding(place) { () throws(LibraryError) in
        try DurableMove.move(place, to: trash)
      }
    }
  }

  /// Removes something of ours; refuses anything else.
  func remove(_ url: URL) throws(LibraryError) {
    let path = url.path(percentEncoded: false)
    guard layout.mayDelete(url) else { throw .notOurs(file: path) }
    do { try FileManager.default.removeItem(at: url) } catch {
      throw .unwritable(file: path, reason: error.localizedDescription)
    }
  }
}
