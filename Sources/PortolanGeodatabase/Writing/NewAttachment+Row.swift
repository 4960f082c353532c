internal import PortolanFeatures

extension NewAttachment {
  /// The row of the attachment; `parent` is the global or the object id of its feature.
  func row(of table: TableLayout, parent: AttributeValue) -> Feature {
    var attributes = Attributes(FieldList(table.schema.fields))
    attributes["REL_GLOBALID"] = parent
    attributes["REL_OBJECTID"] = parent
    attributes["GLOBALID"] = globalID.map { .text($0) }
    attributes["CONTENT_TYPE"] = .text(contentType)
    attributes["ATT_NAME"] = .text(name)
    attributes["DATA_SIZE"] = .integer(Int64(data.count))
    attributes["DATA"] = .blob(data)
    return Feature(objectID: id ?? 0, attributes: attributes)
  }
}
