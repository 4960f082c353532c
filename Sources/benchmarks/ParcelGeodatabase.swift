import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanGeometry

/// The bench's million polygons as a mobile geodatabase: 4 to 14 vertices in cells of 30 m.
enum ParcelGeodatabase {
  private static let side = 1000

  /// Makes the file unless it is there.
  static func make(at url: URL) throws {
    guard !FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) else { return }
    let schema = FeatureTableSchema(
      name: "polys", geometryType: .polygon, spatialReference: .webMercator,
      fields: [
        Field("OBJECTID", .objectID, isNullable: false), Field("name", .string, length: 50),
        Field("kind", .integer), Field("value", .double),
      ])
    let start = ContinuousClock.now
    let writer = try GeodatabaseWriter(
      at: url, GeodatabaseDefinition(name: "polys", tables: [.init(schema)]), now: Date(),
      makeID: { UUID() })
    var random = RandomNumbers()
    let fields = FieldList(schema.fields)
    for number in 0..<side * side {
      let values: [AttributeValue] = [
        .integer(Int64(number + 1)), .text("parcel \(number)"), .integer(Int64(number % 9)),
        .double(Double(number)),
      ]
      try writer.append(
        Feature(
          objectID: Int64(number + 1), attributes: Attributes(fields, values),
          geometry: .polygon(ring(number, &random))), to: "polys")
    }
    try writer.finish()
    print("Made \(url.lastPathComponent) in \(ContinuousClock.now - start).")
  }

  private static func ring(_ number: Int, _ random: inout RandomNumbers) -> Polygon {
    let count = 4 + Int(random.next() % 11)
    let x = 1_000_000 + (Double(number % side) + 0.5) * 30
    let y = 6_000_000 + (Double(number / side) + 0.5) * 30
    let angles = (0..<count).map { _ in random.fraction() * 2 * .pi }.sorted()
    var vertices = angles.map { angle in
      let radius = 6 + 8.5 * random.fraction()
      return Coordinate(x: x + radius * cos(angle), y: y + radius * sin(angle))
    }
    vertices.append(vertices[0])
    return Polygon(rings: [Path(vertices)])
  }
}
