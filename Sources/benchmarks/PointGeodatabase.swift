import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanGeometry

/// A million points with attributes of several kinds, the same ones each time.
enum PointGeodatabase {
  /// How many points there are.
  static let count = 1_000_000

  /// Makes the file unless it is there.
  static func make(at url: URL) throws {
    guard !FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) else { return }
    let schema = FeatureTableSchema(
      name: "points", geometryType: .point, spatialReference: .wgs84,
      fields: [
        Field("OBJECTID", .objectID, isNullable: false), Field("name", .string, length: 50),
        Field("kind", .smallInteger), Field("population", .integer), Field("height", .double),
        Field("seen", .date), Field("remark", .string, length: 200),
      ])
    let writer = try GeodatabaseWriter(
      at: url, GeodatabaseDefinition(name: "points", tables: [.init(schema)]),
      now: Date(timeIntervalSince1970: 1_700_000_000), makeID: { UUID() })
    var random = RandomNumbers()
    let fields = FieldList(schema.fields)
    for number in 1...count {
      let values: [AttributeValue] = [
        .integer(Int64(number)), .text("point \(number)"), .integer(Int64(number % 9)),
        .integer(Int64(random.next() % 1_000_000)), .double(random.fraction() * 4_000),
        .date(Date(timeIntervalSince1970: Double(1_000_000_000 + random.next() % 600_000_000))),
        number % 3 == 0 ? .null : .text("what somebody noted at point \(number)"),
      ]
      let place = Point(x: random.fraction() * 360 - 180, y: random.fraction() * 160 - 80)
      try writer.append(
        Feature(
          objectID: Int64(number), attributes: Attributes(fields, values),
          geometry: .point(place)), to: "points")
    }
    try writer.finish()
  }
}
