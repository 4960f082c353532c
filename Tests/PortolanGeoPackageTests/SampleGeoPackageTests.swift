import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanTestSupport
import Testing

@testable import PortolanGeoPackage
@testable import PortolanGeodatabase

/// GeoPackages of other writers, some of which no validator would pass.
@Suite(.needsSharedFiles) struct SampleGeoPackageTests {
  static let names = [
    "2d_envelope", "3d_envelope", "byte", "domains", "java_example", "js-example", "no_envelope",
    "poly_golden_gpkg_1_4", "raster_and_vector", "relation_mapping_table",
  ]

  private static func open(_ name: String) throws -> GeoPackage {
    try GeoPackage.open(at: SharedFiles.url("samples/geopackage/\(name).gpkg"))
  }

  /// Whether the next row can be read; `nil` after the last one.
  private static func readNext(_ iterator: inout FeatureSequence.Iterator) async throws -> Bool? {
    do {
      return try await iterator.next() == nil ? nil : true
    } catch FeatureStoreError.unreadableRow(let row) where row.reason.contains("curve") {
      return false
    }
  }

  @Test(arguments: names)
  func `Every row of a sample is read, or refused for its curve`(_ name: String) async throws {
    let package = try Self.open(name)
    for schema in try await package.schemas() {
      let query = QueryParameters()
      let count = try await package.count(in: schema.name, matching: query)
      var (read, refused) = (0, 0)
      var iterator = package.features(in: schema.name, matching: query).makeAsyncIterator()
      while let isRead = try await Self.readNext(&iterator) {
        if isRead { read += 1 } else { refused += 1 }
      }
      #expect(read + refused == count, "\(schema.name)")
      let areas = ["table_", "non_linear", "geometry"]
      if refused > 0 { #expect(areas.contains { schema.name.hasPrefix($0) }, "\(schema.name)") }
    }
  }

  @Test func `Only tables of features and attributes are shown`() async throws {
    #expect(try await Self.open("byte").schemas().isEmpty)
    #expect(try await Self.open("raster_and_vector").schemas().map(\.name) == ["poly"])
  }

  @Test func `Constraints are domains`() async throws {
    let schema = try #require(try await Self.open("domains").schemas().first)
    #expect(schema.objectIDField == "fid")
    #expect(
      schema.fields.map(\.type) == [
        .objectID, .integer, .bigInteger, .double, .string, .integer,
      ])
    #expect(
      schema.field(named: "with_range_domain_int")?.domain
        == .range(
          RangeDomain(name: "range_domain_int", minimum: .integer(1), maximum: .integer(1))))
    #expect(
      schema.field(named: "with_range_domain_int64")?.domain
        == .range(
          RangeDomain(
            name: "range_domain_int64", minimum: .integer(-1_234_567_890_122),
            maximum: .integer(1_234_567_890_123))))
    #expect(
      schema.field(named: "with_enum_domain")?.domain
        == .codedValue(
          CodedValueDomain(
            name: "enum_domain",
            codedValues: [
              CodedValue(code: .integer(1), name: "one"), CodedValue(code: .integer(2), name: "2"),
            ])))
    #expect(schema.field(named: "with_glob_domain")?.domain == nil)
  }

  @Test func `Areas on the British grid are found by box`() async throws {
    let package = try Self.open("poly_golden_gpkg_1_4")
    let schema = try #require(try await package.schemas().first)
    #expect(schema.spatialReference?.currentWKID == 27_700)
    #expect(schema.geometryType == .polygon)
    let all = QueryParameters()
    #expect(try await package.count(in: "poly", matching: all) == 10)
    let extent = try #require(try await package.extent(of: "poly", matching: all))
    #expect(extent == schema.extent)
    let corner = Envelope(
      xMin: extent.xMin, yMin: extent.yMin, xMax: extent.xMin + 1500, yMax: extent.yMax)
    let found = try await package.features(in: "poly", matching: .init(extent: corner)).collect()
    let expected = try await package.features(in: "poly", matching: all).collect()
      .filter { $0.geometry?.extent?.intersects(corner) ?? false }
    #expect(!found.isEmpty)
    #expect(found == expected)
  }

  @Test(arguments: ["2d_envelope", "3d_envelope", "no_envelope"])
  func `Shapes are found whatever box they carry`(_ name: String) async throws {
    let package = try Self.open(name)
    let features = try await package.features(in: "foo", matching: .init()).collect()
    #expect(!features.isEmpty)
    #expect(features.allSatisfy { $0.geometry?.paths.first?.z != nil })
    let box = Envelope(xMin: 0, yMin: 0, xMax: 3, yMax: 3)
    #expect(
      try await package.count(in: "foo", matching: .init(extent: box))
        == features.count { $0.geometry?.extent?.intersects(box) ?? false })
  }

  @Test func `Media are attachments`() async throws {
    let package = try Self.open("js-example")
    let names = try await package.schemas().map(\.name)
    #expect(!names.contains("media"))
    #expect(try await package.schema(of: "geometry1").hasAttachments)
    var sizes: [Int] = []
    for feature in try await package.features(
      in: "geometry1", matching: .init(returnsGeometry: false)
    ).collect() {
      for attachment in try await package.attachments(of: feature.objectID, in: "geometry1") {
        let data = try await package.data(of: attachment.id, in: "geometry1")
        #expect(data.count == attachment.size)
        #expect(attachment.contentType.hasPrefix("image/"))
        sizes.append(data.count)
      }
    }
    #expect(!sizes.isEmpty)
  }

  @Test func `Mapping tables relate features`() async throws {
    let package = try Self.open("relation_mapping_table")
    let schema = try await package.schema(of: "a")
    let relation = try #require(schema.relationships.first)
    #expect(relation.relatedTable == "b")
    #expect(relation.keyField == "some_id")
    #expect(relation.relatedKeyField == "other_id")
    let backwards = try #require(try await package.schema(of: "b").relationships.first)
    #expect(backwards.id == relation.id)
    #expect(backwards.role == .destination)
  }

  @Test func `A geodatabase is no GeoPackage, nor the other way round`() throws {
    let geodatabase = SharedFiles.url("samples/geodatabases/LA_Trails.geodatabase")
    #expect(throws: FeatureStoreError.self) { try GeoPackage.open(at: geodatabase) }
    let package = SharedFiles.url("samples/geopackage/domains.gpkg")
    #expect(throws: FeatureStoreError.self) { try Geodatabase.open(at: package) }
  }
}
