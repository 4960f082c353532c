internal import CSQLite
internal import PortolanFiles

/// Owns SQLite's handle; closes it when the last user goes.
///
/// The connection and each of its statements hold it, so that a statement which outlives its
/// connection still finds the handle and the ``Interruption`` that SQLite calls back.
@safe
final class ConnectionHandle {
  let pointer: OpaquePointer

  /// Stops the running statement from any thread.
  let interruption = Interruption()

  // Removed when the last connection to it goes.
  private let privateCopy: PrivateCopy?
  private let waiting: LockWaiting
  private let path: String?
  private let identity: [Int]?

  /// Opens what `location` names, without hardening or reading it.
  init(
    opening location: DatabaseLocation, in privateCopy: PrivateCopy? = nil
  ) throws(DatabaseError) {
    if location.access != .immutable, let file = location.file {
      try SuperJournal.refuse(besides: file)
    }
    MemoryStatistics.stop()
    self.privateCopy = privateCopy
    path = location.file
    identity = location.file.flatMap { FileSurroundings($0).identity }
    waiting = LockWaiting(interruption, limit: location.patience)
    var pointer: OpaquePointer?
    let flags = location.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(location.name, &pointer, flags, location.fileSystem)
    guard code == SQLITE_OK, let pointer = unsafe pointer else {
      // A failed open still allocates a handle.
      let error = unsafe DatabaseError(code, on: pointer, file: location.file)
      unsafe sqlite3_close_v2(pointer)
      throw error
    }
    unsafe self.pointer = pointer
    unsafe sqlite3_busy_handler(
      pointer,
      { context, count in
        guard let context = unsafe context else { return 0 }
        let waiting = unsafe Unmanaged<LockWaiting>.fromOpaque(context).takeUnretainedValue()
        return waiting.waits(again: Int(count)) ? 1 : 0
      }, Unmanaged.passUnretained(waiting).toOpaque())
    unsafe sqlite3_progress_handler(
      pointer, Int32(Interruption.steps),
      { context in
        guard let context = unsafe context else { return 0 }
        let interruption = unsafe Unmanaged<Interruption>.fromOpaque(context)
        return unsafe interruption.takeUnretainedValue().stopsNow() ? 1 : 0
      }, Unmanaged.passUnretained(interruption).toOpaque())
  }

  /// How long to wait for locks that others hold.
  var patience: Duration {
    get { waiting.limit }
    set { waiting.limit = newValue }
  }

  /// Whether the path still leads to the file that was opened, or the file to what was copied.
  var isCurrent: Bool {
    if let privateCopy { return privateCopy.isCurrent }
    guard let path, let identity else { return true }
    return FileSurroundings(path).identity == identity
  }

  /// The path of the file that a private copy was made of.
  var originalFile: String? { privateCopy?.originalPath }

  var lastInsertedRowID: Int64 { unsafe sqlite3_last_insert_rowid(pointer) }

  var changeCount: Int { unsafe Int(sqlite3_changes64(pointer)) }

  deinit { unsafe sqlite3_close_v2(pointer) }

  /// The error of a failed call: waiting for a lock that was cancelled is no busy file, and a file
  /// that is busy has another user.
  func failure(_ code: Int32, sql: String? = nil) -> DatabaseError {
    var error = unsafe DatabaseError(code, on: pointer, sql: sql, file: originalFile)
    guard error.code == .busy else { return error }
    guard !interruption.isRequested else {
      return DatabaseError(
        extendedCode: SQLITE_INTERRUPT, message: "interrupted", sql: sql, file: error.file)
    }
    error.holder = error.file.flatMap { FileLockHolder.find(forDatabase: $0) }
    return error
  }
}
