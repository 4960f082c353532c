extension Connection {
  /// The faults of the file, one sentence each; empty if it is sound.
  ///
  /// Reads every page. A file whose indexes use a collation that is not registered cannot be
  /// checked: the call then throws.
  ///
  /// - Parameter limit: How many findings are enough.
  /// - Returns: The findings, in SQLite's words.
  /// - Throws: ``DatabaseError`` if the file cannot be read to the end.
  public func integrityCheck(limit: Int = 100) throws(DatabaseError) -> [String] {
    try findings(of: "integrity_check", limit)
  }

  /// The faults in the structure of the file, one sentence each; empty if it is sound.
  ///
  /// Reads every page, but compares no index with its table, so that no collation is needed.
  ///
  /// - Parameter limit: How many findings are enough.
  /// - Returns: The findings, in SQLite's words.
  /// - Throws: ``DatabaseError`` if the file cannot be read to the end.
  public func quickCheck(limit: Int = 100) throws(DatabaseError) -> [String] {
    try findings(of: "quick_check", limit)
  }

  private func findings(of check: String, _ limit: Int) throws(DatabaseError) -> [String] {
    let query = try query("PRAGMA \(check)(\(max(1, limit)))")
    var findings: [String] = []
    while try query.step() { findings.append(query.text(at: 0)) }
    return findings == ["ok"] ? [] : findings
  }

  /// The four bytes that name the file format, 0 when unset; 0x45737269 ("Esri") in a mobile
  /// geodatabase.
  public func applicationID() throws(DatabaseError) -> Int32 {
    Int32(truncatingIfNeeded: try integerPragma("application_id"))
  }

  /// Writes the four bytes that name the file format.
  public func setApplicationID(_ value: Int32) throws(DatabaseError) {
    try execute("PRAGMA application_id = \(value)")
  }

  /// The version that the format's owner counts in the header, 0 when unset.
  public func userVersion() throws(DatabaseError) -> Int32 {
    Int32(truncatingIfNeeded: try integerPragma("user_version"))
  }

  /// Writes the version that the format's owner counts in the header.
  public func setUserVersion(_ value: Int32) throws(DatabaseError) {
    try execute("PRAGMA user_version = \(value)")
  }

  /// The `INTEGER PRIMARY KEY` of the row inserted last, 0 if there was none.
  public var lastInsertedRowID: Int64 { handle.lastInsertedRowID }

  /// How many rows the last `INSERT`, `UPDATE` or `DELETE` touched.
  public var changeCount: Int { handle.changeCount }

  func integerPragma(_ name: String) throws(DatabaseError) -> Int64 {
    let query = try query("PRAGMA \(name)")
    return try query.step() ? query.integer(at: 0) : 0
  }
}
