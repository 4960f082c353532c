internal import PortolanFeatures
internal import PortolanSQLite

extension SyncRows {
  /// Brings back the pairs that went with a feature since the last synchronization, but for those with
  /// features that are not there.
  func restorePairs(
    of objectID: Int64, in table: EditedTable, _ relation: RelationshipInfo,
    _ join: RelationshipInfo.JoinTable
  ) throws(FeatureEditError) {
    guard try file.hasTable(join.name), try file.hasTable(relation.relatedTable) else { return }
    let pairs = try file.writtenTable(join.name)
    let related = try file.table(relation.relatedTable)
    guard pairs.storage.isTracked,
      let mine = pairs.storage.column(named: join.keyField)?.name,
      let theirs = pairs.storage.column(named: join.relatedKeyField)?.name,
      let relatedKey = related.storage.column(named: relation.relatedKeyField)?.name,
      let key = try SyncKeys(file: file, since: since)
        .currentValue(objectID, table, relation.keyField), key != .null
    else { return }
    let (start, other) = (since + LocalHistory.tolerance, SQLIdentifier.quoted(relatedKey))
    try file.run(
      """
      UPDATE OR ABORT \(pairs.storage.quotedName) SET gdb_to_date = ?
      WHERE \(SQLIdentifier.quoted(mine)) IN (\(key.spellings.parameters))
        AND gdb_from_date <= ? AND gdb_to_date > ? AND gdb_to_date < ?
        AND upper(\(SQLIdentifier.quoted(theirs))) IN (
          SELECT upper(t.\(other)) FROM \(related.storage.quotedName) AS t
          WHERE t.\(other) IS NOT NULL\(related.andIsCurrent))
      """,
      [.real(JulianDay.endOfTime)] + key.spellings
        + [.real(start), .real(start), .real(JulianDay.endOfTime - 1)],
      in: "the rows of \(pairs.name)")
  }
}
