internal import PortolanFeatures

extension Omission {
  /// What GeoJSON has no place for, beside attachments.
  static func fromGeoJSON(of table: FeatureTableSchema) -> [Omission] {
    var contents: [Content] = []
    if !table.types.isEmpty { contents.append(.subtypes) }
    if !table.templates.isEmpty { contents.append(.templates) }
    contents += table.fields.filter { $0.domain != nil }.map { .domain(field: $0.name) }
    contents += table.fields.filter { $0.defaultValue != nil }
      .map { .defaultValue(field: $0.name) }
    contents += table.relationships.map { .relationship($0.name) }
    if table.editorTracking != nil { contents.append(.editorTracking) }
    if table.isChangeTracked { contents.append(.history) }
    if table.hasM { contents.append(.heightsOrMeasures) }
    return contents.map { Omission(table: table.name, $0) }
  }
}
