internal import CSQLite

extension Connection {
  /// Lets statements read views from now on.
  ///
  /// A file that may come from a stranger is opened without that right, since a view can make
  /// any query slow.
  public func allowViews() throws(DatabaseError) {
    try handle.configure(SQLITE_DBCONFIG_ENABLE_VIEW, true)
  }
}
