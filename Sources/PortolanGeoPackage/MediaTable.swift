internal import PortolanFeatures
internal import PortolanGeodatabase

/// The table that ``GeoPackageWriter`` puts the attachments of another table into.
enum MediaTable {
  static func name(of table: String) -> String { "\(table)__ATTACH" }

  /// The row of an attachment.
  static func row(of attachment: NewAttachment, in fields: FieldList) -> Feature {
    var attributes = Attributes(fields)
    attributes["data"] = .blob(attachment.data)
    attributes["content_type"] = .text(attachment.contentType)
    attributes["name"] = .text(attachment.name)
    attributes["globalid"] = attachment.globalID.map { .text($0) }
    return Feature(objectID: attachment.id ?? 0, attributes: attributes)
  }
}
