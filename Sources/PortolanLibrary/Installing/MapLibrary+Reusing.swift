public import Foundation
public import PortolanFiles
internal import PortolanSQLite

// What a new version takes over from the one before.
extension MapLibrary {
  /// Puts the files of a stored map into what a job is writing, so that a job which completes or
  /// replaces the map fetches only what is missing or new; does nothing if there is no such map or
  /// the job has begun already.
  ///
  /// Geodatabases are copied, with their edits; other files, which are never written to, get a
  /// second name, or are copied where there are none.
  ///
  /// - Returns: What keeps the folder from counting as abandoned, for copies that are no jobs of
  ///   the catalogue; `nil` if nothing was put there.
  /// - Throws: ``LibraryError/beingEdited(map:by:)``, ``LibraryError/beingWritten(file:by:)``,
  ///   ``LibraryError/unreadable(file:reason:)``, ``LibraryError/diskFull(file:)``; nothing was put there then.
  @discardableResult
  public func reuse(_ id: MapID, in job: String) async throws(LibraryError) -> StagingHold? {
    let lock = try await lockHome()
    defer { lock.release() }
    try await finishInstallations()
    let (draft, staging) = (layout.draft(of: job), layout.staging(job))
    // Also where nothing is copied any more, since the map was deleted meanwhile.
    if files.exists(draft) { try remove(draft) }
    guard !files.exists(staging), let map = try await storage.storedMap(id),
      map.deleted == nil, map.form == .folder, files.exists(layout.place(of: map))
    else { return nil }
    let editing = try editingLock(of: map)
    defer { editing.release() }
    do throws(LibraryError) { try await fill(draft, from: map) } catch {
      // A half copy is of no use; one that cannot be removed is found by the audit.
      try? erase(draft)
      throw error
    }
    report(.reuseLinked)
    let hold = try await hold(staged: draft)
    try move(draft, to: staging)
    return hold
  }

  /// Copies the geodatabases of a version, with their edits, into any folder, while no process
  /// edits them.
  ///
  /// - Parameters:
  ///   - map: A version that is open, so that it is not moved.
  ///   - folder: The folder.
  ///   - isDamaged: Whether those that are damaged are copied as they are, with their journals.
  /// - Returns: Their paths in the version, and in the folder.
  /// - Throws: ``LibraryError/beingEdited(map:by:)``, ``LibraryError/beingWritten(file:by:)`` while another
  ///   program writes to one, ``LibraryError/unreadable(file:reason:)``, ``LibraryError/damaged(file:reason:)``,
  ///   ``LibraryError/diskFull(file:)``.
  public func copyDatabases(
    of map: StoredMap, to folder: URL, evenIfDamaged isDamaged: Bool = false
  ) async throws(LibraryError) -> [String] {
    let place = layout.place(of: map)
    let paths = try ownDatabases(in: place)
    guard !paths.isEmpty else { return [] }
    let editing = try copyingLock(of: map)
    defer { editing?.release() }
    var carried = CarriedGeodatabases(version: map.version)
    for path in paths {
      // What was a database may have a journal still, which SQLite no longer looks at.
      if isDamaged, try !Self.isDatabase(StoredFile.url(of: path, in: place)) {
        try CarriedGeodatabases.copyDamaged(path, from: place, to: folder)
        continue
      }
      do throws(LibraryError) { try carried.carry(path, from: place, to: folder) } catch {
        guard isDamaged, case .damaged = error else { throw error }
        try CarriedGeodatabases.copyDamaged(path, from: place, to: folder)
      }
    }
    return paths
  }

  /// The bytes that starting from a version copies.
  ///
  /// Its geodatabases are copied, since people edit them; other files get a second name, unless the
  /// disk knows none.
  public static func byteCountCopied(
    reusing version: URL, in files: FileSystem = .live
  ) -> Int {
    // A folder that cannot be listed is reported once it is to be copied.
    let paths = (try? GeodatabaseState.paths(in: version)) ?? []
    let byteCount = paths.reduce(0) { $0 + DiskUsage(of: version.appending(path: $1)).byteCount }
    guard !files.knowsSecondNames(in: version) else { return byteCount }
    // As said above.
    let others = (try? linkedFiles(in: version, files) { belongs($0, toOneOf: paths) }) ?? []
    return others.reduce(byteCount) { $0 + $1.byteCount }
  }

  /// The files of a folder that get second names, but for some: no links, and no hidden files.
  private static func linkedFiles(
    in folder: URL, _ files: FileSystem, except isExcepted: (String) -> Bool
  ) throws(FileError) -> [(path: String, byteCount: Int)] {
    let depth = folder.pathComponents.count
    var found: [(path: String, byteCount: Int)] = []
    try FileTree.walk(folder, in: files) { url, status in
      let path = url.pathComponents.dropFirst(depth).joined(separator: "/")
      guard status.kind == .file, !isExcepted(path), !url.lastPathComponent.hasPrefix("."),
        !isUnfinished(path)
      else { return }
      found.append((path, status.byteCount))
    }
    return found
  }

  private func fill(_ draft: URL, from map: StoredMap) async throws(LibraryError) {
    let place = layout.place(of: map)
    var carried = CarriedGeodatabases(version: map.version)
    carried.map = map.id
    do { try files.createFolder(draft, permissions: 0o700) } catch { throw LibraryError(error) }
    let geodatabases = try ownDatabases(in: place)
    try link(place, to: draft) { Self.belongs($0, toOneOf: geodatabases) }
    let versions = try await storage.versions(of: map.id)
    for path in geodatabases {
      try carried.carry(path, from: place, to: draft)
      carried.note(sharers: sharers(of: path, in: map.version, versions), of: path)
    }
    try carried.write(to: draft)
  }

  /// The databases in the folder of a version; what a link leads to stays where it is.
  ///
  /// One that cannot be looked at would get a second name, and be edited in both versions.
  private func ownDatabases(in place: URL) throws(LibraryError) -> [String] {
    var own: [String] = []
    for path in try GeodatabaseState.paths(in: place) {
      do throws(FileError) {
        if try files.status(of: place.appending(path: path))?.kind == .file { own.append(path) }
      } catch {
        throw LibraryError(reading: error)
      }
    }
    return own
  }

  /// Gives every file of a folder a second name, but for some; links and hidden files are left out.
  private func link(
    _ folder: URL, to target: URL, except isExcepted: (String) -> Bool
  ) throws(LibraryError) {
    let linked: [(path: String, byteCount: Int)]
    do { linked = try Self.linkedFiles(in: folder, files, except: isExcepted) } catch {
      throw LibraryError(reading: error)
    }
    for (path, _) in linked {
      let name = target.appending(path: path)
      do {
        try FileManager.default.createDirectory(
          at: name.deletingLastPathComponent(), withIntermediateDirectories: true,
          attributes: [.posixPermissions: 0o700])
        try files.linkOrCopy(folder.appending(path: path), to: name)
      } catch let error as FileError {
        throw LibraryError(error)
      } catch is CancellationError {
        throw .cancelled
      } catch {
        throw .unwritable(file: target.path(percentEncoded: false), reason: error.plainReason)
      }
    }
  }

  /// Whether a path is that of one of the databases of a map, or of what is kept beside one and goes
  /// with it.
  package static func belongs(_ path: String, toOneOf databases: [String]) -> Bool {
    databases.contains { GeodatabaseState.belongs(path, to: $0) }
  }

  /// Whether it is the beginning of a download that did not come to its end: continuing with it would
  /// write to the file of the version that it was taken from.
  package static func isUnfinished(_ path: String) -> Bool {
    [".part", ".part.json"].contains(where: path.hasSuffix)
  }

  /// Removes what a job was writing.
  public func removeStaged(_ job: String) throws(LibraryError) {
    let staging = layout.staging(job)
    if files.exists(staging) { try remove(staging) }
  }

  // MARK: - Edits

  /// Makes sure that no edit of a version is lost when another replaces it, while it cannot be
  /// edited.
  ///
  /// - Parameters:
  ///   - version: The version before; nothing is to be done without one.
  ///   - staged: The new version. Geodatabases that it has taken over, and that were edited since, are
  ///     taken over again.
  ///   - contents: The files of the new version, updated.
  /// - Returns: The version before, with the states of its geodatabases.
  /// - Throws: ``LibraryError/unsentEdits(map:count:)``, ``LibraryError/editsUnknown(map:reason:)``,
  ///   ``LibraryError/beingWritten(file:by:)``.
  func settle(
    _ version: MapVersion?, replacedBy staged: URL, contents: inout [StoredFile]
  ) async throws(LibraryError) -> MapVersion? {
    guard var version else { return nil }
    if !holdsDatabases(version) { try await distrustSettling(by: version) }
    guard files.exists(layout.place(of: version.map)) else { return version }
    let place = layout.place(of: version.map)
    var (carried, hasCarriedAgain) = try await renewCarried(in: staged, for: version)
    var unsent = 0
    for path in try geodatabases(of: version.map, at: place) {
      let source = StoredFile.url(of: path, in: place)
      if let copy = carried?.geodatabase(at: path, in: staged) {
        let state = try GeodatabaseState(of: source)
        version.settled[path] = state
        guard !state.isUnchanged(since: copy.source) else { continue }
        let map = version.map
        version.settled[path] = try await seenState(of: source) { () async throws(LibraryError) in
          // One that cannot be read takes no place of a copy that can.
          _ = try await countEdits(of: map, at: source)
          try carried?.carry(path, from: place, to: staged)
          return carried?.geodatabases[path]?.source ?? state
        }
        hasCarriedAgain = true
      } else {
        let map = version.map
        var count = 0
        version.settled[path] = try await seenState(of: source) { () async throws(LibraryError) in
          let state = try GeodatabaseState(of: source)
          count = try await countEdits(of: map, at: source)
          return state
        }
        unsent += count
      }
    }
    guard unsent == 0 else { throw .unsentEdits(map: version.map.title, count: unsent) }
    if hasCarriedAgain {
      try carried?.write(to: staged)
      try sync(staged)
      contents = try await StoredFile.list(
        of: staged, reading: .digests(knowing: contents), in: files)
    }
    return version
  }

  /// Examines a database until it was not written to meanwhile: other programs do not know of the
  /// editing lock, and what they write afterwards was not examined.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - look: Looks, which may itself roll back or merge a journal.
  /// - Returns: The state of which everything was seen; if it is written to all the time, it is not
  ///   the one that the database is in.
  /// - Throws: What `look` throws, and ``LibraryError/unreadable(file:reason:)``.
  func seenState(
    of database: URL, _ look: () async throws(LibraryError) -> GeodatabaseState
  ) async throws(LibraryError) -> GeodatabaseState {
    var seen = try await look()
    for _ in 1..<3 {
      let now = try GeodatabaseState(of: database)
      // A link has no state of its own, and counts as written to whenever it is looked at.
      guard now != seen, !now.isUnchanged(since: seen) else { return now }
      seen = try await look()
    }
    return seen
  }

  /// The geodatabases of a version; where that cannot be known, it may hold edits.
  ///
  /// A version in one file may be a database, whatever its name says; its path is empty.
  func geodatabases(of map: StoredMap, at place: URL) throws(LibraryError) -> [String] {
    do throws(LibraryError) {
      return try Self.isDatabase(place) ? [""] : try GeodatabaseState.paths(in: place)
    } catch {
      throw .editsUnknown(
        map: map.title, reason: error.errorDescription ?? "its files cannot be listed.")
    }
  }

  /// Whether a file is a SQLite database by its first bytes.
  static func isDatabase(_ file: URL) throws(LibraryError) -> Bool {
    guard FileStatus(file)?.kind == .file else { return false }
    do { return try StoredFile.beginsAsDatabase(file) } catch {
      throw LibraryError(reading: error, of: file)
    }
  }
}
