import Foundation
import PortolanHTTPServer
import PortolanJSON
import PortolanTestSupport
import Testing

/// Regions of tiles that a process of its own works on.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct TileRegionProcessTests {
  private static let box = "--bbox=10,10,12.7,12.7"

  private var home: URL { temporaryDirectory.appending(path: "home") }

  private func run(_ words: [String]) async throws -> PortolanProcess.Output {
    try await PortolanProcess.run(words, home: home)
  }

  /// Serves pictures until `body` is done.
  private func withServer(
    _ body: (CountedTileServer, String) async throws -> Void
  ) async throws {
    let tiles = CountedTileServer(picture: try #require(Data(base64Encoded: Self.picture)))
    let server = try HTTPServer(HTTPServer.Configuration(), handler: tiles)
    do {
      try await body(tiles, "http://127.0.0.1:\(server.port)/{z}/{x}/{y}.png")
    } catch {
      tiles.letGo()
      await server.stop()
      throw error
    }
    tiles.letGo()
    await server.stop()
  }

  @Test func `A region resumes after its process was killed, and fetches nothing twice`()
    async throws
  {
    try await withServer { tiles, address in
      let parallel = 4
      tiles.holdBack(after: 100)
      let words = [
        "tiles", "download", "K", "--source", address, "--allow-bulk", "--levels=8-10", Self.box,
        "--parallel=\(parallel)", "--json",
      ]
      // The tiles that had arrived are kept but for a batch that was being collected.
      try await killWhenHeldBack(words, tiles, count: parallel, stored: 100 - 64)
      let before = try JSONValue(parsing: try await run(["tiles", "regions", "--json"]).text)
      #expect(before["regions"]?[0]?["status"] == "interrupted")
      #expect(before["regions"]?[0]?["actions"] == ["resume", "update", "export", "delete"])
      let stored = try #require(before["regions"]?[0]?["tiles"]?["stored"]?.int)
      tiles.letGo()
      let end = try await run(["tiles", "download", "K", "--json", "--quiet"])
      #expect(end.status == 0, "\(end.notes)")
      let region = try JSONValue(parsing: end.text)
      let planned = try #require(region["tiles"]?["planned"]?.int)
      #expect(region["status"] == "complete" && region["tiles"]?["stored"]?.int == planned)
      #expect(tiles.counts.count == planned)
      // Twice is what was under way or not written when the process was killed, and no more.
      let twice = tiles.counts.filter { $0.value > 1 }
      #expect(twice.values.allSatisfy { $0 == 2 })
      #expect(twice.count <= 100 - stored + parallel)
    }
  }

  /// Starts a download and kills its process once the server holds back what it asks for and
  /// another process sees so many tiles in the cache.
  private func killWhenHeldBack(
    _ words: [String], _ tiles: CountedTileServer, count: Int, stored: Int
  ) async throws {
    let process = PortolanProcess.make(words, home: home)
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try PortolanProcess.start(process)
    while tiles.heldBack < count, process.isRunning { await Task.yield() }
    var seen = 0
    while seen < stored, process.isRunning {
      let regions = try JSONValue(parsing: try await run(["tiles", "regions", "--json"]).text)
      seen = regions["regions"]?[0]?["tiles"]?["stored"]?.int ?? 0
    }
    #expect(process.isRunning)
    Foundation.kill(process.processIdentifier, SIGKILL)
    try await PortolanProcess.end(of: process)
  }

  @Test(.needsTool("gdalinfo")) func `GDAL reads what is exported`() async throws {
    try await withServer { _, address in
      try await download(address)
      let file = temporaryDirectory.appending(path: "out.mbtiles")
      let exported = try await run(
        ["tiles", "export", "K", file.path(percentEncoded: false), "--quiet"])
      #expect(exported.status == 0, "\(exported.notes)")
      let info = try Tool.run("gdalinfo", file.path(percentEncoded: false))
      #expect(info.status == 0, "\(info.errors)")
      #expect(info.output.contains("Driver: MBTiles/MBTiles"))
      #expect(info.output.contains("ZOOM_LEVEL=10") || info.output.contains("maxzoom=10"))
    }
  }

  @Test(.needsTool("pmtiles-show"), .needsTool("pmtiles-convert"))
  func `The tools for PMTiles read what is exported`() async throws {
    try await withServer { _, address in
      try await download(address)
      let file = temporaryDirectory.appending(path: "out.pmtiles").path(percentEncoded: false)
      let exported = try await run(["tiles", "export", "K", file, "--json", "--quiet"])
      #expect(exported.status == 0, "\(exported.notes)")
      let shown = try await Tool.runOnThread("pmtiles-show", [file])
      #expect(shown.status == 0, "\(shown.errors)")
      let other = temporaryDirectory.appending(path: "theirs.mbtiles").path(percentEncoded: false)
      let converted = try await Tool.runOnThread("pmtiles-convert", [file, other])
      #expect(converted.status == 0, "\(converted.errors)")
      let imported = try await run(["tiles", "import", other, "--name", "Back", "--quiet"])
      #expect(imported.status == 0, "\(imported.notes)")
      let regions = try JSONValue(parsing: try await run(["tiles", "regions", "--json"]).text)
      let counts = regions["regions"]?.array?.map { $0["tiles"]?["stored"]?.int }
      #expect(counts?.count == 2 && counts?.first == counts?.last)
    }
  }

  private func download(_ address: String) async throws {
    let output = try await run([
      "tiles", "download", "K", "--source", address, "--allow-bulk", "--levels=8-10", Self.box,
      "--quiet",
    ])
    #expect(output.status == 0, "\(output.notes)")
  }

  @Test(.needsTool("gdal_translate"))
  func `GDAL reads what is served, as XYZ and as WMTS, without the server behind it`() async throws
  {
    try await withServer { tiles, address in
      try await download(address)
      let asked = tiles.counts
      let (process, line) = try await serve(["tiles", "serve", "K", "--json"])
      let served = try JSONValue(parsing: line)
      let layer = try #require(served["layers"]?[0])
      let template = try #require(layer["xyz"]?.string)
      let source = temporaryDirectory.appending(path: "tms.xml")
      try Data(Self.tms(template).utf8).write(to: source)
      let picture = temporaryDirectory.appending(path: "out.png").path(percentEncoded: false)
      // The ground of one tile of level 8.
      let tms = try await Tool.runOnThread(
        "gdal_translate",
        [
          "-projwin", "1095801.24", "1408887.31", "1252344.27", "1252344.27", "-outsize", "256",
          "256", "-of", "PNG", source.path(percentEncoded: false), picture,
        ])
      #expect(tms.status == 0, "\(tms.errors)")
      try await expectRed(picture)
      let wmts = try #require(layer["wmts"]?.string)
      let info = try await Tool.runOnThread("gdalinfo", ["WMTS:\(wmts)"])
      #expect(info.status == 0, "\(info.errors)")
      #expect(info.output.contains("Driver: WMTS"))
      let read = try await Tool.runOnThread(
        "gdal_translate",
        [
          "-projwin", "1135000", "1400000", "1235000", "1300000", "-outsize", "256",
          "256", "-of", "PNG", "WMTS:\(wmts)", picture,
        ])
      #expect(read.status == 0, "\(read.errors)")
      try await expectRed(picture)
      Foundation.kill(process.processIdentifier, SIGINT)
      try await PortolanProcess.end(of: process)
      #expect(process.terminationStatus == 130)
      #expect(tiles.counts == asked)
    }
  }

  /// Looks whether a picture is red everywhere.
  private func expectRed(_ picture: String) async throws {
    let info = try await Tool.runOnThread("gdalinfo", ["-stats", picture])
    let least = info.output.matches(of: /STATISTICS_MINIMUM=(\d+)/).map { String($0.1) }
    #expect(least.prefix(3) == ["208", "32", "32"], "\(info.output)")
  }

  /// Starts a process that serves, and returns its first line.
  private func serve(_ words: [String]) async throws -> (Process, String) {
    let process = PortolanProcess.make(words, home: home)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try PortolanProcess.start(process)
    let line = try await onOwnThread {
      var seen = Data()
      while !seen.contains(UInt8(ascii: "\n")) {
        let piece = output.fileHandleForReading.availableData
        guard !piece.isEmpty else { break }
        seen += piece
      }
      return String(decoding: seen.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
    return (process, line)
  }

  private static func tms(_ template: String) -> String {
    let address = template.replacing("{z}", with: "${z}").replacing("{x}", with: "${x}")
      .replacing("{y}", with: "${y}")
    return """
      <GDAL_WMS><Service name="TMS"><ServerUrl>\(address)</ServerUrl></Service>
      <DataWindow><UpperLeftX>-20037508.34</UpperLeftX><UpperLeftY>20037508.34</UpperLeftY>
      <LowerRightX>20037508.34</LowerRightX><LowerRightY>-20037508.34</LowerRightY>
      <TileLevel>10</TileLevel><TileCountX>1</TileCountX><TileCountY>1</TileCountY>
      <YOrigin>top</YOrigin></DataWindow><Projection>EPSG:3857</Projection>
      <BlockSizeX>256</BlockSizeX><BlockSizeY>256</BlockSizeY><BandsCount>3</BandsCount>
      <ZeroBlockHttpCodes>404</ZeroBlockHttpCodes></GDAL_WMS>
      """
  }

  /// A red PNG of 256 by 256 pixels.
  private static let picture =
    "iVBORw0KGgoAAAANSUhEUgAAAQAAAAEACAIAAADTED8xAAACAElEQVR42u3TQQ0AAAgDsUmZfzVI4o0G"
    + "mlTBJZdp4a1IgAHAAGAAMAAYAAwABgADgAHAAGAAMAAYAAwABgADgAHAAGAAMAAYAAwABgADgAHAAGAA"
    + "MAAYAAwABgADgAHAAGAAMAAYAAwABgADgAHAAGAAMAAYAAwABgADgAHAAGAADKACBgADgAHAAGAAMAAY"
    + "AAwABgADgAHAAGAAMAAYAAwABgADgAHAAGAAMAAYAAwABgADgAHAAGAAMAAYAAwABgADgAHAAGAAMAAY"
    + "AAwABgADgAHAAGAAMAAYAAwABgADgAEwABgADAAGAAOAAcAAYAAwABgADAAGAAOAAcAAYAAwABgADAAG"
    + "AAOAAcAAYAAwABgADAAGAAOAAcAAYAAwABgADAAGAAOAAcAAYAAwABgADAAGAAOAAcAAYAAwABgADIAB"
    + "VMAAYAAwABgADAAGAAOAAcAAYAAwABgADAAGAAOAAcAAYAAwABgADAAGAAOAAcAAYAAwABgADAAGAAOA"
    + "AcAAYAAwABgADAAGAAOAAcAAYAAwABgADAAGAAOAAcAAYAAwAAYAA4ABwABgADAAGAAMAAYAA4ABwABg"
    + "ADAAGAAMAAYAA4ABwABgADAAGAAMAAYAA4ABwABgADAAGAAMAAYAA4ABwABgADAAGAAMAAYAA4ABwABg"
    + "ADAAGAAMANcCapwP8SHJFDIAAAAASUVORK5CYII="
}
