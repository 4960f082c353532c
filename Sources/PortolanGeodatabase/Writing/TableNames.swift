package import PortolanFeatures

/// Finds names that a database file can have for tables and fields.
///
/// SQLite compares names without case, and each format keeps some for itself.
package struct TableNames: Sendable {
  /// The reserved names of a format.
  package struct Rules: Sendable {
    /// How the names of its own tables begin.
    var reservedPrefixes: [String]
    /// The column of the shapes.
    package var shapeField: String
    /// The names that fields may not have beside that.
    var reservedFields: Set<String>
    /// The longest name of a table, in characters.
    var longestTable = DefinitionCheck.longestTableName
    /// The longest name of a field, in characters; that of file geodatabases, which what is converted often
    /// goes on to.
    var longestField = 64
    /// Whether a point in the name of a table parts it from that of its database.
    var qualifiesTables = false

    /// Mobile geodatabases.
    package static let geodatabase = Rules(
      reservedPrefixes: ["sqlite_", "gdb_", "st_"], shapeField: "Shape",
      reservedFields: ["gdb_archive_oid", "gdb_from_date", "gdb_to_date"], qualifiesTables: true)

    /// GeoPackages.
    package static let geoPackage = Rules(
      reservedPrefixes: ["sqlite_", "gpkg_", "rtree_"], shapeField: "geom",
      reservedFields: ["gdb_archive_oid", "gdb_from_date", "gdb_to_date"])
  }

  private let rules: Rules
  private var tables: Set<String> = []

  /// Begins a file without tables.
  package init(_ rules: Rules) { self.rules = rules }

  /// The tables with names that the format can have, in the same order.
  package mutating func adapt(_ schemas: [FeatureTableSchema]) -> [FeatureTableSchema] {
    var fields: [String: [String: String]] = [:]
    var names: [String: String] = [:]
    for schema in schemas {
      names[schema.name] = name(ofTable: schema.name, hasAttachments: schema.hasAttachments)
      fields[schema.name] = self.fields(of: schema)
    }
    return schemas.map { schema in
      schema.renamed(names[schema.name] ?? schema.name, tables: names, fields: fields)
    }
  }

  /// The name of one more table, by that which it has elsewhere.
  ///
  /// Neither it nor the table of its attachments gets the name of another one.
  package mutating func name(ofTable name: String, hasAttachments: Bool) -> String {
    var plain = Self.printable(name)
    if rules.qualifiesTables { plain = plain.replacing(".", with: "_") }
    if plain.isEmpty { plain = "table" }
    let isReserved = rules.reservedPrefixes.contains { plain.lowercased().hasPrefix($0) }
    if isReserved { plain = "t_" + plain }
    guard hasAttachments else {
      return Self.unused(plain, among: &tables, longest: rules.longestTable)
    }
    let suffix = PlannedTable.attachmentsSuffix
    var free: String
    repeat {
      free = Self.unused(plain, among: &tables, longest: rules.longestTable - suffix.count)
    } while !tables.insert((free + suffix).lowercased()).inserted
    return free
  }

  /// The new names of those fields that need one.
  fileprivate func fields(of schema: FeatureTableSchema) -> [String: String] {
    var taken = rules.reservedFields
    if schema.geometryType != nil { taken.insert(rules.shapeField.lowercased()) }
    var names: [String: String] = [:]
    for field in schema.fields {
      let plain = Self.printable(field.name)
      let name = Self.unused(
        plain.isEmpty ? "field" : plain, among: &taken, longest: rules.longestField)
      if name != field.name { names[field.name] = name }
    }
    return names
  }

  private static func printable(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
  }

  /// A name that none of `taken` is, where letters have no case; it is taken then.
  ///
  /// What is longer than `longest` characters is cut, and further for a number that tells equal names apart.
  package static func unused(
    _ name: String, among taken: inout Set<String>, longest: Int = .max
  ) -> String {
    func fitted(endingIn end: String) -> String {
      let room = longest - end.unicodeScalars.count
      return String(String.UnicodeScalarView(name.unicodeScalars.prefix(room))) + end
    }
    var candidate = fitted(endingIn: "")
    var number = 2
    while !taken.insert(candidate.lowercased()).inserted {
      candidate = fitted(endingIn: "_\(number)")
      number += 1
    }
    return candidate
  }
}

extension FeatureTableSchema {
  /// The table with its fields called as they are once it was converted into a mobile geodatabase.
  package var namingFieldsAsGeodatabase: FeatureTableSchema {
    var names = TableNames(.geodatabase)
    var schema = names.adapt([self]).first ?? self
    schema.name = name
    return schema
  }

  /// The fields that no mobile geodatabase can have under their names, in their order.
  ///
  /// One that is called as the column of the shapes is none of them: that column gives way.
  package var unstorableFieldNames: [String] {
    var rows = self
    rows.geometryType = nil
    var rules = TableNames.Rules.geodatabase
    rules.longestField = DefinitionCheck.longestFieldName
    let renamed = TableNames(rules).fields(of: rows)
    return fields.map(\.name).filter { renamed[$0] != nil }
  }

  /// The column for the shapes that has the name of no field.
  package var shapeFieldInGeodatabase: String {
    let rules = TableNames.Rules.geodatabase
    var taken = rules.reservedFields.union(fields.map { $0.name.lowercased() })
    return TableNames.unused(rules.shapeField, among: &taken, longest: rules.longestField)
  }

  /// The table with other names for itself, its fields and the tables it is related to.
  fileprivate func renamed(
    _ name: String, tables: [String: String], fields: [String: [String: String]]
  ) -> FeatureTableSchema {
    let own = fields[self.name] ?? [:]
    guard
      name != self.name || fields.values.contains(where: { !$0.isEmpty })
        || tables.contains(where: { $0.key != $0.value })
    else { return self }
    func renamed(_ field: String) -> String { own[field] ?? field }
    var schema = self
    schema.name = name
    schema.fields = self.fields.map { field in
      var field = field
      field.name = renamed(field.name)
      return field
    }
    schema.objectIDField = renamed(objectIDField)
    schema.globalIDField = globalIDField.map(renamed)
    schema.displayField = displayField.map(renamed)
    schema.typeIDField = typeIDField.map(renamed)
    schema.editorTracking = editorTracking.map { tracking in
      EditorTracking(
        creatorField: tracking.creatorField.map(renamed),
        creationDateField: tracking.creationDateField.map(renamed),
        editorField: tracking.editorField.map(renamed),
        editDateField: tracking.editDateField.map(renamed))
    }
    schema.relationships = relationships.map { relationship in
      var relationship = relationship
      let other = fields[relationship.relatedTable] ?? [:]
      relationship.keyField = renamed(relationship.keyField)
      relationship.relatedKeyField =
        other[relationship.relatedKeyField] ?? relationship.relatedKeyField
      relationship.relatedTable = tables[relationship.relatedTable] ?? relationship.relatedTable
      return relationship
    }
    return schema
  }
}
