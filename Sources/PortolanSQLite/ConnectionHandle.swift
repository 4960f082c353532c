internal import CSQLite

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

  /// Opens what `location` names, without hardening or reading it.
  init(
    opening location: DatabaseLocation, in privateCopy: PrivateCopy? = nil
  ) throws(DatabaseError) {
    self.privateCopy = privateCopy
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
      pointer, 1_000,
      { context in
        guard let context = unsafe context else { return 0 }
        let interruption = unsafe Unmanaged<Interruption>.fromOpaque(context)
        return unsafe interruption.takeUnretainedValue().isRequested ? 1 : 0
      }, Unmanaged.passUnretained(interruption).toOpaque())
  }

  /// How long somebody else's locks are waited for.
  var patience: Duration {
    get { waiting.limit }
    set { waiting.limit = newValue }
  }

  var lastInsertedRowID: Int64 { unsafe sqlite3_last_insert_rowid(pointer) }

  var changeCount: Int { unsafe Int(sqlite3_changes64(pointer)) }

  deinit { unsafe sqlite3_close_v2(pointer) }

  /// What a failed call means: waiting for a lock that was cancelled is no busy file, and a file that
  /// is busy is so by somebody.
  func failure(_ code: Int32, sql: String? = nil) -> DatabaseError {
    var error = unsafe DatabaseError(code, on: pointer, sql: sql)
    guard error.code == .busy else { return error }
    guard !interruption.isRequested else {
      return DatabaseError(
        extendedCode: SQLITE_INTERRUPT, message: "interrupted", sql: sql, file: error.file)
    }
    error.holder = error.file.flatMap { LockHolder.holders(of: $0).first }
    return error
  }
}
