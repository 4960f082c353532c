import Foundation
import PortolanFeatures
import PortolanGeoPackage
import PortolanGeodatabase
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
    #expect(copy.field(named: "DAY")?.type == .dateOnly)
    let rows = try await read.features(in: copy.name, matching: .init()).collect()
    #expect(rows.map { $0.attributes["DAY"] } == [.text("2020-02-29"), .null, .null])
    // As GDAL writes a year of one digit.
    let table = url.deletingPathExtension().appendingPathExtension("dbf")
    var bytes = try Data(contentsOf: table)
    let place = try #require(bytes.range(of: Data("20200229".utf8)))
    bytes.replaceSubrange(place, with: Data("   10101".utf8))
    try bytes.write(to: table)
    let early = try await TableFile.shapefile(at: url)
    let first = try await early.features(in: copy.name, matching: .init()).collect().first
    #expect(first?.attributes["DAY"] == .text("0001-01-01"))
  }

  @Test(arguments: ["gpkg", "geodatabase", "fgb", "geojson", "shp"])
  func `Days stay days on the way through other formats and back`(_ format: String) async throws {
    let fields = [Field("OBJECTID", .objectID), Field("DAY", .dateOnly)]
    let days: [AttributeValue] = [
      .text("0001-01-01"), .text("1969-12-31"), .text("9999-12-31"), .null,
    ]
    let features = days.enumerated().map { index, value in
      let id = Int64(index + 1)
      return Feature(
        objectID: id, attributes: Attributes(FieldList(fields), [.integer(id), value]))
    }
    let schema = FeatureTableSchema(name: "days", fields: fields)
    var store: any FeatureStore = InMemoryFeatureStore([
      FeatureTableContents(schema: schema, features: features)
    ])
    var input = temporaryDirectory.appending(path: "days")
    for name in ["first.shp", "between.\(format)", "last.shp"] {
      let url = temporaryDirectory.appending(path: name)
      let result = try await convert(store, from: input, to: url)
      #expect(result.omissions.isEmpty && result.failureCount == 0)
      store = try await open(url)
      let table = try #require(try await store.schemas().first)
      #expect(table.field(named: "DAY")?.type == .dateOnly, "\(name)")
      let rows = try await store.features(in: table.name, matching: .init()).collect()
      #expect(rows.map { $0.attributes["DAY"] } == days, "\(name)")
      input = url
    }
  }

  private func open(_ url: URL) async throws -> any FeatureStore {
    switch url.pathExtension {
    case "shp": try await TableFile.shapefile(at: url)
    case "fgb": try await TableFile.flatGeobuf(at: url)
    case "gpkg": try GeoPackage.open(at: url)
    case "geodatabase": try Geodatabase.open(at: url)
    default: try await GeoJSONFile.open(at: url)
    }
  }

  @Test(.needsGDAL) func `GDAL finds days in FlatGeobuf files, and what is none is listed`()
    async throws
  {
    let fields = [Field("OBJECTID", .objectID), Field("DAY", .dateOnly)]
    let values = ["1969-12-31", "soon"]
    let rows = values.enumerated().map { index, value in
      let id = Int64(index + 1)
      return Feature(
        objectID: id, attributes: Attributes(FieldList(fields), [.integer(id), .text(value)]))
    }
    let store = InMemoryFeatureStore([
      FeatureTableContents(
        schema: FeatureTableSchema(name: "days", fields: fields), features: rows)
    ])
    let url = temporaryDirectory.appending(path: "days.fgb")
    let result = try await convert(store, to: url)
    #expect(result.omissions == [Omission(table: "days", .values(field: "DAY", rowCount: 1))])
    let summary = try GDAL.run(["ogrinfo", "-al", url.path(percentEncoded: false)])
    #expect(summary.contains("DAY (DateTime) = 1969/12/31 00:00:00"), "\(summary)")
  }
}
