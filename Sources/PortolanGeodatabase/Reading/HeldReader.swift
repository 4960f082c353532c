internal import PortolanFeatures
internal import PortolanSQLite

/// A reader that can be released, and its connection with it.
final class HeldReader {
  let reader: GeodatabaseReader

  /// The counter that SQLite increments when another connection changes the file; `nil` before it
  /// was read.
  private var dataVersion: Int64?

  init(_ reader: consuming GeodatabaseReader) { self.reader = reader }

  /// Lends the reader for one state of the file.
  func reading<T>(
    _ body: (borrowing GeodatabaseReader) throws(FeatureStoreError) -> T
  ) throws(FeatureStoreError) -> T {
    try beginReading()
    defer { endReading() }
    return try body(reader)
  }

  /// Begins a read transaction: until ``endReading()`` the file is as it was at this moment,
  /// whatever others commit.
  func beginReading() throws(FeatureStoreError) {
    do {
      try reader.connection.execute("BEGIN")
      try noticeChanges()
    } catch {
      endReading()
      throw reader.source.location.failure(error, in: "its header")
    }
  }

  /// Ends the read transaction, if there is one, and gives its lock back.
  func endReading() {
    // The task may have been cancelled, which must not stop this.
    _ = reader.connection.interruption.begin()
    // It fails where nothing was begun, or SQLite has ended it on its own.
    try? reader.connection.execute("ROLLBACK")
  }

  /// Forgets what was found out about tables if another connection has changed the file since.
  ///
  /// Reads the file, which is what makes a transaction keep its state.
  private func noticeChanges() throws(DatabaseError) {
    let query = try reader.connection.query("PRAGMA data_version")
    guard try query.step() else { return }
    let version = query.integer(at: 0)
    defer { dataVersion = version }
    guard let dataVersion, dataVersion != version else { return }
    reader.source.forget()
    reader.statements.hitTests = [:]
  }
}
