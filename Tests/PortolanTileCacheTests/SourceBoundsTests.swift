import Foundation
import PortolanGeometry
import PortolanTestSupport
import PortolanTileCache
import Testing

/// The ground that a source covers, as its description says.
@Suite struct SourceBoundsTests {
  private func source(_ document: String, at address: String) async throws -> MapCacheConfig {
    let reader = TileSourceReader(
      transport: StubTransport { request in .data(Data(document.utf8), to: request) })
    return try await reader.source(at: address)
  }

  @Test(arguments: ["[-70.5, 43, -69, 44.25]", #""-70.5, 43,-69,44.25""#])
  func `TileJSON names it by numbers or by a text`(_ bounds: String) async throws {
    let config = try await source(
      #"{"tiles": ["https://h/{z}/{x}/{y}.png"], "bounds": \#(bounds)}"#, at: "https://h/t.json")
    #expect(config.bounds == Envelope(xMin: -70.5, yMin: 43, xMax: -69, yMax: 44.25))
    #expect(try MapCacheConfig(json: config.json) == config)
  }

  @Test(arguments: ["[1, 2, 3]", "[3, 2, 1, 4]", "[1, -200, 3, 4]", #""no""#, "null"])
  func `What is no box says nothing`(_ bounds: String) async throws {
    let config = try await source(
      #"{"tiles": ["https://h/{z}/{x}/{y}.png"], "bounds": \#(bounds)}"#, at: "https://h/t.json")
    #expect(config.bounds == nil)
  }

  @Test func `A tiled service names it in metres`() async throws {
    let side = 20_037_508.342787
    let document = """
      {"tileInfo": {"rows": 256, "cols": 256, "dpi": 96, "origin": {"x": \(-side), "y": \(side)},
         "spatialReference": {"wkid": 102100}, "lods": [
           {"level": 0, "resolution": 156543.03392800014, "scale": 591657527.591555}]},
       "fullExtent": {"xmin": \(-side / 2), "ymin": 0, "xmax": 0, "ymax": \(side / 4),
         "spatialReference": {"wkid": 102100, "latestWkid": 3857}}}
      """
    let config = try await source(document, at: "https://h/Relief/MapServer")
    let bounds = try #require(config.bounds)
    #expect(abs(bounds.xMin + 90) < 1e-6 && abs(bounds.xMax) < 1e-6 && abs(bounds.yMin) < 1e-6)
    #expect(abs(bounds.yMax - 40.979_898) < 1e-5)
  }
}
