public import PortolanFeatures
internal import PortolanSQLite

extension GeodatabaseReader {
  /// The release whose format the file has, as its writer put it, for example
  /// `10.5.1 Geodatabase`; `nil` if the file does not say (Docs/FORMATS.md, 2.1).
  public borrowing func declaredVersion() throws(FeatureStoreError) -> String? {
    try translating("GDB_Version") { () throws(DatabaseError) in
      guard let query = try connection.optionalQuery("SELECT description FROM GDB_Version"),
        try query.step()
      else { return nil }
      let text = query.text(at: 0)
      return text.isEmpty ? nil : text
    }
  }
}
