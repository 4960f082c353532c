import Foundation
import PortolanFeatures
import PortolanTestSupport
import Testing

@testable import PortolanConversion

/// Values at the edge of what files hold.
@Suite(.temporaryDirectory) struct OddValueTests {
  /// Rows of one value each, without shapes.
  private static func store(_ type: FieldType, _ values: [AttributeValue]) -> InMemoryFeatureStore {
    let fields = [Field("OBJECTID", .objectID), Field("VALUE", type)]
    let features = values.enumerated().map { index, value in
      let id = Int64(index + 1)
      return Feature(
        objectID: id, attributes: Attributes(FieldList(fields), [.integer(id), value]))
    }
    return InMemoryFeatureStore([
      FeatureTableContents(
        schema: FeatureTableSchema(name: "rows", fields: fields), features: features)
    ])
  }

  /// The type of the values of the only table, and the values.
  private static func values(
    in store: any FeatureStore
  ) async throws -> (FieldType?, [AttributeValue?]) {
    let schema = try #require(try await store.schemas().first)
    let rows = try await store.features(in: schema.name, matching: .init()).collect()
    return (schema.field(named: "VALUE")?.type, rows.map { $0.attributes["VALUE"] })
  }

  @Test func `Infinite numbers, which JSON does not have, are listed`() async throws {
    let values: [AttributeValue] = [.double(.infinity), .double(-.infinity), .double(2.5), .null]
    let url = temporaryDirectory.appending(path: "rows.geojson")
    let result = try await convert(Self.store(.double, values), to: url)
    #expect(result.omissions == [Omission(table: "rows", .values(field: "VALUE", rowCount: 2))])
    let (_, copies) = try await Self.values(in: try await GeoJSONFile.open(at: url))
    #expect(copies == [.null, .null, .double(2.5), .null])
  }

  @Test func `Moments of the first and of the last year are the same in FlatGeobuf files`()
    async throws
  {
    let seconds = [-62_135_596_800, -1, 253_402_300_799.5]
    let values = seconds.map { AttributeValue.date(Date(timeIntervalSince1970: $0)) }
    let url = temporaryDirectory.appending(path: "rows.fgb")
    try await convert(Self.store(.date, values), to: url)
    let (type, copies) = try await Self.values(in: try await TableFile.flatGeobuf(at: url))
    #expect(type == .date && copies == values)
  }

  @Test(
    arguments: [
      (FieldType.integer, [.integer(1), .integer(-2_147_483_648), .null], .integer),
      (.integer, [.null], .integer), (.integer, [], .bigInteger),
      (.bigInteger, [.integer(1)], .bigInteger),
    ] as [(FieldType, [AttributeValue], FieldType)])
  func `Whole numbers of 32 bits stay such in shapefiles`(
    _ type: FieldType, _ values: [AttributeValue], _ wanted: FieldType
  ) async throws {
    let url = temporaryDirectory.appending(path: "rows.shp")
    try await convert(Self.store(type, values), to: url)
    let (copyType, copies) = try await Self.values(in: try await TableFile.shapefile(at: url))
    #expect(copyType == wanted && copies == values)
  }
}
