internal import Foundation
internal import PortolanFeatureTables
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanSQLite

/// Keeps the metadata of a GeoPackage up to date after rows were written.
///
/// - SeeAlso: [gpkg_contents](https://www.geopackage.org/spec131/#_contents)
struct GeoPackageUpkeep {
  let file: EditedFile

  /// Brings the catalogue in step with the rows that a transaction has written.
  func finish(_ written: WrittenRows, at now: Date) throws(FeatureEditError) {
    let moment = DateTimeText.text(of: now) ?? "1970-01-01T00:00:00.000Z"
    let hasContents = try file.hasTable("gpkg_contents")
    for table in written.tables {
      if hasContents {
        try file.run(
          "UPDATE gpkg_contents SET last_change = ?1 WHERE table_name = ?2 COLLATE NOCASE",
          [.text(moment), .text(table.name)], in: "the contents")
      }
      try count(table, written.growth(of: table))
      try pair(table, written.rowIDs(of: table))
    }
  }

  // MARK: - Counts

  /// Changes the number of rows that GDAL keeps, as its triggers would.
  private func count(_ table: EditedTable, _ growth: Int) throws(FeatureEditError) {
    guard growth != 0, try file.hasTable("gpkg_ogr_contents") else { return }
    try file.run(
      """
      UPDATE gpkg_ogr_contents SET feature_count = max(0, feature_count + ?1)
      WHERE table_name = ?2 COLLATE NOCASE AND feature_count NOTNULL
      """, [.integer(Int64(growth)), .text(table.name)], in: "the counts of GDAL")
  }

  // MARK: - Pairs

  /// Finds the related rows again, where a relationship by keys also has a table of pairs.
  private func pair(_ table: EditedTable, _ rowIDs: [Int64]) throws(FeatureEditError) {
    for relation in table.schema.relationships where relation.joinTable == nil {
      // What the description still names, another program may have removed.
      guard try file.hasTable(relation.relatedTable) else { continue }
      let isOrigin = relation.role == .origin
      let (own, other) = isOrigin ? ("base_id", "related_id") : ("related_id", "base_id")
      let related = try file.writtenTable(relation.relatedTable)
      guard let name = try mappingTable(of: relation, table, related),
        let key = table.storage.column(named: relation.keyField)?.name,
        let relatedKey = related.storage.column(named: relation.relatedKeyField)?.name
      else { continue }
      let pairs = SQLIdentifier.quoted(name)
      let ids = SQLValue.text("[" + rowIDs.map(String.init).joined(separator: ",") + "]")
      let chosen = "IN (SELECT value FROM json_each(?1))"
      try file.run("DELETE FROM \(pairs) WHERE \(own) \(chosen)", [ids], in: name)
      try file.run(
        """
        INSERT INTO \(pairs) (\(own), \(other))
        SELECT t.\(SQLIdentifier.quoted(table.storage.objectIDColumn)),
          o.\(SQLIdentifier.quoted(related.storage.objectIDColumn))
        FROM \(table.storage.quotedName) AS t JOIN \(related.storage.quotedName) AS o
          ON o.\(SQLIdentifier.quoted(relatedKey)) = t.\(SQLIdentifier.quoted(key))
        WHERE t.\(table.rowNumber) \(chosen)
        """, [ids], in: name)
    }
  }

  /// The table of pairs, which has the name that the relationship has at one of its ends.
  ///
  /// Relationships of other tables may have the same name, so that the list of relations counts.
  private func mappingTable(
    of relation: RelationshipInfo, _ table: EditedTable, _ related: EditedTable
  ) throws(FeatureEditError) -> String? {
    guard try file.hasTable("gpkgext_relations") else { return nil }
    let (base, other) = relation.role == .origin ? (table, related) : (related, table)
    let listed = try file.rows(
      """
      SELECT mapping_table_name FROM gpkgext_relations
      WHERE base_table_name = ?1 COLLATE NOCASE AND related_table_name = ?2 COLLATE NOCASE
      """, [.text(base.name), .text(other.name)], in: "the list of relations")
    let otherEnds = related.schema.relationships.filter { end in
      end.role != relation.role && end.relatedTable.isSameName(as: table.name)
        && end.keyField.isSameName(as: relation.relatedKeyField)
        && end.relatedKeyField.isSameName(as: relation.keyField)
    }
    for end in [relation] + otherEnds {
      let name = MappingTable.name(end.name)
      if listed.contains([.text(name)]), try file.hasTable(name) { return name }
    }
    return nil
  }
}
