internal import PortolanSQLite

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Keeps a file in write-ahead mode while it is edited, so that the editor waits for no reader and
/// no reader for the editor.
///
/// In the rollback modes a walk along a table holds a lock that blocks commits until its end; in
/// write-ahead mode it keeps seeing the state that it began with. The mode is kept in the header of
/// the file, and set back when editing ends. A file whose editor is killed, or that others have open
/// when editing ends, stays in write-ahead mode, in which every reader of SQLite files understands
/// it, until it is set back.
///
/// - SeeAlso: Docs/STORAGE.md, "Reading beside writers"
struct EditingJournal {
  /// The mode that the file had before; `nil` if it was not changed.
  private var modeBefore: String?

  /// How long a change to write-ahead mode waits for readers, who may be about to close the file.
  private static let patience: Duration = .seconds(2)
  /// How long the change back waits for them: hardly, for nothing is lost in write-ahead mode, and
  /// closing a map waits for it.
  private static let finalPatience: Duration = .milliseconds(100)

  /// Puts the file into write-ahead mode, unless it is in it or readers keep it from that.
  ///
  /// Where it does not succeed the edit is made in the mode that there is, and waits for readers.
  mutating func begin(_ connection: borrowing Connection) {
    guard modeBefore == nil else { return }
    // A mode that cannot be read or changed stays; the edit itself says what is wrong.
    guard let mode = try? Self.mode(connection), mode != "wal", mode != "memory" else { return }
    if Self.set("wal", connection, Self.patience) { modeBefore = mode }
  }

  /// Sets the file back to its own mode, unless others have it open.
  mutating func end(_ connection: borrowing Connection) {
    guard let mode = modeBefore else { return }
    modeBefore = nil
    _ = Self.set(mode, connection, Self.finalPatience)
  }

  private static func mode(_ connection: borrowing Connection) throws(DatabaseError) -> String {
    let query = try connection.query("PRAGMA journal_mode")
    return try query.step() ? query.text(at: 0) : ""
  }

  /// Changes the mode; `false` where others keep the file from it.
  private static func set(
    _ mode: String, _ connection: borrowing Connection, _ patience: Duration
  ) -> Bool {
    let end = ContinuousClock.now + patience
    while true {
      // Only busy files fail; what else is wrong, the edit says.
      let reached = try? connection.waiting(atMost: .zero) { connection throws(DatabaseError) in
        let query = try connection.query("PRAGMA journal_mode = \(mode)")
        return try query.step() ? query.text(at: 0) : ""
      }
      if reached == mode { return true }
      guard .now < end else { return false }
      usleep(5_000)
    }
  }
}
