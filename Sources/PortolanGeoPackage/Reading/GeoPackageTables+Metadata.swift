internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanJSON
internal import PortolanSQLite

/// The descriptions of tables that ``GeoPackageWriter`` keeps in the metadata extension: layer
/// resources, as services write them.
///
/// They say what the standard has no place for: types of fields such as GUIDs, subtypes,
/// templates, relationships with their keys, drawing. Other programs show them as metadata.
///
/// - SeeAlso: Docs/FORMATS.md, 4.1; [gpkg_metadata](https://www.geopackage.org/spec131/#extension_metadata)
extension GeoPackageTables {
  /// What names the kind of metadata.
  static let layerResourceStandard =
    "https://developers.arcgis.com/rest/services-reference/enterprise/layer-table/"

  /// The descriptions, in the order of the file.
  static func layerResources(
    of table: String? = nil, _ connection: borrowing Connection
  ) throws(DatabaseError) -> [LayerResource] {
    let condition = table == nil ? "?2" : "r.table_name = ?2 COLLATE NOCASE"
    guard
      let query = try connection.optionalQuery(
        """
        SELECT r.table_name, m.metadata FROM gpkg_metadata_reference AS r
        JOIN gpkg_metadata AS m ON m.id = r.md_file_id
        WHERE m.md_standard_uri = ?1 AND r.reference_scope = 'table' AND \(condition)
        ORDER BY m.id, r.rowid
        """, .text(layerResourceStandard), table.map { .text($0) } ?? .integer(1))
    else { return [] }
    var resources: [LayerResource] = []
    while try query.step() {
      // A description that is no JSON is as good as missing: the columns say the rest.
      guard let json = try? JSONValue(parsing: query.text(at: 1)) else { continue }
      resources.append(LayerResource(tableName: query.text(at: 0), json: json))
    }
    return resources
  }
}
