public import Foundation
internal import PortolanFiles

extension MapLibrary {
  /// Stores a map whose files were verified, as a new version beside the one that is there.
  ///
  /// Readers of the version before keep reading it. Edits of the version before are carried over
  /// where the job has taken over its geodatabases with ``reuse(_:in:)``, also those made since; else
  /// they keep it from being replaced.
  ///
  /// - Parameters:
  ///   - staged: The folder of a job, or a file in it, on the disk of the home. It is gone
  ///     afterwards.
  ///   - map: What to record; the number of its version is chosen here.
  ///   - known: Files whose digests were computed while they were written; those that have changed
  ///     since are read again.
  /// - Returns: What was recorded.
  /// - Throws: ``LibraryError``; then all is as before, or ``recover()`` completes it.
  ///   ``LibraryError/unsentEdits(map:count:)`` if edits of the version before would be lost,
  ///   ``LibraryError/editsUnknown(map:reason:)`` if they cannot be counted,
  ///   ``LibraryError/beingEdited(map:by:)`` while that version is being edited,
  ///   ``LibraryError/durabilityUnknown(file:reason:)`` if it has taken its place and could not be
  ///   recorded, ``LibraryError/notRecorded(map:)`` if that was for want of space.
  @discardableResult
  public func install(
    _ staged: URL, as map: StoredMap, knowing known: [StoredFile] = []
  ) async throws(LibraryError) -> StoredMap {
    try await store(staged, as: map, knowing: known, wasSetAside: false)
  }

  /// Stores a map, as ``install(_:as:knowing:)`` says; of one that was set aside it is no longer
  /// known who has edited it.
  func store(
    _ staged: URL, as map: StoredMap, knowing known: [StoredFile], wasSetAside: Bool
  ) async throws(LibraryError) -> StoredMap {
    guard layout.mayDelete(staged) else {
      throw .notOurs(file: staged.path(percentEncoded: false))
    }
    try requireOneDisk(from: staged.deletingLastPathComponent(), for: map.form)
    try CarriedGeodatabases.removeDraft(in: staged)
    // What it had taken over it had from a version whose number is that of another one from now on.
    if wasSetAside { try CarriedGeodatabases.forget(in: staged) }
    // Documents of a map are staged there; what a process that died left of one is no part of it.
    StagedFile.removeAbandoned(below: staged)
    try sync(staged)
    var contents = try await StoredFile.list(
      of: staged, reading: .digests(knowing: known), in: files)
    // What was written and is gone again would make half a map.
    guard Set(known.map(\.path)).isSubset(of: contents.map(\.path)) else {
      throw .filesMissing(map: map.title)
    }
    if wasSetAside, let installed = keptFiles(of: staged) {
      contents = StoredFile.asInstalled(installed, found: contents)
    }
    let isEdited = wasSetAside ? true : try await comesWithEdits(map, at: staged)
    report(.installSynced)
    let lock = try await lockHome()
    defer { lock.release() }
    // What is announced of the map would be forgotten for this version.
    try await finishInstallation(of: map.id)
    if wasSetAside { try await requireFree(map.id) }
    let before = try await versionToReplace(map.id)
    let editing = try before.flatMap { before throws(LibraryError) in
      try editingLock(ifThereIs: before.map)
    }
    defer { editing?.release() }
    let replaced = try await settle(before, replacedBy: staged, contents: &contents)
    var map = map
    map.version = try await nextVersion(of: map.id)
    var version = MapVersion(map: map, files: contents)
    let carried = try CarriedGeodatabases.read(in: staged, by: files)
    version.hasCarried = carried?.geodatabases.isEmpty == false
    version.carried = carried?.paths(in: staged)
    version.isEdited = isEdited
    let installation = try await announce(version, replacing: replaced, staged)
    try await place(staged, as: map, installation)
    try await complete(installation)
    return map
  }

  /// Refuses to put what was set aside in place of a map that was stored under its id while it was being read.
  private func requireFree(_ id: MapID) async throws(LibraryError) {
    guard let map = try await storage.storedMap(id) else { return }
    throw .unwritable(
      file: layout.place(of: map).path(percentEncoded: false),
      reason: "\"\(map.title)\" was stored there meanwhile")
  }

  /// Whether an imported package holds edits, as one that was edited before it was
  /// copied; they count as edits of the map from then on.
  private func comesWithEdits(_ map: StoredMap, at staged: URL) async throws(LibraryError) -> Bool {
    guard map.isImported, map.form == .folder else { return false }
    do throws(LibraryError) { return try await countEdits(of: map, at: staged) > 0 } catch {
      guard case .editsUnknown = error else { throw error }
      return true
    }
  }

  /// Records what has taken its place; where that fails it stays announced, and is recorded by the
  /// next process.
  private func complete(_ installation: MapInstallation) async throws(LibraryError) {
    do { try await recordAnyway(installation) } catch {
      // Whoever changes something next tries again.
      isRecoveryDue = true
      switch error {
      case .cancelled: throw error
      case .diskFull: throw .notRecorded(map: installation.map.title)
      default:
        // "Not stored" would not be true.
        throw .durabilityUnknown(
          file: layout.place(of: installation.map).path(percentEncoded: false),
          reason: error.localizedDescription.trimmingCharacters(in: CharacterSet(charactersIn: "."))
        )
      }
    }
  }

  /// Records what has taken its place also where the task was cancelled meanwhile, which is too late
  /// then: the next process would record it, after people were told that nothing was stored.
  private func recordAnyway(_ installation: MapInstallation) async throws(LibraryError) {
    let result = await Task { () async -> Result<Void, LibraryError> in
      do throws(LibraryError) {
        try await self.record(installation)
        return .success(())
      } catch {
        return .failure(error)
      }
    }.value
    try result.get()
  }

  func sync(_ staged: URL) throws(LibraryError) {
    do { try files.sync(staged) } catch { throw LibraryError(error) }
  }

  /// The current version of a map, in a folder of versions; `nil` if there is none.
  private func versionToReplace(_ id: MapID) async throws(LibraryError) -> MapVersion? {
    guard var map = try await storage.storedMap(id), map.deleted == nil else { return nil }
    if map.version == 0 { map = try await migrate(map) }
    return try await recordedVersion(of: map)
  }

  /// A number that no version of the map has, and none had by which another one still names it.
  private func nextVersion(of id: MapID) async throws(LibraryError) -> Int {
    let recorded = try await storage.versions(of: id).map(\.number)
    let found = try versions(of: id)
    // An update that was taken back may be gone, and what was taken over from it is noted still.
    let named = found.compactMap { CarriedGeodatabases(in: $0.url)?.version }
    return 1 + ((recorded + found.map(\.number) + named).max() ?? 0)
  }

  private func announce(
    _ version: MapVersion, replacing previous: MapVersion?, _ staged: URL
  ) async throws(LibraryError) -> MapInstallation {
    guard let file = FileStatus(staged)?.identity else {
      throw .filesMissing(map: version.map.title)
    }
    let installation = MapInstallation(
      map: version.map, staged: layout.stagedName(of: staged), file: file, version: version,
      previous: previous)
    try await storage.announce(installation)
    report(.installAnnounced)
    return installation
  }

  /// Moves the files to their place; what has not moved is no longer announced.
  private func place(
    _ staged: URL, as map: StoredMap, _ installation: MapInstallation
  ) async throws(LibraryError) {
    do throws(LibraryError) {
      try await requireNoLink(inPlaceOf: map.id, map.form)
      try await restoreMark(of: map)
      try prepareContainer(of: map)
      try move(staged, to: layout.place(of: map))
    } catch {
      // What has moved stays announced until the disk confirms it: it is recorded then.
      if case .durabilityUnknown = error { throw error }
      if FileStatus(staged)?.identity == installation.file {
        try await storage.withdraw(installation)
        removeEmptyContainers(of: map.id)
      }
      throw error
    }
    report(.installMoved)
  }
}
