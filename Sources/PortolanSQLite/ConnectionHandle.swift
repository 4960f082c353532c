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

  /// Opens what `location` names, without hardening or reading it.
  init(opening location: DatabaseLocation) throws(DatabaseError) {
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
    unsafe sqlite3_busy_timeout(pointer, 5_000)
    unsafe sqlite3_progress_handler(
      pointer, 1_000,
      { context in
        guard let context = unsafe context else { return 0 }
        let interruption = unsafe Unmanaged<Interruption>.fromOpaque(context)
        return unsafe interruption.takeUnretainedValue().isRequested ? 1 : 0
      }, Unmanaged.passUnretained(interruption).toOpaque())
  }

  var lastInsertedRowID: Int64 { unsafe sqlite3_last_insert_rowid(pointer) }

  var changeCount: Int { unsafe Int(sqlite3_changes64(pointer)) }

  deinit { unsafe sqlite3_close_v2(pointer) }
}
