import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanTestSupport
import Testing

@testable import PortolanConversion

/// The treatment of a column of object ids in files that do not say which one it is.
@Suite(.temporaryDirectory) struct ObjectIDColumnTests {
  private let tables = TableFileConversionTests()

  /// A file of comma-separated values with ids in a column, and a text.
  private func csv(_ name: String, _ ids: [String]) throws -> URL {
    let url = temporaryDirectory.appending(path: "parcels.csv")
    let rows = ids.enumerated().map { "row \($0),\($1),-70,44\n" }
    try Data(("NAME,\(name),longitude,latitude\n" + rows.joined()).utf8).write(to: url)
    return url
  }

  private func open(_ url: URL) async throws -> any FeatureStore {
    switch url.pathExtension {
    case "csv": try await TableFile.csv(at: url)
    case "shp": try await TableFile.shapefile(at: url)
    case "fgb": try await TableFile.flatGeobuf(at: url)
    default: try await GeoJSONFile.open(at: url)
    }
  }

  private func notes(_ store: any FeatureStore) -> [String] {
    (store as? any SurveyedStore)?.notes ?? []
  }

  @Test(arguments: [
    ("OBJECTID", ["7", "3", "12"]), ("ObjectID", ["1", "2", "3"]), ("fid", ["40", "41", "5"]),
  ])
  func `A column of ids keeps its name and its values, however often it is copied`(
    _ name: String, _ ids: [String]
  ) async throws {
    let first = try await TableFile.csv(at: csv(name, ids))
    var store: any FeatureStore = first
    for copy in ["a.shp", "b.csv", "c.fgb", "d.geojson", "e.csv", "f.fgb", "g.shp"] {
      let (url, result) = try await tables.convert(store, to: copy)
      #expect(!result.notes.contains { $0.contains("object id") } && result.omissions == [])
      store = try await open(url)
      let schema = try #require(try await store.schemas().first)
      #expect(schema.objectIDField == name, "\(copy)")
      #expect(Set(schema.fields.map(\.name)) == [name, "NAME"], "\(copy)")
      let rows = try await store.features(in: schema.name, matching: .init()).collect()
      let numbers = ids.compactMap { Int64($0) }
      #expect(rows.map(\.objectID) == numbers.sorted(), "\(copy)")
      let names = numbers.indices.sorted { numbers[$0] < numbers[$1] }.map { "row \($0)" }
      #expect(rows.map { $0.attributes["NAME"] } == names.map(AttributeValue.text), "\(copy)")
    }
  }

  @Test(arguments: [["7", "7", "8"], ["0", "1", "2"], ["1", "", "3"], ["1", "2", "3000000000"]])
  func `A column that cannot be the object id stays a field, which is said`(
    _ ids: [String]
  ) async throws {
    var store: any FeatureStore = try await TableFile.csv(at: csv("OBJECTID", ids))
    let said = notes(store)
    #expect(said.count == 1 && said[0].contains("the object ids are in \"FID_\""), "\(said)")
    for copy in ["a.shp", "b.csv", "c.fgb", "d.geojson", "e.csv", "f.fgb"] {
      let (url, result) = try await tables.convert(store, to: copy)
      if copy == "a.shp" { #expect(result.notes.contains(said[0])) }
      store = try await open(url)
      let schema = try #require(try await store.schemas().first)
      #expect(schema.objectIDField == "FID_", "\(copy)")
      #expect(schema.fields.map(\.name) == ["FID_", "NAME", "OBJECTID"], "\(copy)")
      let rows = try await store.features(in: schema.name, matching: .init()).collect()
      let values = rows.map { $0.attributes["OBJECTID"]?.number.map { Int64($0) } }
      #expect(values == ids.map { Int64($0) }, "\(copy)")
    }
  }

  @Test func `Features whose ids do not ascend have those of a property that repeats them`()
    async throws
  {
    let store = try await GeoJSONText.store(
      GeoJSONText.collection(
        [9, 4].map { GeoJSONText.point("\"OBJECTID\":\($0),\"a\":\($0)", id: "\($0)") }))
    let schema = try await store.schemas()[0]
    #expect(schema.fields.map(\.name) == ["OBJECTID", "a"])
    #expect(schema.objectIDField == "OBJECTID")
    #expect(try await GeoJSONText.rows(store).map(\.objectID) == [9, 4])
    #expect(store.notes == [])
  }

  @Test func `Where features have other ids than their property, it is said`() async throws {
    let store = try await GeoJSONText.store(
      GeoJSONText.collection(
        [1, 2].map { GeoJSONText.point("\"OBJECTID\":7\($0)", id: "\($0)") }))
    let schema = try await store.schemas()[0]
    #expect(schema.objectIDField == "FID_")
    #expect(try await GeoJSONText.rows(store).map(\.objectID) == [1, 2])
    #expect(store.notes.count == 1 && store.notes[0].contains("\"OBJECTID\" has other values"))
  }

  @Test func `Object ids of a shapefile are kept`() async throws {
    let fields = [Field("OBJECTID", .objectID), Field("NAME", .string, length: 10)]
    let features = [5, 17].map { (id: Int64) in
      Feature(
        objectID: id, attributes: Attributes(FieldList(fields), [.integer(id), .text("n\(id)")]),
        geometry: .point(Point(x: 1, y: 2)))
    }
    let schema = FeatureTableSchema(
      name: "a", geometryType: .point, spatialReference: .wgs84, fields: fields)
    let store = InMemoryFeatureStore([FeatureTableContents(schema: schema, features: features)])
    let (url, _) = try await tables.convert(store, to: "a.shp")
    let read = try await TableFile.shapefile(at: url)
    let rows = try await read.features(in: "a", matching: .init()).collect()
    #expect(rows.map(\.objectID) == [5, 17])
    #expect(rows.map { $0.attributes["NAME"] } == [.text("n5"), .text("n17")])
  }
}
