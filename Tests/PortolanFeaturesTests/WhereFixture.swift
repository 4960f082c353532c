import Foundation
import PortolanFeatures

/// A table with a field of each kind, and rows that have every kind of value, `null` too.
enum WhereFixture {
  static let schema = FeatureTableSchema(
    name: "TOWNS",
    fields: [
      Field("OBJECTID", .objectID), Field("NAME", .string), Field("POP", .integer),
      Field("AREA", .double), Field("SEEN", .date), Field("CODE", .smallInteger),
      Field("GID", .guid), Field("PHOTO", .blob), Field("Opening Day", .dateOnly),
      Field("DATE", .string),
    ])

  static let list = FieldList(schema.fields)

  /// 2020-06-15 12:34:56.789 UTC.
  static let now = Date(timeIntervalSince1970: 1_592_224_496.789)

  static let portland: [AttributeValue] = [
    .integer(1), .text("Portland"), .integer(66_215), .double(179.75),
    .date(Date(timeIntervalSince1970: 1_486_846_504)), .integer(-7),
    .text("{5B966567-FB87-4DDE-938B-B4B37423539D}"), .blob(Data([1])), .text("2020-02-29"),
    .text("a'b"),
  ]

  static let nothing: [AttributeValue] = Array(repeating: .null, count: schema.fields.count)

  /// Whether a clause finds the row.
  static func finds(_ clause: String, _ row: [AttributeValue] = portland) throws -> Bool {
    try WhereClause(clause).bound(to: list, of: schema.name, now: now)
      .matches(Attributes(list, row))
  }
}
