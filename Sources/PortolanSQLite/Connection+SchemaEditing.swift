internal import CSQLite

extension Connection {
  /// Runs `body` with the right to write to `sqlite_schema` and to the tables behind virtual
  /// tables, for writers of whole files: a spatial index packed in bulk, a virtual table whose
  /// module is not here.
  ///
  /// A mistake in `body` damages the file; use it on files that this process creates.
  public func withSchemaEditing<T>(_ body: (borrowing Connection) throws -> T) throws -> T {
    guard state.isWritable else {
      throw unsafe DatabaseError(SQLITE_READONLY, on: nil, file: handle.file)
    }
    try handle.configure(SQLITE_DBCONFIG_DEFENSIVE, false)
    try handle.configure(SQLITE_DBCONFIG_WRITABLE_SCHEMA, true)
    let result = Result { try body(self) }
    try handle.configure(SQLITE_DBCONFIG_WRITABLE_SCHEMA, false)
    try handle.configure(SQLITE_DBCONFIG_DEFENSIVE, true)
    return try result.get()
  }
}
