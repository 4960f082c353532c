internal import Foundation
internal import PortolanFiles
internal import PortolanSQLite

/// Checks whether a stored map is what was installed.
struct MapExamination: Sendable {
  let library: MapLibrary
  /// Opens a map, to see whether it can be; `nil` to look at its files alone.
  let check: LibraryAudit.Check?
  var lack: LibraryAudit.Lack = { _ in [] }
  let depth: AuditDepth
  /// Called with the number of bytes of each chunk that is read.
  var progress: @Sendable (Int) -> Void = { _ in }

  /// What is wrong with a map; `nil` if nothing is.
  ///
  /// - Throws: ``LibraryError/cancelled``, or the catalogue's errors.
  @concurrent func finding(on map: StoredMap) async throws(LibraryError) -> LibraryFinding? {
    try await examine(map).finding
  }

  /// What is wrong with a map, and what is wrong with its parts, a sentence each.
  ///
  /// - Throws: ``LibraryError/cancelled``, or the catalogue's errors.
  @concurrent func examine(
    _ map: StoredMap
  ) async throws(LibraryError) -> (finding: LibraryFinding?, faults: [String]) {
    if let finding = displacement(of: map) { return (finding, []) }
    guard map.deleted == nil else { return (nil, []) }
    do throws(LibraryError) {
      guard let damage = try await damage(of: map) else {
        return (await incompleteness(of: map, at: library.layout.place(of: map)), [])
      }
      let finding = LibraryFinding.damaged(
        map: map, reason: damage.reason, mayHoldEdits: damage.mayHoldEdits)
      return (finding, damage.faults)
    } catch {
      guard let reason = error.whyUnreadable else { throw error }
      return (.unreadable(map: map, reason: reason), [])
    }
  }

  /// What is wrong with where the files of a map are; `nil` if nothing is.
  private func displacement(of map: StoredMap) -> LibraryFinding? {
    let (layout, files) = (library.layout, library.files)
    let moves = layout.trashMoves(of: map)
    let isInTrash = moves.contains { files.exists($0.trash) }
    guard map.deleted == nil else {
      let isUnmoved = moves.contains {
        files.exists($0.place) && !layout.isStray($0.place, of: map, in: files)
      }
      let isWhole = isInTrash && !isUnmoved
      return isWhole ? nil : .halfDeleted(map: map)
    }
    let place = layout.place(of: map)
    guard !files.exists(place) else { return nil }
    if let reason = linkLeadingNowhere(on: place) { return .unreadable(map: map, reason: reason) }
    return isInTrash ? .halfDeleted(map: map) : .filesMissing(map: map)
  }

  /// That a link on the way to the files of a map leads nowhere now, as to a disk that is not there: nothing is
  /// known of the files then; `nil` if none does.
  private func linkLeadingNowhere(on place: URL) -> String? {
    var url = place
    while url.plainPath != library.layout.home.plainPath, url.pathComponents.count > 1 {
      if Self.leadsNowhere(url) {
        return "\(url.lastPathComponent) is a link that leads nowhere now."
      }
      url = url.deletingLastPathComponent()
    }
    return nil
  }

  private static func leadsNowhere(_ url: URL) -> Bool {
    do throws(FileError) {
      guard try FileStatus(at: url)?.kind == .link else { return false }
      return try FileStatus(at: url, links: .followed) == nil
    } catch {
      // What cannot be looked at is reported where it is read.
      return false
    }
  }

  /// What is wrong with the parts of a version that is in its place; `nil` if nothing is.
  @concurrent func damage(of map: StoredMap) async throws(LibraryError) -> MapDamage? {
    let place = library.layout.place(of: map)
    let version = try await library.storage.versions(of: map.id).first { $0.number == map.version }
    let faults = try await faults(of: place, version)
    guard !faults.isEmpty else { return nil }
    return MapDamage(
      faults: faults, mayHoldEdits: try await mayHoldEdits(map, version, at: place))
  }

  /// What was reported when the map was imported, and is no later damage.
  private func incompleteness(of map: StoredMap, at place: URL) async -> LibraryFinding? {
    guard map.isImported else { return nil }
    let lacking = await lack(place)
    return lacking.isEmpty
      ? nil : .incomplete(map: map, reason: lacking.joined(separator: " "))
  }

  private func mayHoldEdits(
    _ map: StoredMap, _ version: MapVersion?, at place: URL
  ) async throws(LibraryError) -> Bool {
    guard map.form == .folder else { return false }
    // Changes of other programs to a database cannot be counted.
    for file in version?.files ?? [] where try isWritten(file, in: place) { return true }
    guard version?.mayHoldEdits ?? true else { return false }
    do throws(LibraryError) { return try await library.countEdits(of: map, at: place) > 0 } catch {
      guard case .editsUnknown = error else { throw error }
      return true
    }
  }

  /// Whether a database without edits from here was written to, and not only given another
  /// date; one that cannot be looked at may have been.
  ///
  /// - Throws: ``LibraryError/cancelled``, ``LibraryError/beingWritten(file:by:)``.
  func isWritten(_ file: StoredFile, in place: URL) throws(LibraryError) -> Bool {
    guard file.isEditableDatabase else { return false }
    let url = file.url(in: place)
    do {
      guard let status = try FileStatus(at: url) else { return false }
      // Edits may be in its journal alone.
      if try GeodatabaseState(of: url).hasJournal { return true }
      return try isRewritten(file, status, at: url)
    } catch let error as LibraryError {
      switch error {
      case .cancelled, .beingWritten: throw error
      default: return true
      }
    } catch {
      return true
    }
  }

  // MARK: - Parts

  /// What is wrong with the parts of a version, a sentence each.
  private func faults(of place: URL, _ version: MapVersion?) async throws(LibraryError) -> [String]
  {
    try requireReadable(place)
    var faults: [String] = []
    for file in version?.files ?? [] {
      guard !Task.isCancelled else { throw .cancelled }
      if let fault = try fault(of: file, in: place, isEdited: version?.isEdited ?? true) {
        faults.append("\(file.path.isEmpty ? place.lastPathComponent : file.path) \(fault).")
      }
    }
    guard faults.isEmpty, let check else { return faults }
    do {
      _ = try await check(place)
      for part in MapParts(of: place).urls {
        _ = try await check(part)
      }
      return []
    } catch {
      if let error = error as? LibraryError, error.whyUnreadable != nil { throw error }
      guard !(error is CancellationError) else { throw .cancelled }
      return [(error as? any LocalizedError)?.errorDescription ?? error.localizedDescription]
    }
  }

  /// Finds out whether a map can be read at all: what cannot be read now is not damaged.
  private func requireReadable(_ place: URL) throws(LibraryError) {
    if let reason = linkLeadingNowhere(on: place) {
      throw .unreadable(file: place.plainPath, reason: reason.withoutFullStop)
    }
    do {
      try FileTree.walk(place, in: library.files) { url, status throws(FileError) in
        guard status.kind == .file || status.kind == .folder else { return }
        let path = url.path(percentEncoded: false)
        guard status.permissions & 0o444 != 0 else {
          throw .unreadable(file: path, reason: "no permission to read \(url.lastPathComponent)")
        }
        // Of a database that this program has open, and of the index of its log, the locks would go with a
        // descriptor that is closed.
        if status.kind == .file, !StoredFile.isOfEditableDatabase(url.lastPathComponent) {
          _ = try RegularFile(at: url, in: library.files)
        }
      }
    } catch {
      throw LibraryError(reading: error)
    }
  }

  /// What is wrong with a file, the end of a sentence; `nil` if nothing is.
  private func fault(
    of file: StoredFile, in place: URL, isEdited: Bool
  ) throws(LibraryError) -> String? {
    let url = file.url(in: place)
    let status: FileStatus?
    do { status = try FileStatus(at: url) } catch { throw LibraryError(reading: error) }
    guard let status else { return "is missing" }
    guard status.kind == .file else { return "is not a file any more" }
    if file.isEditableDatabase {
      if isEdited { return try databaseFault(at: url, isThorough: depth == .deep) }
      if try isRewritten(file, status, at: url) {
        // Another program may have edited it, which leaves a sound database.
        if try databaseFault(at: url, isThorough: true) == nil { return nil }
      } else if status.modified != file.modified, file.digest != nil {
        // Only given another date, as in a copy: it was read to its end just now.
        return nil
      }
    }
    guard status.byteCount == file.byteCount else {
      return "has \(status.byteCount) of \(file.byteCount) bytes"
    }
    guard let digest = file.digest else {
      return file.isEditableDatabase
        ? try databaseFault(at: url, isThorough: depth == .deep) : nil
    }
    // A date that is as it was when the file was installed is trusted, unless all is to be read.
    guard depth == .deep || status.modified != file.modified else { return nil }
    return try FileDigest.digest(of: url, progress) == digest
      ? nil : "is not what was installed"
  }

  /// Whether the content of a file has changed since it was installed.
  private func isRewritten(
    _ file: StoredFile, _ status: FileStatus, at url: URL
  ) throws(LibraryError) -> Bool {
    guard status.modified != file.modified else { return false }
    guard status.byteCount == file.byteCount, let digest = file.digest else {
      return status.byteCount != file.byteCount
    }
    return try FileDigest.digest(of: url, progress) != digest
  }

  /// What SQLite says about a geodatabase that people edit; thoroughly, of every page of it.
  private func databaseFault(at url: URL, isThorough: Bool) throws(LibraryError) -> String? {
    do throws(DatabaseError) {
      let connection = try Connection(at: url, access: .readOnly)
      // Reading the schema finds a file that was cut.
      let query = try connection.query("SELECT count(*) FROM sqlite_schema")
      guard try query.step() else { return "is damaged: it has no schema" }
      // One that was cut to nothing is a database to SQLite.
      guard query.integer(at: 0) > 0 else { return "is empty" }
      guard isThorough else { return nil }
      let size = try connection.query("PRAGMA page_size")
      guard try size.step(), (FileStatus(url)?.byteCount ?? 0) % Int(size.integer(at: 0)) == 0
      else { return "does not end where a page does" }
      let fault = try connection.quickCheck(limit: 1).first.map { "is damaged: \($0)" }
      progress(FileStatus(url)?.byteCount ?? 0)
      return fault
    } catch {
      switch error.code {
      case .corrupt, .notADatabase: return "is damaged: \(error.message)"
      default: throw LibraryError(reading: error, of: url)
      }
    }
  }
}

extension LibraryError {
  /// Why a map cannot be read now, a sentence; `nil` for what is no such reason.
  var whyUnreadable: String? {
    switch self {
    case .unreadable(_, let reason): "\(reason)."
    case .beingWritten: errorDescription
    default: nil
    }
  }
}
