internal import PortolanFeatures

public import struct Foundation.Data

/// A file that is to be attached to a feature.
public struct NewAttachment: Hashable, Sendable {
  /// The file's name.
  public var name: String
  /// The media type, for example `image/jpeg`.
  public var contentType: String
  /// The contents.
  public var data: Data
  /// The id; `nil` for the next one.
  public var id: Int64?
  /// The global id, with braces; `nil` for a new one.
  public var globalID: String?

  /// Creates an attachment.
  public init(
    name: String, contentType: String, data: Data, id: Int64? = nil, globalID: String? = nil
  ) {
    self.name = name
    self.contentType = contentType
    self.data = data
    self.id = id
    self.globalID = globalID
  }

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
