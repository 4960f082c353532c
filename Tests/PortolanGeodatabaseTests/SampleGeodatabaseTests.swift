import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

@Suite(.needsSharedFiles) struct SampleGeodatabaseTests {
  @Test(arguments: SampleGeodatabase.all)
  func `A sample shows its tables and counts its features`(
    _ sample: SampleGeodatabase
  ) async throws {
    let geodatabase = try Geodatabase.open(at: sample.url)
    let schemas = try await geodatabase.schemas()
    #expect(schemas.map(\.name) == sample.tables.map(\.name))
    for (schema, table) in zip(schemas, sample.tables) {
      let all = QueryParameters()
      #expect(try await geodatabase.count(in: schema.name, matching: all) == table.count)
      let features = try await geodatabase.features(in: schema.name, matching: all).collect()
      #expect(features.count == table.count)
      #expect(features.map(\.objectID) == features.map(\.objectID).sorted())
      #expect(features.allSatisfy { $0.attributes[schema.objectIDField]?.isNull == false })
      let union = features.compactMap(\.geometry?.extent).reduce(Envelope.empty) { $0.union($1) }
      #expect(try await geodatabase.extent(of: schema.name, matching: all) == union)
      #expect(schema.extent != nil)
      #expect(schema.spatialReference?.currentWKID != nil)
      #expect(schema.geometryType == features.first?.geometry?.type)
    }
  }

  @Test func `The definition of the trails of Canyonlands is read in full`() async throws {
    let geodatabase = try Geodatabase.open(at: SampleGeodatabase.canyonlands.url)
    let schema = try await geodatabase.schema(of: "main.cnp_TRAILS")
    #expect(schema.name == "CNP_Trails")
    #expect(schema.geometryType == .polyline)
    #expect(schema.objectIDField == "FID")
    #expect(schema.globalIDField == "GlobalID_2")
    #expect(schema.displayField == "TRLNAME")
    #expect(schema.spatialReference == .webMercator)
    #expect(schema.isChangeTracked)
    #expect(!schema.hasAttachments)
    #expect(schema.serviceLayerID == 1)
    #expect(schema.fields.count == 41)
    #expect(schema.field(named: "trlname")?.length == 80)
    #expect(schema.field(named: "FID")?.type == .objectID)
    #expect(schema.field(named: "Shape__Len")?.type == .double)
    #expect(schema.field(named: "gdb_to_date") == nil)
  }

  @Test func `Domains of the military overlay are read`() async throws {
    let geodatabase = try Geodatabase.open(at: SampleGeodatabase.military.url)
    let schemas = try await geodatabase.schemas()
    let domains = schemas.flatMap(\.fields).compactMap(\.domain)
    #expect(domains.contains { $0.name == "CountryCodes" })
    #expect(schemas.allSatisfy { $0.hasZ })
  }

  @Test(arguments: SampleGeodatabase.all)
  func `The XML definitions alone describe the same fields as the service`(
    _ sample: SampleGeodatabase
  ) throws {
    let reader = try GeodatabaseReader(at: sample.url)
    for table in sample.tables {
      let storage = try reader.storage(of: table.name)
      let schema = try reader.schema(of: table.name)
      let text = try #require(try SystemTables.definition(of: table.name, reader.connection))
      let document = try #require(DefinitionDocument(text))
      let defined = document.schema(of: storage) { _, _ in nil }
      let fields = storage.fields(declared: defined.fields)
      #expect(fields.map(\.name) == schema.fields.map(\.name))
      #expect(fields.map(\.type) == schema.fields.map(\.type))
      #expect(defined.geometryType == schema.geometryType)
      #expect(defined.hasZ == schema.hasZ)
      #expect(defined.spatialReference?.currentWKID == schema.spatialReference?.currentWKID)
      #expect(storage.schema.fields.count == schema.fields.count)
      let geometry = try #require(storage.geometry)
      #expect(try fitted(table.name, geometry, reader)?.xyScale == geometry.precision?.xyScale)
    }
  }

  /// The grid that the spatial index alone tells; compared only where a usual one fits.
  private func fitted(
    _ table: String, _ geometry: GeometryColumn, _ reader: borrowing GeodatabaseReader
  ) throws -> CoordinatePrecision? {
    let usual = [1e9, 1e4]
    guard let precision = geometry.precision, usual.contains(precision.xyScale) else {
      return geometry.precision
    }
    let source = PrecisionSource(
      table: table, column: geometry.name, srid: geometry.srid, index: geometry.index)
    return try source.fitted(reader.connection)
  }

  @Test func `A query by extent finds what a look at every shape finds`() async throws {
    let geodatabase = try Geodatabase.open(at: SampleGeodatabase.usa.url)
    let extent = Envelope(xMin: -9_000_000, yMin: 4_000_000, xMax: -8_000_000, yMax: 5_000_000)
    for table in ["USMajorCities", "USMajorHighways", "USStates"] {
      let all = try await geodatabase.features(in: table, matching: .init()).collect()
      let expected = all.filter { $0.geometry?.extent?.intersects(extent) ?? false }
      let query = QueryParameters(extent: extent)
      #expect(try await geodatabase.features(in: table, matching: query).collect() == expected)
      #expect(try await geodatabase.count(in: table, matching: query) == expected.count)
      #expect(!expected.isEmpty && expected.count < all.count)
      let union = expected.compactMap(\.geometry?.extent).reduce(Envelope.empty) { $0.union($1) }
      #expect(try await geodatabase.extent(of: table, matching: query) == union)
    }
  }

  @Test func `A tap meets the state around it`() async throws {
    let geodatabase = try Geodatabase.open(at: SampleGeodatabase.usa.url)
    let states = try await geodatabase.features(
      in: "USStates",
      matching: QueryParameters(whereClause: "STATE_NAME = 'Kansas'")
    ).collect()
    let kansas = try #require(states.first)
    let center = try #require(kansas.geometry?.extent?.center)
    #expect(
      try await geodatabase.objectIDs(in: "USStates", touching: center, within: 0)
        == [kansas.objectID])
    #expect(
      try await geodatabase.objectIDs(in: "USStates", touching: center, within: 500_000).count > 3)
    #expect(
      try await geodatabase.objectIDs(
        in: "USStates", touching: center, within: 500_000, limit: 2
      ).count == 2)
  }
}
