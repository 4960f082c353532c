internal import PortolanFeatures
internal import PortolanGeometry

/// Refuses definitions that no table can be made from.
package struct DefinitionCheck {
  private let tables: [PlannedTable]
  private let reservedPrefixes: [String]

  /// The longest name of a table that the system tables have room for.
  package static let longestTableName = 118
  /// The longest name of a field: services give the geodatabases that they make names of as many characters.
  package static let longestFieldName = 128
  private static let mostFields = 1_990

  package init(
    _ tables: [PlannedTable], reservedPrefixes: [String] = ["sqlite_", "gdb_", "st_"]
  ) {
    self.tables = tables
    self.reservedPrefixes = reservedPrefixes
  }

  /// Throws for the first thing that is wrong.
  package func run() throws(GeodatabaseWriterError) {
    var names: Set<String> = []
    var layerIDs: Set<Int> = []
    for table in tables {
      let schema = table.schema
      try check(name: schema)
      guard names.insert(schema.name.lowercased()).inserted else {
        throw invalid(schema, "another table has that name")
      }
      if let id = schema.serviceLayerID {
        guard (0..<Int(Int32.max >> 1)).contains(id), layerIDs.insert(id).inserted else {
          throw invalid(schema, "the layer id \(id) is negative, too large or not its own")
        }
      }
      try check(fields: table)
      try check(shapes: table)
      try check(identifiers: schema)
    }
    for table in tables { try check(relationships: table.schema, names) }
  }

  private func invalid(
    _ schema: FeatureTableSchema, _ reason: String
  ) -> GeodatabaseWriterError {
    .invalidSchema(table: schema.name, reason: reason)
  }

  private func check(name schema: FeatureTableSchema) throws(GeodatabaseWriterError) {
    let name = schema.name.lowercased()
    guard Self.isName(name, atMost: Self.longestTableName) else {
      throw invalid(schema, "the name is empty, too long or holds control characters")
    }
    for prefix in reservedPrefixes where name.hasPrefix(prefix) {
      throw invalid(schema, "names that begin with \"\(prefix)\" are reserved")
    }
  }

  private func check(fields table: PlannedTable) throws(GeodatabaseWriterError) {
    let schema = table.schema
    var names: Set<String> = ["gdb_archive_oid", "gdb_from_date", "gdb_to_date"]
    if schema.geometryType != nil { names.insert(table.definition.shapeField.lowercased()) }
    guard schema.fields.count <= Self.mostFields else {
      throw invalid(schema, "there are more than \(Self.mostFields) fields")
    }
    for field in schema.fields {
      guard Self.isName(field.name, atMost: Self.longestFieldName) else {
        throw invalid(schema, "the name of a field is empty, too long or not printable")
      }
      guard names.insert(field.name.lowercased()).inserted else {
        throw invalid(schema, "the field \"\(field.name)\" is there twice, or its name is taken")
      }
      guard field.type != .geometry else {
        throw invalid(schema, "the shape must not be among the fields (\"\(field.name)\")")
      }
      if let length = field.length, length < 1 {
        throw invalid(schema, "the length of \"\(field.name)\" is \(length)")
      }
    }
  }

  private func check(shapes table: PlannedTable) throws(GeodatabaseWriterError) {
    guard let type = table.schema.geometryType else { return }
    guard type != .envelope else {
      throw invalid(table.schema, "a table of envelopes is not possible; use polygons")
    }
    guard Self.isName(table.definition.shapeField, atMost: Self.longestFieldName) else {
      throw invalid(table.schema, "the name of the shape is empty or too long")
    }
    guard table.definition.precision?.isValid ?? true else {
      throw invalid(table.schema, "the precision of coordinates makes no grid")
    }
  }

  private func check(identifiers schema: FeatureTableSchema) throws(GeodatabaseWriterError) {
    if let field = schema.field(named: schema.objectIDField), !field.type.isWhole {
      throw invalid(schema, "the object id \"\(field.name)\" is not a whole number")
    }
    guard let name = schema.globalIDField else { return }
    guard let field = schema.field(named: name) else {
      throw invalid(schema, "the global id \"\(name)\" is not among the fields")
    }
    guard ColumnType(of: field) == .guid else {
      throw invalid(schema, "the global id \"\(name)\" is not a GUID")
    }
  }

  private func check(
    relationships schema: FeatureTableSchema, _ names: Set<String>
  ) throws(GeodatabaseWriterError) {
    for relationship in schema.relationships {
      guard names.contains(relationship.relatedTable.lowercased()) else {
        throw invalid(
          schema, "it is related to \"\(relationship.relatedTable)\", which is no table")
      }
      guard
        schema.field(named: relationship.keyField) != nil
          || schema.isObjectID(relationship.keyField)
      else { throw invalid(schema, "the key \"\(relationship.keyField)\" is not among the fields") }
    }
  }

  private static func isName(_ name: String, atMost length: Int) -> Bool {
    !name.isEmpty && name.unicodeScalars.count <= length
      && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  }
}

extension FieldType {
  fileprivate var isWhole: Bool {
    [.objectID, .smallInteger, .integer, .bigInteger].contains(self)
  }
}
