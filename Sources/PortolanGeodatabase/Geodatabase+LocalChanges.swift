public import PortolanFeatures

extension Geodatabase {
  /// What differs from the state that was synchronized last, whoever changed it.
  ///
  /// Needs no right to write. Of tables without history nothing is known.
  public func localChanges() async throws(FeatureEditError) -> LocalChanges {
    let outcome: Result<LocalChanges, FeatureEditError>
    do {
      outcome = try await read { reader throws(FeatureStoreError) in
        let names = try reader.schemas().map(\.name)
        return Result { () throws(FeatureEditError) in
          let file = try EditedFile(reading: reader.source.location)
          return try LocalHistory(file).changes(ofSession: [], orderOfTables: names)
        }
      }
    } catch {
      throw FeatureEditError(error)
    }
    return try outcome.get()
  }
}
