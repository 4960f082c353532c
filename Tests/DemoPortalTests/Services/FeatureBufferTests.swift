import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import Testing

/// Answers in Esri's buffers, read by the reader that is held against recorded ones.
@Suite struct FeatureBufferTests {
  @Test(arguments: 0...6) func `A buffer says the same as JSON`(_ layer: Int) async throws {
    let client = try ServiceClient()
    let path = "\(ServiceClient.maine)/\(layer)/query"
    let json = try await client.json(path, ["where": "1=1", "outFields": "*", "f": "json"])
    let wanted = try #require(FeatureSet(json: json))
    let buffer = try await client.body(path, ["where": "1=1", "outFields": "*", "f": "pbf"])
    let set = try FeatureSet(parsingPBF: buffer)
    #expect(set.objectIDField == wanted.objectIDField)
    #expect(set.geometryType == wanted.geometryType)
    #expect(set.spatialReference == wanted.spatialReference)
    #expect(set.fields.map(\.name) == wanted.fields.map(\.name))
    #expect(set.fields.map(\.type) == wanted.fields.map(\.type))
    #expect(set.features.map(\.objectID) == wanted.features.map(\.objectID))
    for (feature, other) in zip(set.features, wanted.features) {
      #expect(feature.attributes.values == other.attributes.values)
      try Self.expectSame(feature.geometry, other.geometry, within: 0.0001)
    }
  }

  private static func expectSame(
    _ shape: Geometry?, _ other: Geometry?, within tolerance: Double
  ) throws {
    #expect((shape == nil) == (other == nil))
    guard let shape, let other else { return }
    #expect(shape.type == other.type)
    #expect(shape.paths.map(\.count) == other.paths.map(\.count))
    for (path, otherPath) in zip(shape.paths, other.paths) {
      for (one, two) in zip(path.coordinates, otherPath.coordinates) {
        #expect(abs(one.x - two.x) <= tolerance && abs(one.y - two.y) <= tolerance)
      }
    }
  }

  @Test func `In degrees nothing is lost either`() async throws {
    let client = try ServiceClient()
    let path = "\(ServiceClient.maine)/4/query"
    let json = try await client.json(path, ["where": "1=1", "outSR": "4326", "f": "json"])
    let wanted = try #require(FeatureSet(json: json))
    let set = try FeatureSet(
      parsingPBF: await client.body(path, ["where": "1=1", "outSR": "4326", "f": "pbf"]))
    #expect(set.spatialReference?.isWGS84 == true)
    for (feature, other) in zip(set.features, wanted.features) {
      try Self.expectSame(feature.geometry, other.geometry, within: 1e-8)
    }
  }

  @Test func `A page that is cut says so`() async throws {
    let set = try FeatureSet(
      parsingPBF: await ServiceClient().body(
        "\(ServiceClient.maine)/0/query",
        ["where": "1=1", "resultRecordCount": "3", "f": "pbf"]))
    #expect(set.features.count == 3)
    #expect(set.exceedsTransferLimit)
  }
}

/// Hosted layers, as other programs read them.
@Suite(.temporaryDirectory, .needsTool("ogrinfo")) struct ForeignClientTests {
  @Test(arguments: [(2, "Polygon"), (0, "Point"), (4, "Line String")])
  func `GDAL reads a layer page by page`(
    _ layer: Int, shape: String
  ) async throws {
    let client = try ServiceClient()
    let answer = try await client.json(
      "\(ServiceClient.maine)/\(layer)/query", ["where": "1=1", "returnCountOnly": "true"])
    let count = try #require(answer["count"]?.int)
    let server = try DemoServer(client.portal)
    let address =
      "\(server.url.absoluteString)/arcgis/rest/services/ExploreMaine/FeatureServer/\(layer)"
      + "/query?where=1%3D1&outFields=*&resultRecordCount=4&orderByFields=OBJECTID&f=json"
    let arguments = ["-ro", "-al", "-so", "ESRIJSON:\(address)"]
    let result = try await Tool.runOnThread("ogrinfo", arguments)
    await server.stop()
    #expect(result.output.contains("Feature Count: \(count)"), "\(result.output)\(result.errors)")
    #expect(result.output.contains(shape))
    #expect(result.output.contains("3857"))
  }
}
