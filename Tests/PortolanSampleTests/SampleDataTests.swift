import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanTestSupport
import PortolanTiles
import Testing

@testable import PortolanSample

@Suite(.temporaryDirectory) struct SampleDataTests {
  private func content(
    _ layerID: String, of map: String, in fixture: SampleFixture
  ) async throws -> LayerContent {
    let map = try #require(fixture.package.maps.first { $0.name == map })
    return await map.contents.content(of: try #require(map.webMap.layer(withID: layerID)))
  }

  private func lighthouses(_ fixture: SampleFixture) async throws -> FeatureLayerContent {
    try #require(
      try await content("access", of: "lighthouses", in: fixture).features.first)
  }

  @Test func `Every table holds the rows of its source`() async throws {
    let content = try await lighthouses(SampleFixture())
    let sources = try SampleSources()
    for table in SampleTable.all {
      let records = try sources.records(table.source)
      var names: [String] = []
      for try await feature in content.store.features(
        in: table.schema.name, matching: QueryParameters())
      {
        #expect((feature.geometry == nil) == (table.schema.geometryType == nil))
        if case .text(let name) = feature.attributes["NAME"] { names.append(name) }
      }
      #expect(names == records.map(\.name), "\(table.schema.name)")
    }
  }

  @Test func `Tables have the schemas they were made from`() async throws {
    let content = try await lighthouses(SampleFixture())
    let schemas = try await content.store.schemas()
    for table in SampleTable.all {
      let schema = try #require(schemas.first { $0.name == table.schema.name })
      #expect(schema.displayField == table.schema.displayField)
      #expect(schema.hasAttachments == table.schema.hasAttachments)
      #expect(schema.serviceLayerID == table.schema.serviceLayerID)
      for field in table.schema.fields {
        let read = try #require(schema.field(named: field.name))
        #expect(read.alias == field.alias)
        #expect(read.domain == field.domain)
      }
    }
  }

  @Test func `A lighthouse has a picture, a note and a history`() async throws {
    let content = try await lighthouses(SampleFixture())
    let query = QueryParameters(whereClause: "NAME = 'West Quoddy Head Light'")
    var id: Int64?
    for try await feature in content.store.features(in: "Lighthouses", matching: query) {
      id = feature.objectID
    }
    let objectID = try #require(id)
    let attachments = try await content.store.attachments(of: objectID, in: "Lighthouses")
    #expect(attachments.map(\.contentType) == ["image/png", "text/plain"])
    let note = try await content.store.data(of: attachments[1].id, in: "Lighthouses")
    #expect(
      String(decoding: note, as: UTF8.self)
        == """
        West Quoddy Head Light was first lit in 1808. Its daymark is a white tower with red \
        bands, 49 feet high.

        """)
    let relationship = try #require(content.schema.relationships.first)
    let events = try await content.store.relatedFeatures(
      to: objectID, in: "Lighthouses", through: relationship)
    #expect(
      events.map { $0.attributes["YEAR"] } == [.integer(1808), .integer(1858), .integer(1988)])
  }

  @Test func `Shapes lie in Maine, holes are holes`() async throws {
    let content = try await lighthouses(SampleFixture())
    let bounds = try SampleSources().projected(ExploreMaine.extent)
    for table in SampleTable.all where table.schema.geometryType != nil {
      let extent = try await content.store.extent(
        of: table.schema.name, matching: QueryParameters())
      #expect(bounds.contains(try #require(extent)), "\(table.schema.name)")
    }
    let query = QueryParameters(whereClause: "NAME = 'Moosehead Lake'")
    for try await lake in content.store.features(in: "Lakes", matching: query) {
      #expect(lake.geometry?.paths.map { $0.signedArea > 0 } == [true, false, false])
    }
  }

  @Test func `Every tile of the backdrop is there`() async throws {
    let fixture = try await SampleFixture()
    guard case .tiles(let source) = try await content("backdrop", of: "explore_maine", in: fixture)
    else {
      Issue.record("the backdrop is no tile layer")
      return
    }
    let extent = try SampleSources().projected(ExploreMaine.extent)
    let surroundings = try SampleSources().projected(ExploreMaine.surroundings)
    for (ground, levels) in [(extent, 5...10), (surroundings, 5...7)] {
      for range in source.info.scheme.ranges(covering: ground, levels: levels) {
        for id in range { #expect(try await source.tile(at: id)?.format == .png, "\(id)") }
      }
    }
    #expect(source.info.levels == 5...10)
  }

  @Test(arguments: [
    "lighthouses.geojson", "towns.geojson", "counties.geojson", "parks.geojson", "trails.geojson",
  ])
  func `Features on land are on the land of the backdrop`(_ source: String) throws {
    let sources = try SampleSources()
    let land = try sources.records("land.geojson").compactMap { record in
      if case .polygon(let polygon) = record.geometry, record.properties["STATE"] == "Maine" {
        polygon
      } else {
        nil
      }
    }
    for record in try sources.records(source) {
      for place in record.geometry?.paths.flatMap(\.coordinates) ?? [] {
        #expect(land.contains { $0.contains(place) }, "\(record.name): \(place)")
      }
    }
  }

  @Test func `Ids made from names differ, and stay`() {
    #expect(SampleID.globalID("Lighthouses/Portland Head Light").count == 38)
    #expect(SampleID.uuid("a") != SampleID.uuid("b"))
    #expect(SampleID.uuid("package") == SampleID.uuid("package"))
  }

  @Test func `Codes that maps name are those of the domains`() async throws {
    let content = try await lighthouses(SampleFixture())
    let domain = try #require(content.schema.field(named: "ACCESS")?.domain)
    guard case .codedValue(let codes) = domain,
      case .uniqueValue(let renderer) = content.drawingInfo.renderer
    else {
      Issue.record("no codes or no classes")
      return
    }
    #expect(renderer.classes.map(\.label) == codes.codedValues.map(\.name))
  }
}
