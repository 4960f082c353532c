internal import PortolanFeatures
internal import PortolanJSON
internal import PortolanProtobuf

/// Reads the fields of a message.
enum PBFFieldReader {
  /// The types in the order of their numbers.
  private static let types: [FieldType] = [
    .smallInteger, .integer, .single, .double, .string, .date, .objectID, .geometry, .blob, .raster,
    .guid, .globalID, .xml, .bigInteger, .dateOnly, .timeOnly, .timestampOffset,
  ]

  /// The field; `nil` if it has no name or stands for the shape.
  static func field(_ message: PBFCursor) throws(PBFError) -> Field? {
    var message = message
    // A number of zero is not written.
    var json: JSONObject = ["type": .string(FieldType.smallInteger.rawValue)]
    while !message.isAtEnd {
      let tag = try message.tag()
      switch (tag.field, tag.type) {
      case (1, .lengthDelimited): json["name"] = .string(try message.string())
      case (2, .varint): json["type"] = type(try message.varint())
      case (3, .lengthDelimited): json["alias"] = .string(try message.string())
      case (5, .lengthDelimited): json["domain"] = document(try message.string())
      case (6, .lengthDelimited): json["defaultValue"] = defaultValue(try message.string())
      default: try message.skip(tag.type)
      }
    }
    return Field(json: .object(json))
  }

  private static func type(_ number: UInt64) -> JSONValue {
    let type = Int(exactly: number).flatMap { types.indices.contains($0) ? types[$0] : nil }
    return .string((type ?? .string).rawValue)
  }

  /// Domains are JSON in a text; one that is none limits nothing.
  private static func document(_ text: String) -> JSONValue? {
    // A value that cannot be read counts as absent, as everywhere in a layer.
    text.isEmpty ? nil : try? JSONValue(parsing: text)
  }

  private static func defaultValue(_ text: String) -> JSONValue? {
    text.isEmpty ? nil : document(text) ?? .string(text)
  }
}
