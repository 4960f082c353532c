internal import Foundation
internal import PortolanFiles

// Homes of older Portolans hold one version of each map, without a folder of versions around it.
extension MapLibrary {
  /// Moves the maps of an older home into folders of versions; one that is open is moved later.
  func finishMigrations() async throws(LibraryError) {
    var unfinished: Set<URL> = []
    for map in try await storage.storedMaps() where map.deleted == nil {
      guard map.version == 0 else {
        do { try removeFlatName(of: map) } catch {
          // The audit names what is left; the map itself has its place.
        }
        continue
      }
      do throws(LibraryError) { _ = try await migrate(map) } catch {
        switch error {
        // It can be used as it is until then.
        case .inUse, .beingWritten, .unwritable, .unreadable, .filesMissing, .durabilityUnknown:
          unfinished.insert(layout.migrationDraft(of: map.id).standardizedFileURL)
        default: throw error
        }
      }
    }
    // Second names of what has its place, left by a process that died. Where that is not known to be
    // on the disk, the old names stay.
    for url in layout.migrationDrafts where !unfinished.contains(url.standardizedFileURL) {
      try erase(try condemn(url))
    }
  }

  /// Moves a map of an older home into a folder of versions, as version 1.
  ///
  /// Its files get a second name in a new folder, which changes places with the map in one step; the
  /// old names are there until the catalogue knows of the new ones.
  ///
  /// - Returns: What is recorded of it then.
  func migrate(_ map: StoredMap) async throws(LibraryError) -> StoredMap {
    let flat = layout.flatPlace(of: map.id, map.form)
    var moved = map
    moved.version = 1
    let locks = try exclusiveLocks(on: [flat], of: map)
    defer { for lock in locks { lock.release() } }
    switch map.form {
    case .folder: try migrateFolder(map, from: flat)
    case .file: try migrateFile(map, from: flat)
    }
    report(.migrationMoved)
    let contents = try await StoredFile.list(of: layout.place(of: moved), reading: .none, in: files)
    var version = MapVersion(map: moved, files: contents)
    // Older homes did not record who edits; a map that may hold edits is never thrown away.
    version.isEdited = contents.contains(where: \.isEditableDatabase)
    try await storage.install(version, replacing: nil)
    report(.migrationRecorded)
    let old = map.form == .folder ? layout.migrationDraft(of: map.id) : flat
    if files.exists(old) { try erase(try condemn(old)) }
    return moved
  }

  /// Removes the name that a package had in an older home, left by a process that died after the
  /// new one was recorded; a file with other contents stays, for the audit.
  private func removeFlatName(of map: StoredMap) throws(LibraryError) {
    let flat = layout.flatPlace(of: map.id, .file)
    guard let old = FileStatus(flat) else { return }
    for version in try layout.versions(in: layout.container(of: map.id, .file), in: files) {
      guard let new = FileStatus(version.url), try isSame(old, flat, new, version.url) else {
        continue
      }
      return try erase(try condemn(flat))
    }
  }

  /// Whether two files have the same contents; in a home that was copied they are two files.
  private func isSame(
    _ old: FileStatus, _ oldURL: URL, _ new: FileStatus, _ newURL: URL
  ) throws(LibraryError) -> Bool {
    guard old.identity != new.identity else { return true }
    guard old.kind == .file, new.kind == .file, old.byteCount == new.byteCount else { return false }
    return try FileDigest.digest(of: oldURL) { _ in } == FileDigest.digest(of: newURL) { _ in }
  }

  private func migrateFolder(_ map: StoredMap, from flat: URL) throws(LibraryError) {
    let draft = layout.migrationDraft(of: map.id)
    // A process died after they had changed places, or the disk did not confirm it.
    if layout.isContainer(flat) { return try confirmNames(in: layout.folder(.maps)) }
    guard files.exists(flat) else { throw .filesMissing(map: map.title) }
    // One died before that.
    if files.exists(draft) { try erase(draft) }
    do {
      try files.createFolder(draft, permissions: 0o700)
      try linkTree(flat, to: draft.appending(path: "1", directoryHint: .isDirectory))
      try files.write(Data(), to: draft.appending(path: HomeLayout.versionsMarker))
      try syncFolders(of: draft)
      report(.migrationLinked)
      try files.exchange(draft, with: flat)
    } catch let error as LibraryError {
      throw error
    } catch let error as FileError {
      throw LibraryError(error)
    } catch {
      throw .unwritable(
        file: draft.path(percentEncoded: false), reason: error.plainReason)
    }
  }

  private func migrateFile(_ map: StoredMap, from flat: URL) throws(LibraryError) {
    var moved = map
    moved.version = 1
    let place = layout.place(of: moved)
    // Likewise.
    guard !files.exists(place) else {
      return try confirmNames(in: place.deletingLastPathComponent())
    }
    guard files.exists(flat) else { throw .filesMissing(map: map.title) }
    try prepareContainer(of: moved)
    do {
      try files.linkOrCopy(flat, to: place)
      try files.syncFolder(place.deletingLastPathComponent())
    } catch {
      throw .unwritable(
        file: place.path(percentEncoded: false), reason: error.plainReason)
    }
    report(.migrationLinked)
  }

  /// Has the disk confirm what lies in a folder, before the old names of it go.
  private func confirmNames(in folder: URL) throws(LibraryError) {
    do { try files.syncFolder(folder) } catch { throw LibraryError(error) }
  }

  /// Gives every file of a folder, journals and hidden ones too, a second name in another.
  private func linkTree(_ folder: URL, to target: URL) throws {
    try FileManager.default.createDirectory(
      at: target, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.path(percentEncoded: false))
    for name in names {
      let (source, link) = (folder.appending(path: name), target.appending(path: name))
      switch try FileStatus(at: source)?.kind {
      case .folder?: try linkTree(source, to: link)
      case nil: continue
      default: try FileManager.default.linkItem(at: source, to: link)
      }
    }
  }

  /// Syncs the folders of a tree whose files are on the disk already.
  private func syncFolders(of folder: URL) throws {
    var folders: [URL] = []
    try FileTree.walk(folder, in: files) { url, status in
      if status.kind == .folder { folders.append(url) }
    }
    for folder in folders { try files.syncFolder(folder) }
    try files.syncFolder(folder.deletingLastPathComponent())
  }
}
