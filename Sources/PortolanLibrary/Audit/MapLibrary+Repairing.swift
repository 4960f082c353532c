internal import Foundation
internal import PortolanFiles
internal import PortolanJobs

// What an audit has repaired; each step is taken while no other process moves maps about.
extension MapLibrary {
  /// Repairs what an audit found, if it is still so.
  ///
  /// - Parameters:
  ///   - finding: What was found.
  ///   - map: What is to be recorded of a map that is there.
  ///   - isStillSo: Looks once more.
  /// - Throws: Whatever keeps it from being repaired; then it is as it was.
  func repair(
    _ finding: LibraryFinding, as map: StoredMap?, if isStillSo: @Sendable () async throws -> Bool
  ) async throws {
    let lock = try await lockHome()
    defer { lock.release() }
    // A version that has taken its place since, and was not recorded, would be forgotten for what is now.
    switch finding {
    case .filesMissing(let map), .damaged(let map, _, _), .unknownVersion(_, let map):
      try await finishInstallation(of: map.id)
    default: try await finishInstallations()
    }
    guard try await isStillSo() else { return }
    switch finding {
    case .filesMissing(let map): try await replaceMissing(map)
    case .damaged(let map, _, let mayHoldEdits):
      let locks = try exclusiveLocks(on: places(of: map), of: map)
      defer { for lock in locks { lock.release() } }
      let othersHold = try await otherVersionsMayHoldEdits(of: map)
      try await storage.keepOptions(of: map)
      mayHoldEdits || othersHold ? try await keep(map) : try await moveToTrash(map)
    case .unrecorded(let url, _): if let map { try await adopt(url, as: map) }
    case .unknownVersion(let url, let map): try await record(url, asVersionOf: map)
    case .foreign(let url, _):
      try discard(url)
      // Without its last version a folder of versions is no map, either.
      let container = url.deletingLastPathComponent()
      if layout.isContainer(container), let id = MapID(container.lastPathComponent) {
        removeEmptyContainers(of: id)
      }
    case .unknownTrash(let url): try discard(url)
    case .abandoned(let url): try await removeAbandoned(url)
    case .halfDeleted, .halfInstalled, .halfRemoved, .incomplete, .unreadable,
      .unreadableRecord:
      break
    }
  }

  /// Brings the version before back where the files of the current one are gone.
  private func replaceMissing(_ map: StoredMap) async throws(LibraryError) {
    guard var earlier = try await earlierVersions(of: map.id).first else {
      removeEmptyContainers(of: map.id)
      try await storage.keepOptions(of: map)
      try await storage.removeStoredMap(map.id)
      // They may be found again, and are not missing then.
      return forgetDamage(of: map)
    }
    (earlier.replacedOn, earlier.replacedBy) = (nil, nil)
    try await storage.install(earlier, replacing: nil)
    try await storage.removeVersion(map.version, of: map.id)
    forgetDamage(of: map)
  }

  /// Whether there are edits in a version that is not the current one, or may be.
  private func otherVersionsMayHoldEdits(of map: StoredMap) async throws(LibraryError) -> Bool {
    do throws(LibraryError) {
      try await requireOthersSettled(map)
      return false
    } catch {
      switch error {
      case .unsentEdits, .editsUnknown, .unreadable, .beingWritten: return true
      default: throw error
      }
    }
  }

  /// Sets a damaged map aside that may hold edits; it is not open anywhere.
  private func keep(_ map: StoredMap) async throws(LibraryError) {
    // What is noted may be older than the catalogue, or missing; nothing else says it afterwards.
    noteRecord(of: map)
    // Left by a rollback that could not be recorded, as on a full disk.
    forgetTakenBack(map)
    for (place, _) in layout.trashMoves(of: map) where files.exists(place) {
      try await noteKeptFiles(of: map, in: place)
      try setAside(place, as: map.id.text)
    }
    report(.keptMoved)
    try await storage.removeStoredMap(map.id)
    forgetDamage(of: map)
  }

  /// Removes what a job has left, unless no job is known that did and edits may be in it: once the catalogue
  /// is lost, it may hold the last copy of them.
  private func removeAbandoned(_ url: URL) async throws {
    guard files.exists(url) else { return }
    let name = url.lastPathComponent
    if FileStatus(url)?.kind == .file, StoredFile.isOfEditableDatabase(name) {
      return try keepDatabase(url)
    }
    // Those were copied from what is still there.
    let isCopy = HomeLayout.isOfImport(url) || HomeLayout.isOfExport(url) || layout.isDraft(name)
    let isKnown = try await storage.jobs().contains { $0.id.text == name }
    guard !isCopy, !isKnown, try await mayHoldEdits(staged: url) else { return try remove(url) }
    try move(url, to: layout.keptPlace(of: name))
    report(.keptMoved)
  }

  /// Whether a job has left databases with edits that were not sent, or whose edits cannot be counted.
  private func mayHoldEdits(staged url: URL) async throws -> Bool {
    let paths: [String]
    do { paths = try GeodatabaseState.paths(in: url) } catch { return true }
    for path in paths {
      do {
        guard try await unsentEdits(url.appending(path: path)) == 0 else { return true }
      } catch is CancellationError {
        throw LibraryError.cancelled
      } catch {
        if let lock = LibraryError(lockedOutBy: error, at: url) { throw lock }
        return true
      }
    }
    return false
  }

  /// Removes something that belongs to nothing, unless edits may be in it.
  private func discard(_ url: URL) throws(LibraryError) {
    guard files.exists(url) else { return }
    guard layout.mayDelete(url) else { throw .notOurs(file: url.path(percentEncoded: false)) }
    guard FileStatus(url)?.kind != .file || !StoredFile.isOfEditableDatabase(url.lastPathComponent)
    else { return try keepDatabase(url) }
    let holdsData: Bool
    do { holdsData = try !GeodatabaseState.paths(in: url).isEmpty } catch { holdsData = true }
    guard holdsData else { return try remove(url) }
    // A version is named after its map: its number says nothing of it.
    let container = url.deletingLastPathComponent()
    let named = layout.isContainer(container) ? container : url.deletingPathExtension()
    try setAside(url, as: named.lastPathComponent)
  }

  /// Sets aside a database that lies about by itself, or its journal, with the files that belong to it.
  private func keepDatabase(_ url: URL) throws(LibraryError) {
    let name = StoredFile.databaseName(of: url.lastPathComponent)
    let target = layout.keptPlace(of: URL(filePath: name).deletingPathExtension().lastPathComponent)
    do { try files.createFolder(target, permissions: 0o700) } catch { throw LibraryError(error) }
    for suffix in [""] + StoredFile.journalSuffixes {
      let file = url.deletingLastPathComponent().appending(path: name + suffix)
      if files.exists(file) { try move(file, to: target.appending(path: name + suffix)) }
    }
  }

  /// Puts a map that is there on the list, under the name that its id gives it.
  private func adopt(_ url: URL, as map: StoredMap) async throws(LibraryError) {
    guard layout.mayDelete(url) else { throw .notOurs(file: url.path(percentEncoded: false)) }
    guard try await storage.storedMap(map.id) == nil else { return }
    let place = layout.place(of: map)
    if place.lastPathComponent != url.lastPathComponent { try move(url, to: place) }
    report(.adoptMoved)
    guard map.version == 0 else {
      let contents = try await StoredFile.list(of: place, in: files)
      return try await storage.install(version(of: map, found: contents), replacing: nil)
    }
    try await storage.save(map)
    // One that is open is moved into a folder of versions later.
    _ = try? await migrate(map)
  }

  /// Records a version that is there beside the current one, which may be another one than when it was
  /// found.
  private func record(_ url: URL, asVersionOf found: StoredMap) async throws(LibraryError) {
    guard let number = Int(url.deletingPathExtension().lastPathComponent) else { return }
    guard let map = try await storage.storedMap(found.id) else {
      throw .noSuchMap(found.id.text)
    }
    guard map.deleted == nil else {
      throw .unwritable(
        file: url.path(percentEncoded: false),
        reason: "\"\(map.title)\" is in the trash, and has to be restored first")
    }
    let form: StoredMap.Form = FileStatus(url)?.kind == .folder ? .folder : .file
    // The portal may have changed since, and so what the current one lacks.
    var earlier = layout.notedRecord(of: number, of: map.id.text, form, in: files) ?? map
    (earlier.version, earlier.form) = (number, form)
    (earlier.deleted, earlier.deletedOn) = (nil, nil)
    var version = version(
      of: earlier, found: try await StoredFile.list(of: url, reading: .none, in: files))
    version.replacedOn = try await dayOfUse()
    try await storage.install(recordedVersion(of: map), replacing: version)
  }

  /// A version that was found on the disk.
  ///
  /// Whether it was edited is no longer known, so that it counts as edited where it can be.
  private func version(of map: StoredMap, found files: [StoredFile]) -> MapVersion {
    var version = MapVersion(map: map, files: files)
    version.isEdited = files.contains(where: \.isEditableDatabase)
    return version
  }
}
