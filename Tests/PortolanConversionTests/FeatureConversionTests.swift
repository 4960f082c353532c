import Foundation
import PortolanFeatures
import PortolanGeoPackage
import PortolanGeodatabase
import PortolanGeometry
import PortolanTestSupport
import Testing

@testable import PortolanConversion

@Suite(.temporaryDirectory) struct FeatureConversionTests {
  @Test(.needsSharedFiles, arguments: SampleFiles.geodatabases)
  func `A geodatabase made of a geodatabase holds the same`(path: String) async throws {
    let source = try Geodatabase.open(at: SampleFiles.url(path))
    let url = temporaryDirectory.appending(path: "copy.geodatabase")
    let result = try await convert(source, to: url)
    #expect(result.isComplete)
    #expect(result.tables.allSatisfy { $0.readCount == $0.writtenCount })
    #expect(result.size > 0)
    #expect(try filesLeft() == ["copy.geodatabase"])
    let copy = try Geodatabase.open(at: url)
    try await FeatureComparison(tolerance: 0.001).expectSame(source, copy)
    for (first, second) in zip(try await source.schemas(), try await copy.schemas()) {
      #expect(first.fields.map(\.name) == second.fields.map(\.name))
      #expect(first.fields.map(\.alias) == second.fields.map(\.alias))
      #expect(first.fields.map(\.type) == second.fields.map(\.type))
      #expect(first.fields.map(\.domain) == second.fields.map(\.domain))
      #expect(first.types.count == second.types.count)
      #expect(first.geometryType == second.geometryType)
      #expect(
        first.spatialReference?.currentWKID == second.spatialReference?.currentWKID)
    }
  }

  @Test(.needsSharedFiles, arguments: SampleFiles.geodatabases)
  func `GeoJSON keeps features, and gives them back`(path: String) async throws {
    let source = try Geodatabase.open(at: SampleFiles.url(path))
    let folder = temporaryDirectory.appending(path: "layers")
    let result = try await convert(source, to: folder, .init(coordinates: .native))
    #expect(result.isComplete)
    let comparison = FeatureComparison(ignoresTypes: true)
    for table in result.tables {
      let file = folder.appending(path: try #require(table.file))
      let text = try await GeoJSONFile.open(at: file)
      #expect(text.damagedCount == 0)
      try await comparison.expectSame(table.source, source, text)
      let url = temporaryDirectory.appending(path: "back.geodatabase")
      try await convert(text, to: url, .init(replacesTarget: true))
      try await FeatureComparison(tolerance: 0.001, ignoresTypes: true)
        .expectSame(table.source, text, try Geodatabase.open(at: url))
    }
  }

  @Test(.needsSharedFiles, arguments: SampleFiles.geodatabases)
  func `A GeoPackage keeps a geodatabase, and gives it back`(path: String) async throws {
    let source = try Geodatabase.open(at: SampleFiles.url(path))
    let url = temporaryDirectory.appending(path: "there.gpkg")
    #expect(try await convert(source, to: url).isComplete)
    let package = try GeoPackage.open(at: url)
    // The values are written as they were read, to the last bit.
    try await FeatureComparison().expectSame(source, package)
    let back = temporaryDirectory.appending(path: "back.geodatabase")
    #expect(try await convert(package, from: url, to: back).isComplete)
    let copy = try Geodatabase.open(at: back)
    try await FeatureComparison(tolerance: 0.001).expectSame(source, copy)
    for (first, second) in zip(try await source.schemas(), try await copy.schemas()) {
      #expect(first.name == second.name)
      #expect(first.fields.map(\.alias) == second.fields.map(\.alias))
      #expect(first.fields.map(\.type) == second.fields.map(\.type))
      #expect(first.fields.map(\.domain) == second.fields.map(\.domain))
      #expect(first.types.map(\.name) == second.types.map(\.name))
      #expect(first.hasAttachments == second.hasAttachments)
      #expect(first.relationships.count == second.relationships.count)
    }
  }

  @Test(.needsSharedFiles, .needsGDAL, arguments: SampleFiles.geodatabases)
  func `GDAL reads every feature`(path: String) async throws {
    let source = try Geodatabase.open(at: SampleFiles.url(path))
    let url = temporaryDirectory.appending(path: "there.gpkg")
    let result = try await convert(source, to: url)
    let text = try GDAL.run(["ogrinfo", "-ro", "-q", "-al", url.path(percentEncoded: false)])
    let count = text.split(separator: "\n").count { $0.hasPrefix("OGRFeature(") }
    #expect(count == result.tables.reduce(0) { $0 + $1.writtenCount })
    #expect(!text.contains("ERROR 1"))
  }

  @Test(.needsSharedFiles)
  func `Attachments and curves of a GeoPackage are converted with its features`() async throws {
    let path = SharedFiles.url("samples/geopackage/java_example.gpkg")
    let url = temporaryDirectory.appending(path: "java.geodatabase")
    let package = try GeoPackage.open(at: path)
    let result = try await convert(package, from: path, to: url)
    #expect(result.tables.reduce(0) { $0 + $1.attachmentCount } > 0)
    #expect(result.isComplete)
    let copy = try Geodatabase.open(at: url)
    let table = try #require(result.tables.first { $0.attachmentCount > 0 })
    var count = 0
    for row in try await copy.features(in: table.name, matching: QueryParameters()).collect() {
      for attachment in try await copy.attachments(of: row.objectID, in: table.name) {
        let data = try await copy.data(of: attachment.id, in: table.name)
        #expect(data.count == attachment.size)
        count += 1
      }
    }
    #expect(count == table.attachmentCount)
  }

  @Test(.needsSharedFiles, arguments: ["js.geodatabase", "js.gpkg"])
  func `Features that share an attachment each keep it`(_ name: String) async throws {
    let path = SharedFiles.url("samples/geopackage/js-example.gpkg")
    let package = try GeoPackage.open(at: path)
    let url = temporaryDirectory.appending(path: name)
    let result = try await convert(package, from: path, to: url)
    #expect(result.isComplete)
    let tables = result.tables.filter { $0.attachmentCount > 0 }
    #expect(tables.map(\.name) == ["geometry1", "geometry2"])
    #expect(tables.map(\.attachmentCount) == [2, 3] && tables.map(\.writtenCount) == [3, 3])
  }

  @Test(.needsSharedFiles)
  func `Tiles beside features are named, and converted when asked for`() async throws {
    let path = SharedFiles.url("samples/geopackage/raster_and_vector.gpkg")
    let package = try GeoPackage.open(at: path)
    let url = temporaryDirectory.appending(path: "poly.geojson")
    let result = try await convert(package, from: path, to: url)
    #expect(result.notes.contains { $0.contains("tiles") })
  }

  @Test func `Files in the way of a name give way`() async throws {
    let store = try await GeoJSONText.store(
      GeoJSONText.collection(
        [GeoJSONText.point(#""Name":"a","name":"b","Shape":"c","":"d","e\u0007":1"#)],
        members: "\"name\":\"gdb_items\","))
    let url = temporaryDirectory.appending(path: "names.geodatabase")
    let result = try await convert(store, to: url)
    #expect(result.tables.map(\.name) == ["t_gdb_items"])
    let copy = try Geodatabase.open(at: url)
    let row = try await copy.features(in: "t_gdb_items", matching: QueryParameters()).collect()[0]
    let values = ["Name", "name_2", "Shape_2", "field", "e"].map { row.attributes[$0] }
    #expect(values == [.text("a"), .text("b"), .text("c"), .text("d"), .integer(1)])
    #expect(result.notes.count == 5)
  }

  @Test func `Mixed shapes and other references arrive`() async throws {
    let store = try await GeoJSONText.store(
      GeoJSONText.collection(
        [
          GeoJSONText.shape("Point", "[500000,5000000]"),
          GeoJSONText.shape("LineString", "[[500000,5000000,7],[600000,5000000]]"),
        ], members: #""crs":{"properties":{"name":"EPSG:25832"}},"#))
    let url = temporaryDirectory.appending(path: "utm.geodatabase")
    try await convert(store, to: url)
    let copy = try Geodatabase.open(at: url)
    #expect(try await copy.schemas().map(\.name) == ["file_points", "file_lines"])
    #expect(try await copy.schemas().map(\.spatialReference?.currentWKID) == [25_832, 25_832])
    try await FeatureComparison(tolerance: 0.001).expectSame(store, copy)
    let degrees = temporaryDirectory.appending(path: "degrees")
    try await convert(copy, to: degrees)
    let points = try await GeoJSONFile.open(at: degrees.appending(path: "file_points.geojson"))
    guard case .point(let point)? = try await GeoJSONText.rows(points)[0].geometry else {
      Issue.record("no point")
      return
    }
    #expect(abs(point.x - 9) < 1e-6)
    #expect(abs(point.y - 45.153) < 0.01)
  }

  @Test func `One layer is chosen by name, and only by name`() async throws {
    let store = InMemoryFeatureStore([.rows("a", 3), .rows("b", 2)])
    let url = temporaryDirectory.appending(path: "one.geojson")
    await #expect(
      throws: ConversionError.severalLayers(file: "one.geojson", available: ["a", "b"])
    ) {
      try await convert(store, to: url)
    }
    do {
      _ = try await convert(store, to: url, .init(layer: "Cities"))
      Issue.record("a layer that there is not was converted")
    } catch ConversionError.noSuchLayer(let name, _, let available) {
      #expect(name == "Cities" && available == ["a", "b"])
    }
    #expect(try filesLeft() == [])
    let result = try await convert(store, to: url, .init(layer: "B"))
    #expect(result.tables == [.init(source: "b", name: "b", readCount: 2, writtenCount: 2)])
  }
}
