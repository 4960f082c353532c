public import Foundation

extension MapLibrary {
  /// Stores a map whose files were verified.
  ///
  /// The version before stays until the new one is whole, and those who read it go on.
  ///
  /// - Parameters:
  ///   - staged: The folder of a job, or a file in it, on the disk of the home. It is gone
  ///     afterwards.
  ///   - map: What to record.
  /// - Throws: ``LibraryError``; then all is as before, or ``recover()`` completes it.
  ///   ``LibraryError/unsentEdits(map:count:)`` if edits of the version before would be lost,
  ///   ``LibraryError/editsUnknown(map:reason:)`` if they cannot be counted.
  public func install(_ staged: URL, as map: StoredMap) async throws(LibraryError) {
    guard layout.mayDelete(staged) else {
      throw .notOurs(file: staged.path(percentEncoded: false))
    }
    try DurableMove.sync(staged)
    tell(.installSynced)
    let lock = try await HomeLock(layout, clock: clock)
    defer { lock.release() }
    try await finishInstallations()
    try await keepEdits(of: map, replacedBy: staged)
    guard let file = FileStatus(staged)?.identity else { throw .filesMissing(map: map.title) }
    let installation = MapInstallation(
      map: map, staged: layout.stagedName(of: staged), file: file)
    try await storage.announce(installation)
    tell(.installAnnounced)
    let replaced: URL?
    do { replaced = try place(staged, at: layout.place(of: map)) } catch {
      try await storage.withdraw(installation)
      throw error
    }
    try await record(map, removing: replaced)
  }

  private func place(_ staged: URL, at target: URL) throws(LibraryError) -> URL? {
    guard DurableMove.exists(target) else {
      try DurableMove.move(staged, to: target)
      tell(.installMoved)
      return nil
    }
    try DurableMove.exchange(staged, with: target)
    tell(.installExchanged)
    return staged
  }

  /// Records what has taken its place, and removes what it replaces.
  private func record(_ map: StoredMap, removing replaced: URL?) async throws(LibraryError) {
    // Under the name of the job, the version before would look like what the job has brought.
    let condemned = try replaced.map { url throws(LibraryError) in try condemn(url) }
    tell(.installReplaced)
    try await storage.save(map)
    tell(.installRecorded)
    if let condemned { try DurableMove.erase(condemned) }
    for old in layout.otherPlaces(of: map) where DurableMove.exists(old) { try remove(old) }
  }

  /// Completes installations that a crash has interrupted after the files took their place, and
  /// forgets those whose files did not: they are where they were.
  func finishInstallations() async throws(LibraryError) {
    for installation in try await storage.installations() {
      let target = FileStatus(layout.place(of: installation.map))
      guard target?.identity == installation.file else {
        try await storage.withdraw(installation)
        continue
      }
      let staged = layout.folder(.staging).appending(path: installation.staged)
      try await record(installation.map, removing: DurableMove.exists(staged) ? staged : nil)
    }
  }

  /// Refuses what would replace files with edits that no service has got.
  private func keepEdits(of map: StoredMap, replacedBy staged: URL) async throws(LibraryError) {
    let place = layout.place(of: map)
    guard DurableMove.exists(place), !Self.sharesGeodatabases(place, staged) else { return }
    try await requireNoEdits(of: map, at: place)
  }

  /// Whether all geodatabases of a map are, as the same files, in another one too.
  private static func sharesGeodatabases(_ map: URL, _ other: URL) -> Bool {
    var isShared = true
    let depth = map.pathComponents.count
    FileStatus.visit(map) { url, status in
      guard status.kind == .file, url.lastPathComponent.contains(".geodatabase") else { return }
      let path = url.pathComponents.dropFirst(depth).joined(separator: "/")
      let twin = FileStatus(path.isEmpty ? other : other.appending(path: path))
      if twin?.identity != status.identity { isShared = false }
    }
    return isShared
  }

  /// Puts a map that is there on the list, under the name that its id gives it.
  func adopt(_ url: URL, as map: StoredMap) async throws(LibraryError) {
    guard layout.mayDelete(url) else { throw .notOurs(file: url.path(percentEncoded: false)) }
    let lock = try await HomeLock(layout, clock: clock)
    defer { lock.release() }
    guard try await storage.storedMap(map.id) == nil else { return }
    let place = layout.place(of: map)
    if place.lastPathComponent != url.lastPathComponent { try DurableMove.move(url, to: place) }
    tell(.adoptMoved)
    try await storage.save(map)
  }

  // MARK: - Staging

  /// Puts the files of a stored map into what a job is writing, so that a job which completes or
  /// replaces the map fetches only what is missing or new; does nothing if there is no such map or
  /// the job has begun already.
  public func reuse(_ id: MapID, in job: String) async throws(LibraryError) {
    let lock = try await HomeLock(layout, clock: clock)
    defer { lock.release() }
    try await finishInstallations()
    let staging = layout.staging(job)
    guard !DurableMove.exists(staging), let map = try await storage.storedMap(id),
      map.deleted == nil, map.form == .folder, DurableMove.exists(layout.place(of: map))
    else { return }
    let draft = layout.draft(of: job)
    if DurableMove.exists(draft) { try remove(draft) }
    // Links take neither time nor room, and an edit made meanwhile is in both.
    do { try FileManager.default.linkItem(at: layout.place(of: map), to: draft) } catch {
      throw .unwritable(
        file: staging.path(percentEncoded: false), reason: error.localizedDescription)
    }
    tell(.reuseLinked)
    try DurableMove.move(draft, to: staging)
  }

  /// Removes what a job was writing.
  public func removeStaged(_ job: String) throws(LibraryError) {
    let staging = layout.staging(job)
    if DurableMove.exists(staging) { try remove(staging) }
  }
}
