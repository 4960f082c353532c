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
  ///   recorded.
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
      switch error {
      case .cancelled, .diskFull: throw error
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

  /// Marks the folder of the versions of a map again if only its mark is gone, as in a copy without
  /// hidden files: open versions stay with their readers.
  private func restoreMark(of map: StoredMap) async throws(LibraryError) {
    let container = layout.container(of: map.id, map.form)
    guard !layout.isContainer(container), FileStatus(container)?.kind == .folder else { return }
    // The current version may have the other form.
    let recorded = try await storage.versions(of: map.id).map(\.map)
    let current = try await storage.storedMap(map.id)
    let known = recorded + [current].compactMap(\.self)
    guard known.contains(where: { $0.version > 0 && $0.form == map.form }) else { return }
    do { try files.write(Data(), to: container.appending(path: HomeLayout.versionsMarker)) } catch {
      throw LibraryError(error)
    }
  }

  /// Creates the folder of the versions of a map, and marks it.
  func prepareContainer(of map: StoredMap) throws(LibraryError) {
    let container = layout.container(of: map.id, map.form)
    let parent = container.deletingLastPathComponent()
    guard files.exists(parent) else {
      throw .unwritable(file: parent.path(percentEncoded: false), reason: "it is gone")
    }
    guard try !layout.holdsVersions(container, in: files) else { return }
    removeEmptyContainers(of: map.id)
    // Something that no record knows; it may be a map with edits.
    if files.exists(container) { try move(container, to: layout.keptPlace(of: map.id.text)) }
    do {
      try files.createFolder(container, permissions: 0o700)
      try files.write(Data(), to: container.appending(path: HomeLayout.versionsMarker))
    } catch {
      throw LibraryError(error)
    }
  }

  /// Removes the folders of the versions of a map, as far as there is none in them.
  func removeEmptyContainers(of id: MapID) {
    for form in [StoredMap.Form.folder, .file] {
      let container = layout.container(of: id, form)
      guard FileStatus(container)?.kind == .folder else { continue }
      do {
        let names = try FileManager.default.contentsOfDirectory(
          atPath: container.path(percentEncoded: false))
        guard
          names.allSatisfy({
            $0 == HomeLayout.versionsMarker || $0.hasPrefix(".editing-")
              || StagedFile.isTemporary($0)
          })
        else { continue }
        try erase(container)
      } catch {
        // What cannot be listed is not known to be empty; what cannot be removed is found by the
        // audit.
      }
    }
  }

  /// Records what has taken its place, and removes what is no longer needed.
  private func record(_ installation: MapInstallation) async throws(LibraryError) {
    guard let version = installation.version else {
      return try await recordFlat(installation)
    }
    var previous = installation.previous
    previous?.replacedOn = try await dayOfUse()
    previous?.replacedBy = version.number
    try await storage.install(version, replacing: previous)
    report(.installRecorded)
    noteRecord(of: version.map)
    // A version that cannot be removed now is removed at the next start.
    try? await removeLeftovers(of: version.map)
  }

  /// Removes what was deleted of a map before it was stored again, and versions that are too old.
  private func removeLeftovers(of map: StoredMap) async throws(LibraryError) {
    for (_, trash) in layout.trashMoves(of: map) where files.exists(trash) {
      try await clear(trash, of: map)
    }
    try await retireVersions(of: map.id, keeping: 1)
  }

  /// Removes what was deleted of a map before; with edits that were not sent it is set aside, for
  /// no question has mentioned their loss.
  func clear(_ trash: URL, of map: StoredMap) async throws(LibraryError) {
    guard try await mayHoldEdits(trash, of: map) else { return try remove(trash) }
    try move(trash, to: layout.keptPlace(of: map.id.text, isDeleted: true))
  }

  /// Whether a deleted map may hold edits that were not sent, in any of its versions; what cannot be
  /// counted may.
  private func mayHoldEdits(_ trash: URL, of map: StoredMap) async throws(LibraryError) -> Bool {
    // Whatever form the map has now: that of what was deleted may be another.
    let versions = try layout.versions(in: trash, in: files).map(\.url)
    for place in versions.isEmpty ? [trash] : versions {
      do throws(LibraryError) {
        guard try await countEdits(of: map, at: place) == 0 else { return true }
      } catch .cancelled {
        throw .cancelled
      } catch {
        return true
      }
    }
    return false
  }

  /// Completes what an older Portolan has announced, in the place that it chose.
  private func recordFlat(_ installation: MapInstallation) async throws(LibraryError) {
    let staged = layout.folder(.staging).appending(path: installation.staged)
    if files.exists(staged) {
      // The version before, which has changed places with it; it may hold edits.
      try move(staged, to: layout.keptPlace(of: installation.map.id.text))
    }
    try await storage.save(installation.map)
  }

  /// Completes installations that a crash has interrupted after the files took their place, and
  /// forgets those whose files did not: they are where they were.
  ///
  /// One of which that cannot be known, or recorded, now stays announced: it does not prevent
  /// opening other maps, nor deleting them where the disk is full.
  ///
  /// - Returns: Why some could not be recorded, by their maps.
  @discardableResult
  func finishInstallations() async throws(LibraryError) -> [MapID: LibraryError] {
    var unrecorded: [MapID: LibraryError] = [:]
    for installation in try await storage.installations() {
      do throws(FileError) {
        guard try hasMoved(installation) else {
          await withdraw(installation)
          removeEmptyContainers(of: installation.map.id)
          continue
        }
        try confirm(installation)
      } catch {
        continue
      }
      do throws(LibraryError) { try await record(installation) } catch {
        switch error {
        // The next who changes something tries again.
        case .diskFull, .catalogue, .unreadable, .unwritable:
          unrecorded[installation.map.id] = error
        default: throw error
        }
      }
    }
    return unrecorded
  }

  /// The version of a map of which it is not known yet whether it has taken its place.
  func unfinishedInstallation(of id: MapID) async throws(LibraryError) -> MapInstallation? {
    try await storage.installations().first { $0.map.id == id }
  }

  /// Makes sure that it is known which version of a map is the current one: what is recorded of it
  /// otherwise takes the place of what is announced.
  ///
  /// - Throws: ``LibraryError/durabilityUnknown(file:reason:)``, and what keeps it from being recorded.
  func finishInstallation(of id: MapID) async throws(LibraryError) {
    if let error = try await finishInstallations()[id] { throw error }
    guard let installation = try await unfinishedInstallation(of: id) else { return }
    throw .durabilityUnknown(
      file: layout.place(of: installation.map).path(percentEncoded: false),
      reason: "until it does, \"\(installation.map.title)\" stays as it is")
  }

  private func withdraw(_ installation: MapInstallation) async {
    // Announced once more at the next start, if the catalogue cannot be written now.
    try? await storage.withdraw(installation)
  }

  /// Whether the files of an installation are in their place.
  private func hasMoved(_ installation: MapInstallation) throws(FileError) -> Bool {
    let place = try FileStatus(at: layout.place(of: installation.map))
    // The number of a version is never used twice; older places are.
    return installation.version == nil
      ? place?.identity == installation.file : place != nil
  }

  /// Has the disk confirm that files have moved.
  private func confirm(_ installation: MapInstallation) throws(FileError) {
    let place = layout.place(of: installation.map)
    for folder in [place.deletingLastPathComponent(), layout.folder(.staging)] {
      try files.syncFolder(folder)
    }
  }
}
