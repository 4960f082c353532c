import Foundation
import PortolanFeatures
import PortolanTestSupport
import Testing

@testable import PortolanConversion

/// Days in the rows of a shapefile, which has a kind of column for them.
@Suite(.temporaryDirectory) struct ShapefileDayTests {
  @Test func `Days are days in a shapefile, and what is none is listed`() async throws {
    let fields = [Field("OBJECTID", .objectID), Field("DAY", .dateOnly)]
    let values: [AttributeValue] = [.text("2020-02-29"), .text("soon"), .null]
    let features = values.enumerated().map { index, value in
      let id = Int64(index + 1)
      return Feature(
        objectID: id, attributes: Attributes(FieldList(fields), [.integer(id), value]))
    }
    let schema = FeatureTableSchema(name: "days", fields: fields)
    let store = InMemoryFeatureStore([FeatureTableContents(schema: schema, features: features)])
    let url = temporaryDirectory.appending(path: "days.shp")
    let result = try await convert(store, to: url)
    #expect(result.omissions == [Omission(table: "days", .values(field: "DAY", rowCount: 1))])
    let read = try await TableFile.shapefile(at: url)
    let copy = try #require(try await read.schemas().first)
    #expect(copy.field(named: "DAY")?.type == .date)
    let rows = try await read.features(in: copy.name, matching: .init()).collect()
    let day = AttributeValue.date(Date(timeIntervalSince1970: 1_582_934_400))
    #expect(rows.map { $0.attributes["DAY"] } == [day, .null, .null])
  }
}
