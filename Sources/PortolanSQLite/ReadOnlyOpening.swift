internal import CSQLite
internal import PortolanFiles

/// Opens a file that is only read, so that what was committed last is seen.
///
/// - A file that may be written is opened with that right, though no statement uses it: SQLite needs
///   it to roll back the journal of a writer that died, and to index a write-ahead log.
/// - Elsewhere SQLite takes its locks and needs no right, unless there is such a journal or log.
/// - Then a private copy is recovered and read. Only where nothing is to be recovered, and the
///   medium cannot be written, is the file itself read without locks.
///
/// - SeeAlso: Docs/STORAGE.md, "Reading beside writers"
struct ReadOnlyOpening {
  let path: String
  let mappedSize: Int
  let patience: Duration

  /// How often a copy is begun again because the file was written meanwhile.
  private static let mostCopies = 3

  func handle() throws(DatabaseError) -> ConnectionHandle {
    for _ in 0..<Self.mostCopies {
      if let handle = try attempt() { return handle }
    }
    throw DatabaseError(
      extendedCode: SQLITE_BUSY, message: "it is being written all the time", sql: nil, file: path,
      holder: FileLockHolder.find(forDatabase: path))
  }

  /// Opens the file; `nil` if it was changed while it was copied.
  private func attempt() throws(DatabaseError) -> ConnectionHandle? {
    let surroundings = FileSurroundings(path)
    let mayBeWritten = surroundings.mayBeWritten
    let handle = try ConnectionHandle(opening: location(mayBeWritten ? .writing : .reading))
    do throws(DatabaseError) {
      // SQLite would make an index for the log, in a folder that is not to be written to.
      if !mayBeWritten, !surroundings.hasLogIndex, handle.hasWriteAheadLog {
        throw DatabaseError(
          extendedCode: SQLITE_CANTOPEN, message: "there is no index of its log", sql: nil,
          file: path)
      }
      try handle.prepare(for: .readOnly, mappedSize: mappedSize)
      return handle
    } catch  where Self.isForWantOfRights(error) {
      return try handleWithoutLocks(on: surroundings, through: handle)
    }
  }

  /// Reads the file in place where it cannot change, else a copy.
  private func handleWithoutLocks(
    on surroundings: FileSurroundings, through handle: ConnectionHandle
  ) throws(DatabaseError) -> ConnectionHandle? {
    let isComplete = surroundings.journals.isEmpty
    if isComplete, surroundings.isOnReadOnlyMedium { return try immutable(path) }
    do {
      guard let copy = try PrivateCopy(of: surroundings, through: handle) else { return nil }
      return try immutable(copy.path, in: copy)
    } catch  where error.code == .full && isComplete {
      // A log could not be written either while the disk is full, so that the file does not change.
      return try immutable(path)
    } catch {
      // The copy is private.
      throw error.naming(path)
    }
  }

  private func immutable(
    _ path: String, in copy: PrivateCopy? = nil
  ) throws(DatabaseError) -> ConnectionHandle {
    let location = DatabaseLocation(path: path, access: .readOnly, .immutable)
    let handle = try ConnectionHandle(opening: location, in: copy)
    try handle.prepare(for: .readOnly, mappedSize: mappedSize)
    return handle
  }

  private func location(_ mode: DatabaseLocation.Mode) -> DatabaseLocation {
    var location = DatabaseLocation(path: path, access: .readOnly, mode)
    location.patience = patience
    return location
  }

  /// Whether SQLite could not do what has to be done before the file can be read.
  private static func isForWantOfRights(_ error: DatabaseError) -> Bool {
    switch error.code {
    case .cannotOpen, .readOnly, .full, .inputOutput: true
    default: false
    }
  }
}

extension ConnectionHandle {
  /// Whether the header of the file says that it is written through a log; `false` if it has none.
  fileprivate var hasWriteAheadLog: Bool {
    var versions: [UInt8] = [0, 0]
    let code = unsafe versions.withUnsafeMutableBytes { bytes in
      unsafe csqlite_read_main(pointer, bytes.baseAddress, 2, 18)
    }
    return code == SQLITE_OK && versions.contains(2)
  }
}
