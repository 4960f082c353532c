internal import CSQLite

extension ConnectionHandle {
  /// Opens what `location` names, hardened, and reads its first page, so that a file which is no
  /// database is refused.
  static func hardened(
    _ location: DatabaseLocation, mappedSize: Int
  ) throws(DatabaseError) -> ConnectionHandle {
    if let path = location.file {
      let surroundings = FileSurroundings(path)
      try surroundings.check()
      if location.access == .readOnly || location.access == .edit { try surroundings.checkLog() }
    }
    if location.access == .readOnly, let path = location.file {
      return try ReadOnlyOpening(
        path: path, mappedSize: mappedSize, patience: location.patience
      ).handle()
    }
    let handle = try ConnectionHandle(opening: location)
    try handle.prepare(for: location.access, mappedSize: mappedSize)
    return handle
  }

  /// Hardens the connection and reads the first page of the file, under SQLite's locks.
  func prepare(for access: Database.Access, mappedSize: Int) throws(DatabaseError) {
    try harden(for: access)
    // A mapped page is checked each time it is used, which takes longer than the use.
    if mappedSize == 0 { try run("PRAGMA cell_size_check = ON") }
    try run("PRAGMA mmap_size = \(mappedSize)")
    try run("PRAGMA schema_version")
  }

  /// Takes from the connection what a hostile file could use.
  ///
  /// - SeeAlso: [Defense Against The Dark Arts](https://www.sqlite.org/security.html)
  private func harden(for access: Database.Access) throws(DatabaseError) {
    try configure(SQLITE_DBCONFIG_DEFENSIVE, true)
    try configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    try configure(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false)
    try configure(SQLITE_DBCONFIG_DQS_DDL, false)
    try configure(SQLITE_DBCONFIG_DQS_DML, false)
    try configure(SQLITE_DBCONFIG_ENABLE_TRIGGER, access.trustsSchema)
    try configure(SQLITE_DBCONFIG_ENABLE_VIEW, access.trustsSchema)
    for (limit, value) in Self.limits {
      unsafe _ = sqlite3_limit(pointer, limit, value)
    }
    // VACUUM attaches a file of its own.
    unsafe _ = sqlite3_limit(pointer, SQLITE_LIMIT_ATTACHED, access.isWritable ? 1 : 0)
  }

  /// Runs SQL of our own and ignores its rows.
  func run(_ sql: String) throws(DatabaseError) {
    let code = unsafe sqlite3_exec(pointer, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code, sql: sql) }
  }

  func configure(_ option: Int32, _ isOn: Bool) throws(DatabaseError) {
    let code = unsafe csqlite_db_config(pointer, option, isOn ? 1 : 0)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// A row or value of 256 MB holds any attachment that a service accepts; the rest is an
  /// order of magnitude above what real files and our own statements need.
  private static let limits: [(Int32, Int32)] = [
    (SQLITE_LIMIT_LENGTH, 256 << 20),
    (SQLITE_LIMIT_SQL_LENGTH, 1 << 20),
    (SQLITE_LIMIT_COLUMN, 2_000),
    (SQLITE_LIMIT_EXPR_DEPTH, 1_000),
    (SQLITE_LIMIT_COMPOUND_SELECT, 100),
    (SQLITE_LIMIT_VDBE_OP, 250_000),
    (SQLITE_LIMIT_FUNCTION_ARG, 32),
    (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50_000),
    (SQLITE_LIMIT_TRIGGER_DEPTH, 16),
    (SQLITE_LIMIT_WORKER_THREADS, 0),
  ]
}
