public import Foundation
package import PortolanFeatures

/// A table whose fields at its service differ from those in the replica, or that the service has no more.
public struct ChangedFields: Error, Hashable, Sendable {
  /// What a service has in place of a table.
  public enum Replacement: Hashable, Sendable {
    /// No layer of that number.
    case nothing
    /// A layer whose shapes are of another type.
    case otherShapes
  }

  /// The name of the table.
  public var table: String
  /// The layer in the service.
  public var layerID: Int
  /// The fields of the replica of which the service sends no values any more.
  public var missing: [String]
  /// The fields of which the service sends values, and that the replica does not have.
  public var unknown: [String]
  /// What the service has in place of the table; `nil` while it has the table.
  public var replacement: Replacement?

  /// Whether nothing of the table is exchanged: its values would be lost on the way without a word.
  public var stopsExchange: Bool { !missing.isEmpty || replacement != nil }
}

extension ChangedFields {
  /// Compares what has come with the table; `nil` if the fields are the same, or nothing shows them.
  init?(_ part: ReceivedPart, in table: EditedTable) throws(FeatureEditError) {
    let schema = table.schema
    let wanted = schema.fields.filter { !$0.isLeftToService(in: schema) }
    let known = FieldList(schema.fields)
    var missing: Set<String> = []
    var unknown = Set(part.unknownFields)
    for list in try part.fieldLists() {
      for field in wanted where list.position(of: field.name) == nil { missing.insert(field.name) }
      for field in list.fields
      where known.position(of: field.name) == nil && !field.isLeftToService(in: schema) {
        unknown.insert(field.name)
      }
    }
    guard !missing.isEmpty || !unknown.isEmpty else { return nil }
    self.init(
      table: table.name, layerID: part.layerID, missing: missing.sorted(), unknown: unknown.sorted()
    )
  }
}

extension ChangedFields {
  /// A table that was removed at its service.
  package init(removed table: String, layerID: Int) {
    self.init(table: table, layerID: layerID, missing: [], unknown: [], replacement: .nothing)
  }

  /// Compares edits with the layer that they are sent to; `nil` if it has their fields and their type of
  /// shapes, so that nothing of them would be lost there.
  package init?(sending part: GeodatabaseDelta.Layer, to layer: FeatureTableSchema) {
    let (there, here) = (FieldList(layer.fields), FieldList(part.schema.fields))
    let features = part.adds + part.updates
    // A value that does not exist is not missing.
    let missing = part.schema.fields.filter { field in
      !field.isLeftToService(in: part.schema) && there.position(of: field.name) == nil
        && features.contains { ($0.attributes[field.name] ?? .null) != .null }
    }
    let isOther = part.hasOtherShapes(than: layer)
    guard !layer.fields.isEmpty, !missing.isEmpty || isOther else { return nil }
    let unknown = layer.fields.filter { field in
      !field.isLeftToService(in: layer) && here.position(of: field.name) == nil
    }
    self.init(
      table: part.schema.name, layerID: part.layerID, missing: missing.map(\.name).sorted(),
      unknown: unknown.map(\.name).sorted(), replacement: isOther ? .otherShapes : nil)
  }
}

extension GeodatabaseDelta.Layer {
  /// Whether edits have shapes of another type than a layer is said to have, whose number is another one's.
  fileprivate func hasOtherShapes(than layer: FeatureTableSchema) -> Bool {
    guard let there = layer.geometryType, let here = schema.geometryType, !schema.mayMixShapes,
      there != here
    else { return false }
    return (adds + updates).contains { $0.geometry != nil }
  }
}

extension Field {
  /// Whether a service sends it or not as it likes: what identifies the row, who edited it and when, what
  /// follows from the shape, and contents that are not sent with rows.
  package func isLeftToService(in schema: FeatureTableSchema) -> Bool {
    switch type {
    case .objectID, .globalID, .geometry, .blob, .raster, .xml: return true
    default: break
    }
    let tracking = schema.editorTracking
    let names = [
      schema.objectIDField, schema.globalIDField, tracking?.creatorField,
      tracking?.creationDateField, tracking?.editorField, tracking?.editDateField,
    ]
    let name = name.lowercased()
    return names.contains { $0?.lowercased() == name }
      || name.contains(/^(shape($|[_.])|st_|gdb_|objectid$|globalid$)/)
  }
}

extension ChangedFields: LocalizedError {
  /// What is new there, and not here; `nil` if nothing is.
  public var notice: String? {
    guard !unknown.isEmpty else { return nil }
    return unknown.count == 1
      ? "\"\(table)\" has a new field at its service, \(Self.list(unknown)), which this copy lacks."
      : "\"\(table)\" has new fields at its service, \(Self.list(unknown)), which this copy lacks."
  }

  public var errorDescription: String? {
    guard stopsExchange else { return notice }
    switch replacement {
    case .nothing:
      return "\"\(table)\" is not synchronized, since its service has no such layer any more."
    case .otherShapes:
      return "\"\(table)\" is not synchronized, since its service has a layer with shapes of "
        + "another type in its place."
    case nil: break
    }
    let noun = missing.count == 1 ? "field" : "fields"
    let sentence =
      "\"\(table)\" is not synchronized, since its service has no \(noun) \(Self.list(missing)) "
      + "any more"
    guard !unknown.isEmpty else { return sentence + "." }
    return sentence + "; new there \(unknown.count == 1 ? "is" : "are") \(Self.list(unknown))."
  }

  public var recoverySuggestion: String? {
    guard replacement == nil else {
      return "Nothing of it is lost: edits stay in this copy. Take the area offline again under "
        + "another name to have what the service has now."
    }
    return stopsExchange
      ? "Nothing of it is lost: edits stay in this copy, and what others change comes once the field "
        + "is there again. Else take the area offline again under another name."
      : "Take the area offline again to have it."
  }

  private static func list(_ names: [String]) -> String {
    names.map { "\"\($0)\"" }.joined(separator: ", ")
  }
}
