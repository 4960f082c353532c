internal import CSQLite

extension Connection {
  /// Runs `body` with the right to compile statements that read views.
  ///
  /// A file that may come from a stranger is opened without that right, since a view can make
  /// any query slow. A statement that was compiled here keeps working afterwards.
  public func withViews<T: ~Copyable>(
    _ body: (borrowing Connection) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    guard !state.isWritable else { return try body(self) }
    try handle.configure(SQLITE_DBCONFIG_ENABLE_VIEW, true)
    let value: T
    do { value = try body(self) } catch {
      try handle.configure(SQLITE_DBCONFIG_ENABLE_VIEW, false)
      throw error
    }
    try handle.configure(SQLITE_DBCONFIG_ENABLE_VIEW, false)
    return value
  }
}
