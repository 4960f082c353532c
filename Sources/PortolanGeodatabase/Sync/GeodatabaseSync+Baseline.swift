internal import PortolanFeatures
internal import PortolanSQLite

extension GeodatabaseSync {
  /// A feature as it was when the file was synchronized last, which is what the service has of it as
  /// far as is known; `nil` if it was added since, or the table keeps no history.
  func synchronizedFeature(
    _ objectID: Int64, in name: String
  ) throws(FeatureEditError) -> Feature? {
    guard try file.hasTable(name) else { return nil }
    let moment = try SyncRows(file).since + LocalHistory.tolerance
    return try file.reading { reader throws(FeatureStoreError) -> Feature? in
      let storage = try reader.storage(of: name)
      guard storage.isTracked else { return nil }
      var conditions = RowConditions()
      conditions.add(storage.objectIDColumn, equals: .integer(objectID))
      conditions.add("t.gdb_from_date <= ?", .real(moment))
      conditions.add("t.gdb_to_date > ?", .real(moment))
      let cursor = try reader.cursor(in: storage, matching: QueryParameters(), conditions)
      do throws(FeatureStoreError) { return try cursor.next() } catch {
        guard case .unreadableRow = error else { throw error }
        return nil
      }
    }
  }
}
