public import PortolanFeatures

extension FileFeatureStore {
  /// The differences from the last synchronized state.
  ///
  /// Needs no right to write. In tables that keep their history every change is found, whichever
  /// program made it; in others, as in all of a GeoPackage, the edits made with Portolan.
  public func localChanges() async throws(FeatureEditError) -> LocalChanges {
    let outcome: Result<LocalChanges, FeatureEditError>
    do {
      outcome = try await read { reader throws(FeatureStoreError) in
        let names = try reader.schemas().map(\.name)
        return Result { () throws(FeatureEditError) in
          let file = try EditedFile(reading: reader.source)
          return try LocalHistory(file).changes(orderOfTables: names)
        }
      }
    } catch {
      throw FeatureEditError(error)
    }
    return try outcome.get()
  }
}
