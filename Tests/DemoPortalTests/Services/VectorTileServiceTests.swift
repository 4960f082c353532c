import DemoPortal
import Foundation
import PortolanArchives
import PortolanJSON
import PortolanTestSupport
import PortolanTileFiles
import PortolanTiles
import PortolanTransport
import Testing

/// A service of vector tiles and the export of its tiles.
@Suite(.temporaryDirectory) struct VectorTileServiceTests {
  private static let service = "/arcgis/rest/services/MaineVector/VectorTileServer"

  @Test(.needsSharedFiles) func `Members that a recorded root has too are of the same kind`()
    async throws
  {
    let recorded = try JSONValue(
      parsing: SharedFiles.data(
        "fixtures/vectortile/maplibre-arcgis__VectorTileLayer_usa_service-info.json"))
    let root = try await ServiceClient().json(Self.service, ["f": "json"])
    let unserved: Set = [
      "publishJobId", "jobServiceId", "ownerUserName", "id", "sourceServiceName",
      "sourceServiceType", "tileContainerName", "creationDate", "datasource",
    ]
    for member in recorded.object?.members ?? [] where !unserved.contains(member.name) {
      #expect(root[member.name]?.kind == member.value.kind, "\"\(member.name)\"")
    }
  }

  @Test func `The style leads to everything that it names`() async throws {
    let client = try ServiceClient()
    let style = try await client.json("\(Self.service)/resources/styles")
    #expect(style["version"]?.int == 8)
    #expect(style["sources"]?["esri"]?["url"]?.string == "../../")
    for name in [
      "sprites/sprite.json", "sprites/sprite@2x.png", "fonts/Portolan%20Sans%20Regular/0-255.pbf",
    ] {
      let answer = try await client.answer("\(Self.service)/resources/\(name)")
      #expect(answer.status == 200)
      #expect(try !answer.data.isEmpty)
    }
    #expect(try await client.answer("\(Self.service)/resources/../x").status == 404)
  }

  @Test func `The index says which tiles there are`() async throws {
    let client = try ServiceClient()
    let index = try await client.json("\(Self.service)/tilemap")["index"]
    #expect(index?.array?.count == 4)
    // North America is in the north-west of the world.
    #expect(index?[0]?.array != nil)
    #expect(index?[3]?.int == 0)
    let tile = try await client.answer("\(Self.service)/tile/6/23/19.pbf")
    #expect(tile.headers["Content-Encoding"] == "gzip")
    #expect(try Gzip.decompress(tile.data, limit: 1 << 20, name: "tile").isEmpty == false)
    #expect(try await client.answer("\(Self.service)/tile/6/0/0.pbf").status == 404)
  }

  @Test func `Exported tiles come as an indexed package`() async throws {
    let client = try ServiceClient()
    let submitted = try await client.json(
      "\(Self.service)/exportTiles",
      [
        "exportBy": "levelId", "storageFormatType": "Compact", "tilePackage": "False",
        "levels": "0-8",
      ])
    let job = "\(Self.service)/jobs/\(try #require(submitted["jobId"]?.string))"
    _ = try await client.json(job)
    _ = try await client.json(job)
    let folder = try await client.json("\(job)/results/out_service_url")
    let files = try await client.json(try ServiceClient.path(of: folder["value"]))
    #expect(files["files"]?[0]?["name"]?.string == "MaineVector.vtpk")
    let data = try await client.body(try ServiceClient.path(of: files["files"]?[0]?["url"]))
    let package = try VectorTilePackage.open(MemoryByteSource(data, name: "a.vtpk"))
    #expect(package.isIndexed)
    #expect(try package.tileMap()?.tileCounts == package.tileCounts())
    #expect(try package.sprites(scale: .double).count == 1)
    #expect(try package.glyphs(fontStack: "Portolan Sans Regular", range: 0...255) != nil)
    #expect(try package.metadata()?["vector_layers"]?.array?.count == 5)
    #expect(try package.itemInformation()?.type == "Vector Tile Package")
    let served = try await client.body("\(Self.service)/tile/6/23/19.pbf")
    #expect(try package.tile(at: TileID(level: 6, row: 23, column: 19))?.data == served)
  }

  /// GDAL reads the tiles by their specification.
  @Test(.needsTool("ogrinfo"))
  func `Another reader finds the features in a tile`() async throws {
    let tile = try await ServiceClient().body("\(Self.service)/tile/6/23/19.pbf")
    let file = temporaryDirectory.appending(path: "19.pbf")
    try Gzip.decompress(tile, limit: 1 << 20, name: "tile").write(to: file)
    let output = try Tool.run(
      "ogrinfo", ["-al", "-ro", "MVT:\(file.path(percentEncoded: false))"]
    ).output
    #expect(output.contains("Layer name: Lighthouses"))
    #expect(output.contains("Layer name: Parks"))
    #expect(output.contains("Portland Head"))
  }
}
