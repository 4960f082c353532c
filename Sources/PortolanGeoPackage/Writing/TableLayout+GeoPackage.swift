internal import PortolanFeatureTables
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanSQLite

/// Tables as GeoPackages declare them.
///
/// - SeeAlso: Docs/FORMATS.md, 4.1
extension TableLayout {
  /// Makes the table, still without its spatial index.
  var geoPackageStatement: String {
    let columns = columns.map { $0.geoPackageDeclaration(in: self) }.joined(separator: ", ")
    return "CREATE TABLE \(SQLIdentifier.quoted(name)) (\(columns))"
  }

  /// Makes the indexes by which related rows are found.
  var geoPackageIndexStatements: [String] {
    var names: [String] = []
    for key in keyFields where !schema.isObjectID(key) {
      guard let field = schema.field(named: key), !names.contains(field.name) else { continue }
      names.append(field.name)
    }
    return names.map { column in
      """
      CREATE INDEX \(SQLIdentifier.quoted("idx_\(name)_\(column)")) \
      ON \(SQLIdentifier.quoted(name)) (\(SQLIdentifier.quoted(column)))
      """
    }
  }

  /// The name of the spatial index in a GeoPackage.
  var geoPackageIndexName: String? { shapes.map { "rtree_\(name)_\($0.column)" } }

  /// Makes the triggers that keep the spatial index right, as up to version 1.3 of the standard.
  ///
  /// They call functions that editing programs have to provide.
  ///
  /// - SeeAlso: [gpkg_rtree_index](https://www.geopackage.org/spec131/#extension_rtree)
  var geoPackageTriggerStatements: [String] {
    guard let shapes, let index = geoPackageIndexName else { return [] }
    let tree = SQLIdentifier.quoted(index)
    let id = SQLIdentifier.quoted(schema.objectIDField)
    let shape = SQLIdentifier.quoted(shapes.column)
    let isThere = "(NEW.\(shape) NOTNULL AND NOT ST_IsEmpty(NEW.\(shape)))"
    let isNotThere = "(NEW.\(shape) ISNULL OR ST_IsEmpty(NEW.\(shape)))"
    let put = """
      INSERT OR REPLACE INTO \(tree) VALUES (NEW.\(id), ST_MinX(NEW.\(shape)), \
      ST_MaxX(NEW.\(shape)), ST_MinY(NEW.\(shape)), ST_MaxY(NEW.\(shape)));
      """
    let remove = "DELETE FROM \(tree) WHERE id = OLD.\(id);"
    let removeBoth = "DELETE FROM \(tree) WHERE id IN (OLD.\(id), NEW.\(id));"
    let triggers: [(suffix: String, event: String, condition: String, body: String)] = [
      ("insert", "INSERT", isThere, put),
      ("update1", "UPDATE OF \(shape)", "OLD.\(id) = NEW.\(id) AND \(isThere)", put),
      ("update2", "UPDATE OF \(shape)", "OLD.\(id) = NEW.\(id) AND \(isNotThere)", remove),
      ("update3", "UPDATE", "OLD.\(id) != NEW.\(id) AND \(isThere)", remove + " " + put),
      ("update4", "UPDATE", "OLD.\(id) != NEW.\(id) AND \(isNotThere)", removeBoth),
      ("delete", "DELETE", "OLD.\(shape) NOT NULL", remove),
    ]
    return triggers.map { trigger in
      """
      CREATE TRIGGER \(SQLIdentifier.quoted("\(index)_\(trigger.suffix)")) \
      AFTER \(trigger.event) ON \(SQLIdentifier.quoted(name)) WHEN \(trigger.condition) \
      BEGIN \(trigger.body) END
      """
    }
  }
}

extension ColumnLayout {
  fileprivate func geoPackageDeclaration(in table: TableLayout) -> String {
    let name = SQLIdentifier.quoted(name)
    if role == .rowID { return "\(name) INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL" }
    let field = table.schema.field(named: self.name)
    let type = geoPackageType(of: field, table.shapes?.type)
    let initial = field?.defaultValue?.geoPackageLiteral(as: self.type).map { " DEFAULT \($0)" }
    return "\(name) \(type)\(isNullable ? "" : " NOT NULL")\(initial ?? "")"
  }

  private func geoPackageType(of field: Field?, _ shapeType: GeometryType?) -> String {
    switch type {
    case .int16: "SMALLINT"
    case .int32: "MEDIUMINT"
    case .int64: "INTEGER"
    case .float32: "FLOAT"
    case .float64: "DOUBLE"
    case .realDate: "DATETIME"
    case .text where field?.type == .dateOnly: "DATE"
    case .text(let length): "TEXT(\(length))"
    case .guid: "TEXT(38)"
    case .longText, .xml: "TEXT"
    case .blob(let length): length.map { "BLOB(\($0))" } ?? "BLOB"
    case .geometry: shapeType?.geoPackageName ?? "GEOMETRY"
    }
  }
}

extension AttributeValue {
  /// The value in SQL, where it is one that the column can hold.
  fileprivate func geoPackageLiteral(as type: ColumnType) -> String? {
    if case .date(let date) = self { return DateTimeText.text(of: date).map { "'\($0)'" } }
    switch type.stored(self) {
    case .integer(let number): return String(number)
    case .real(let number): return number.isFinite ? String(number) : nil
    case .text(let text) where !text.utf8.contains(0):
      return "'\(text.replacing("'", with: "''"))'"
    default: return nil
    }
  }
}

extension GeometryType {
  /// The name in `gpkg_geometry_columns`; lines and areas are written as their multi-part kinds.
  var geoPackageName: String {
    switch self {
    case .point: "POINT"
    case .multipoint: "MULTIPOINT"
    case .polyline: "MULTILINESTRING"
    case .polygon, .envelope: "MULTIPOLYGON"
    }
  }
}
