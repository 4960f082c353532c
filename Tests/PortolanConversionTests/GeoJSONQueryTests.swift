import PortolanFeatures
import PortolanGeometry
import Testing

@testable import PortolanConversion

/// The store answers queries as others do.
@Suite struct GeoJSONQueryTests {
  private func store() async throws -> GeoJSONFile {
    try await GeoJSONText.store(
      GeoJSONText.collection((1...600).map { GeoJSONText.point("\"a\":\($0 % 7)", x: Double($0)) }))
  }

  private func ids(_ query: QueryParameters) async throws -> [Int64] {
    try await store().features(in: "FILE", matching: query).collect().map(\.objectID)
  }

  @Test func `Conditions, boxes and ids select`() async throws {
    #expect(try await ids(QueryParameters(whereClause: "a = 3", limit: 2)) == [3, 10])
    let box = Envelope(xMin: 4.5, yMin: 0, xMax: 7, yMax: 3)
    #expect(try await ids(QueryParameters(extent: box)) == [5, 6, 7])
    #expect(try await ids(QueryParameters(objectIDs: [600, 2])) == [2, 600])
    #expect(try await ids(QueryParameters(offset: 598)) == [599, 600])
    #expect(try await ids(QueryParameters(limit: 0)) == [])
    #expect(try await ids(QueryParameters(offset: .max, limit: .max)) == [])
    let query = QueryParameters(whereClause: "a = 3", extent: box, offset: 5)
    #expect(try await store().count(in: "file", matching: query) == 0)
    #expect(
      try await store().count(in: "file", matching: QueryParameters(whereClause: "a=3")) == 86)
  }

  @Test func `An order is kept`() async throws {
    let query = QueryParameters(
      orderBy: [.init("a", isDescending: true)], limit: 2, returnsGeometry: false,
      outFields: ["a"])
    let rows = try await store().features(in: "file", matching: query).collect()
    #expect(rows.map(\.objectID) == [6, 13])
    #expect(rows[0].attributes.fields.map(\.name) == ["a"])
    #expect(rows[0].geometry == nil)
  }

  @Test func `A missing table or field is named`() async throws {
    let store = try await store()
    await #expect(throws: FeatureStoreError.noSuchTable(name: "x", available: ["file"])) {
      try await store.features(in: "x", matching: QueryParameters()).collect()
    }
    await #expect(throws: FeatureStoreError.noSuchField(name: "z", table: "file")) {
      try await store.features(in: "file", matching: QueryParameters(outFields: ["z"])).collect()
    }
  }

  @Test func `Many fields of many empty features are sorted only as far as they fit in memory`()
    async throws
  {
    let wide = (0..<1_900).map { "\"f\($0)\": 1" }.joined(separator: ",")
    let empty = (1...10_000).map { GeoJSONText.point("", x: Double($0 % 90)) }
    let store = try await GeoJSONText.store(
      GeoJSONText.collection([GeoJSONText.point(wide, x: 0)] + empty))
    let query = QueryParameters(orderBy: [.init("f0", isDescending: true)], limit: 1)
    let error = await #expect(throws: FeatureStoreError.self) {
      try await store.features(in: "file", matching: query).collect()
    }
    guard case .unsupported(_, let feature)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(feature.contains("fit in memory"))
  }
}
