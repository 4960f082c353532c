import DemoPortal
import Foundation
import PortolanArchives
import PortolanGeometry
import PortolanJSON
import PortolanTestSupport
import PortolanTileFiles
import PortolanTiles
import PortolanTransport
import Testing

/// A map service of pictures and the export of its tiles.
@Suite struct TileServiceTests {
  private static let service = "/arcgis/rest/services/MaineBackdrop/MapServer"
  private static let area = "-7900000,5300000,-7500000,5600000"

  @Test func `The root describes a cache whose scheme is read back`() async throws {
    let root = try await ServiceClient().json(Self.service, ["f": "json"])
    #expect(root["singleFusedMapCache"]?.bool == true)
    #expect(root["exportTilesAllowed"]?.bool == true)
    let scheme = try TileScheme(tileInfo: try #require(root["tileInfo"]), file: "root")
    #expect(scheme.spatialReference.isWebMercator)
    #expect(scheme.tileWidth == 256)
  }

  @Test(.needsSharedFiles) func `Members that a recorded root has too are of the same kind`()
    async throws
  {
    let recorded = try JSONValue(
      parsing: SharedFiles.data("fixtures/mapserver/terriajs__SingleFusedMapCache_mapserver.json"))
    let root = try await ServiceClient().json(Self.service, ["f": "json"])
    for member in recorded.object?.members ?? [] where !member.value.isNull {
      guard let value = root[member.name] else { continue }
      #expect(value.kind == member.value.kind, "\"\(member.name)\"")
    }
    for name in ["tileInfo", "layers", "fullExtent", "capabilities", "units"] {
      #expect(root[name] != nil && recorded[name] != nil)
    }
  }

  @Test func `Tiles are pictures, and missing ones are not found`() async throws {
    let client = try ServiceClient()
    let tile = try await client.answer("\(Self.service)/tile/6/23/19")
    #expect(tile.headers["Content-Type"] == "image/png")
    #expect(try tile.data.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
    for address in ["6/0/0", "99/0/0", "-1/2/3", "6/23/99999999999999999999", "a/b/c"] {
      #expect(try await client.answer("\(Self.service)/tile/\(address)").status == 404)
    }
  }

  @Test func `The map of tiles says which there are`() async throws {
    let client = try ServiceClient()
    let map = try await client.json("\(Self.service)/tilemap/6/22/18/4/4")
    #expect(map["valid"]?.bool == true)
    #expect(map["data"]?.array?.count == 16)
    #expect(map["location"]?["left"]?.int == 18)
    let none = try await client.json("\(Self.service)/tilemap/6/0/0/4/4")
    #expect(none["error"]?["code"]?.int == 422)
    let huge = try await client.json("\(Self.service)/tilemap/6/0/0/99999/99999")
    #expect(huge["error"]?["code"]?.int == 400)
  }

  @Test(arguments: [
    ("esriMapCacheStorageModeCompactV2", "/exportTiles/jobs/", "tpkx"),
    ("esriMapCacheStorageModeCompact", "/jobs/", "tpk"),
  ])
  func `Exported tiles come as a package`(
    _ storage: String, jobs: String, name: String
  )
    async throws
  {
    let client = try ServiceClient()
    let submitted = try await client.json(
      "\(Self.service)/exportTiles",
      [
        "f": "json", "tilePackage": "True", "exportExtent": Self.area, "exportBy": "LevelID",
        "levels": "5-5,6", "storageFormat": storage, "optimizeTilesForSize": "True",
        "compressionQuality": "75",
      ])
    let id = try #require(submitted["jobId"]?.string)
    let job = "\(Self.service)\(jobs)\(id)"
    #expect(try await client.json(job)["jobStatus"]?.string == "esriJobExecuting")
    let done = try await client.json(job)
    #expect(done["jobStatus"]?.string == "esriJobSucceeded")
    let result = try #require(done["results"]?["out_service_url"]?["paramUrl"]?.string)
    let folder = try await client.json("\(job)/\(result)")
    let files = try await client.json(try ServiceClient.path(of: folder["value"]))
    #expect(files["files"]?[0]?["name"]?.string == "MaineBackdrop.\(name)")
    let data = try await client.body(try ServiceClient.path(of: files["files"]?[0]?["url"]))
    let package = try TilePackage.open(MemoryByteSource(data, name: "a.\(name)"))
    #expect(try package.tileCounts().keys.sorted() == [5, 6])
    #expect(try package.tile(at: TileID(level: 6, row: 23, column: 19)) != nil)
  }

  @Test func `A service may answer as ArcGIS Online does`() async throws {
    let client = try ServiceClient(looksPerJob: 0)
    let service = "/arcgis/rest/services/MaineBackdropOnline/MapServer"
    let submitted = try await client.json(
      "\(service)/exportTiles", ["levels": "5", "exportExtent": Self.area])
    let done = try await client.json(
      "\(service)/jobs/\(try #require(submitted["jobId"]?.string))")
    #expect(done["status"]?.string == "esriJobSucceeded")
    #expect(done["jobStatus"] == nil)
    let data = try await client.body(try ServiceClient.path(of: done["output"]?["outputUrl"]?[0]))
    let package = try TilePackage.open(MemoryByteSource(data, name: "a.tpk"))
    #expect(try package.tileCounts().keys.sorted() == [5])
  }

  @Test func `A polygon exports only the tiles that it touches`() async throws {
    let client = try ServiceClient()
    let polygon = """
      {"features":[{"geometry":{"rings":[[[-71,43],[-71,47],[-70.9,47],[-71,43]]],
      "spatialReference":{"wkid":4326}}}]}
      """
    let all = try await estimate(client, ["levels": "9", "exportExtent": "DEFAULT"])
    let some = try await estimate(client, ["levels": "9", "areaOfInterest": polygon])
    #expect((some["totalTilesToExport"]?.int ?? 0) < (all["totalTilesToExport"]?.int ?? 0))
    #expect((some["totalSize"]?.int ?? 0) > 0)
  }

  private func estimate(
    _ client: ServiceClient, _ parameters: KeyValuePairs<String, String>
  ) async throws -> JSONValue {
    let path = "\(Self.service)/estimateExportTilesSize"
    let submitted = try await client.json(path, parameters)
    let job = "\(path)/jobs/\(try #require(submitted["jobId"]?.string))"
    _ = try await client.json(job)
    _ = try await client.json(job)
    let result = try await client.json("\(job)/results/out_service_url")
    return try #require(result["value"])
  }

  @Test func `An export of too many tiles fails with the reason`() async throws {
    let client = try ServiceClient()
    let submitted = try await client.json(
      "\(Self.service)/exportTiles", ["levels": "12", "exportExtent": "DEFAULT"])
    let job = "\(Self.service)/jobs/\(try #require(submitted["jobId"]?.string))"
    _ = try await client.json(job)
    let failed = try await client.json(job)
    #expect(failed["jobStatus"]?.string == "esriJobFailed")
    #expect(failed["messages"]?[0]?["type"]?.string == "esriJobMessageTypeError")
    #expect(
      failed["messages"]?[0]?["description"]?.string?.contains("exceeds the maximum") == true)
  }

  @Test func `A job is cancelled`() async throws {
    let client = try ServiceClient()
    let submitted = try await client.json(
      "\(Self.service)/exportTiles", ["levels": "5", "exportExtent": Self.area])
    let job = "\(Self.service)/exportTiles/jobs/\(try #require(submitted["jobId"]?.string))"
    #expect(
      try await client.json("\(job)/cancel")["jobStatus"]?.string == "esriJobCancelled")
    #expect(try await client.json(job)["jobStatus"]?.string == "esriJobCancelled")
  }

  @Test(arguments: ["levels=x", "levels=7-5", "levels=77", "exportExtent=1,2", "polygon={"])
  func `An invalid request is a bad request`(_ query: String) async throws {
    let answer = try await ServiceClient().json("\(Self.service)/exportTiles?\(query)")
    #expect(answer["error"]?["code"]?.int == 400)
  }
}

/// A map service over a feature service: legend and identify.
@Suite struct MapServiceTests {
  private static let service = "/arcgis/rest/services/ExploreMaine/MapServer"

  @Test func `The legend has a picture for each kind of feature`() async throws {
    let client = try ServiceClient()
    let legend = try await client.json("\(Self.service)/legend", ["f": "json"])
    let layers = try #require(legend["layers"]?.array)
    #expect(layers.count == 6)
    let entry = try #require(layers[1]["legend"]?[0])
    let data = try #require(entry["imageData"]?.string.flatMap { Data(base64Encoded: $0) })
    #expect(data.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
    let url = try #require(entry["url"]?.string)
    #expect(try await client.body("\(Self.service)/1/images/\(url)") == data)
  }

  @Test func `Identified features are shown with their field names`() async throws {
    let client = try ServiceClient()
    let answer = try await client.json(
      "\(Self.service)/identify",
      [
        "geometry": #"{"x":-70.2079,"y":43.6231}"#, "geometryType": "esriGeometryPoint",
        "sr": "4326", "layers": "all:0,1", "tolerance": "10",
        "mapExtent": "-71,43,-69,44", "imageDisplay": "400,400,96", "f": "json",
      ])
    let result = try #require(answer["results"]?.array?.first { $0["layerId"]?.int == 1 })
    #expect(result["displayFieldName"]?.string == "NAME")
    #expect(result["attributes"]?["Name"]?.string == result["value"]?.string)
    #expect(result["attributes"]?["First lit"]?.string != nil)
    #expect(result["geometryType"]?.string == "esriGeometryPoint")
  }

  @Test(
    arguments: [
      ("searchText=HEAD light&layers=0,1", true), ("searchText=Portland Head&layers=1", true),
      ("searchText=portland&layers=1&searchFields=NAME", true),
      ("searchText=portland&layers=1&searchFields=LIT", false),
      ("searchText=portland head light&layers=1&contains=false", false),
      ("searchText=Portland Head Light&layers=1&contains=false", true),
      ("searchText=portland&layers=2", false),
      (#"searchText=Portland Head&layers=1&layerDefs={"1":"1=2"}"#, false),
    ])
  func `A text is found in the fields of a map service's layers`(
    _ query: String, _ isFound: Bool
  ) async throws {
    let query = try #require(
      query.addingPercentEncoding(
        withAllowedCharacters: .urlQueryAllowed))
    let answer = try await ServiceClient().json("\(Self.service)/find?f=json&sr=3857&\(query)")
    let results = try #require(answer["results"]?.array)
    let found = results.first { $0["attributes"]?["Name"]?.string == "Portland Head Light" }
    #expect((found != nil) == isFound)
    guard let found else { return }
    #expect(found["foundFieldName"]?.string == "NAME")
    #expect(found["value"]?.string == "Portland Head Light")
    // The position of the light, in metres of Web Mercator.
    let x = try #require(found["geometry"]?["x"]?.double)
    #expect(abs(x + 7_815_507) < 200)
  }

  @Test(arguments: [
    "searchText=light", "layers=1", "searchText=&layers=1", "searchText=a&layers=x",
  ])
  func `A search without text or layers is a bad one`(_ query: String) async throws {
    let answer = try await ServiceClient().json("\(Self.service)/find?\(query)")
    #expect(answer["error"]?["code"]?.int == 400)
  }

  @Test(arguments: ["", "geometry=1,2", "geometry={&mapExtent=0,0,1,1&imageDisplay=1,1,1"])
  func `A request without shape or picture is a bad one`(_ query: String) async throws {
    let answer = try await ServiceClient().json("\(Self.service)/identify?\(query)")
    #expect(answer["error"]?["code"]?.int == 400)
  }
}
