import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanTestSupport
import Testing

@testable import PortolanConversion

/// Answers of feature services that were saved as files.
@Suite(.temporaryDirectory) struct FeatureSetReaderTests {
  private func store(_ text: String) async throws -> any SurveyedStore {
    let url = temporaryDirectory.appending(path: "wells.json")
    try Data(text.utf8).write(to: url)
    return try #require(try await TableFile.featureSet(at: url) as? any SurveyedStore)
  }

  @Test func `A feature set is a table with its fields, shapes and reference`() async throws {
    let store = try await store(
      """
      {"objectIdFieldName": "FID", "geometryType": "esriGeometryPoint",
       "spatialReference": {"wkid": 102100, "latestWkid": 3857}, "exceededTransferLimit": true,
       "fields": [{"name": "FID", "type": "esriFieldTypeOID"},
                  {"name": "depth", "type": "esriFieldTypeDouble"}],
       "features": [{"attributes": {"FID": 7, "depth": 2.5}, "geometry": {"x": 1, "y": 2}},
                    {"attributes": {"FID": 9, "depth": null}, "geometry": {"x": [], "y": 2}}]}
      """)
    let schema = try #require(try await store.schemas().first)
    #expect(schema.name == "wells" && schema.objectIDField == "FID")
    #expect(schema.geometryType == .point && schema.spatialReference?.isWebMercator == true)
    let rows = try await store.features(in: "wells", matching: .init()).collect()
    #expect(rows.map(\.objectID) == [7, 9])
    #expect(rows.map { $0.attributes["depth"] } == [.double(2.5), .null])
    #expect(rows.first?.geometry == .point(Point(x: 1, y: 2)) && rows.last?.geometry == nil)
    #expect(store.damagedCount == 1 && store.failures.map(\.item) == ["feature 2"])
    #expect(store.notes.count == 1)
  }

  @Test func `A feature set without ids and fields has both`() async throws {
    let store = try await store(#"{"features": [{"attributes": {"a": "x"}}, {"attributes": {}}]}"#)
    let rows = try await store.features(in: "wells", matching: .init()).collect()
    #expect(rows.map { $0.attributes["a"] } == [.text("x"), .null])
    #expect(rows.map { $0.attributes["OBJECTID"] } == [.integer(1), .integer(2)])
  }

  @Test func `Ids that are there twice are a field like others`() async throws {
    let store = try await store(
      """
      {"objectIdFieldName": "FID", "fields": [{"name": "FID", "type": "esriFieldTypeOID"}],
       "features": [{"attributes": {"FID": 7}}, {"attributes": {"FID": 7}}]}
      """)
    let schema = try #require(try await store.schemas().first)
    #expect(schema.fields.map(\.type) == [.objectID, .integer])
    let rows = try await store.features(in: "wells", matching: .init()).collect()
    #expect(rows.map(\.objectID) == [1, 2])
    #expect(rows.map { $0.attributes["FID"] } == [.integer(7), .integer(7)])
  }

  @Test(arguments: ["{}", "{\"features\": {}}", "{\"features\": [", "[]"])
  func `What is no feature set is refused`(_ text: String) async throws {
    await #expect(throws: FeatureStoreError.self) { try await store(text) }
  }
}
