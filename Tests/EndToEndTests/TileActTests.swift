import Foundation
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import DemoPortal
@testable import PortolanREPL

/// Act 5 of the session: an area made on demand, and the tiles of a service.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct TileActTests {
  private static let service = "arcgis/rest/services/MaineBackdrop/MapServer"
  private static let box = "--bbox -70.6,43.4,-69.9,43.9"

  private let world = TestWorld()

  private var home: URL { temporaryDirectory.appending(path: "home") }

  private func start(
    on portal: ServedDemoPortal, isOffline: Bool = false, _ console: TranscriptConsole
  ) -> LiveSession {
    LiveSession(
      home: home, portal: portal.url, isOffline: isOffline, world: world, console: console,
      replacing: [
        (home, "HOME"), (portal.url, "http://PORTAL"),
        (temporaryDirectory.appending(path: "files"), "FILES"),
      ])
  }

  private func withPortal(_ body: (ServedDemoPortal) async throws -> Void) async throws {
    try await ServedDemoPortal.standard(
      folder: temporaryDirectory.appending(path: "portal"), body)
  }

  @Test func `Act 5, regions of tiles, browsing, and what is kept`() async throws {
    try await withPortal { portal in
      let console = TranscriptConsole(width: 100)
      let session = start(on: portal, console)
      try writeShapes()
      try await plan(session, on: portal)
      try await download(session, on: portal)
      await leaveOutSea(session)
      try await browse(session, on: portal)
      await exchange(session)
      await start(on: portal, isOffline: true, console).type(
        "tiles get MaineBackdrop 8/77/93")
      try expectSnapshot(session.seen, named: "act-5-tiles.txt")
    }
  }

  @Test func `A region keeps its levels and extent, and a source that regions use stays`()
    async throws
  {
    try await withPortal { portal in
      let session = start(on: portal, TranscriptConsole(width: 200))
      let source = "--source \(portal.url.absoluteString)/\(Self.service)"
      for line in [
        "tiles download A \(source) \(Self.box) --levels 6-7", "tiles download A --levels 6-9",
        "tiles download B \(Self.box)", "tiles clear --source MaineBackdrop --forget --yes",
        "tiles clear --region A --yes", "tiles clear --source MaineBackdrop --forget --yes",
        "tiles get MaineBackdrop 6/23/19", "tiles clear --source Nowhere",
        "tiles clear --source Nobody --forget",
      ] { await session.type(line) }
      let seen = session.seen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(seen.contains("exists, with levels 6 to 7"), "\(session.seen)")
      #expect(seen.contains("There is no region \"B\"; a new one needs --source"))
      #expect(seen.contains("is used by region \"A\""))
      #expect(seen.contains("There is no source of tiles \"MaineBackdrop\""))
      // A source that does not exist needs no confirmation.
      #expect(seen.contains("There is no source of tiles \"Nowhere\""), "\(session.seen)")
      #expect(seen.contains("There is no source of tiles \"Nobody\""))
    }
  }

  private func file(_ name: String) -> String {
    temporaryDirectory.appending(path: "files/\(name)").path(percentEncoded: false)
  }

  /// A triangle in the box, and a line along the coast.
  private func writeShapes() throws {
    try FileManager.default.createDirectory(
      at: temporaryDirectory.appending(path: "files"), withIntermediateDirectories: true)
    try Data(
      #"{"type":"Polygon","coordinates":[[[-70.6,43.4],[-69.9,43.4],[-69.9,43.9],[-70.6,43.4]]]}"#
        .utf8
    ).write(to: URL(filePath: file("triangle.geojson")))
    try Data(
      #"{"type":"LineString","coordinates":[[-70.5,43.4],[-70.2,43.65],[-69.8,43.8]]}"#.utf8
    ).write(to: URL(filePath: file("coast.geojson")))
  }

  private func plan(_ session: LiveSession, on portal: ServedDemoPortal) async throws {
    let source = "--source \(portal.url.absoluteString)/\(Self.service)"
    for line in [
      "tiles status", "tiles regions",
      "tiles download \"Area 1\" \(source) \(Self.box) --levels 6-12 --plan",
      "tiles download \"Area 1\" \(source) --polygon \(file("triangle.geojson")) --levels 6-12 --plan",
      "tiles download \"Area 1\" \(source) --line \(file("coast.geojson")) --padding 2000 "
        + "--levels 6-12 --plan",
      "tiles download \"Area 1\" \(source) --bbox 179,-18,-178,-16 --levels 5-7 --plan",
      "tiles download \"Area 1\" \(source) \(Self.box) --levels 6-15 --plan",
      "tiles download \"Area 1\" --source http://tiles.example.org/{z}/{x}/{y}.png \(Self.box) "
        + "--levels 6-8",
    ] { await session.type(line) }
  }

  private func download(_ session: LiveSession, on portal: ServedDemoPortal) async throws {
    let source = "--source MaineBackdrop"
    let address = "\(portal.url.absoluteString)/\(Self.service)"
    await session.type(
      "tiles download \"Area 1\" --source \(address) \(Self.box) --levels 6-11 --parallel 4")
    await session.type("tiles download \"Area 1\" \(source) \(Self.box) --levels 6-11")
    for (tile, status) in [
      ("12/1493/1245", 404), ("12/1493/1249", 404), ("12/1492/1247", 404),
      ("12/1499/1246", 500), ("12/1498/1250", 500),
    ] {
      await portal.portal.state.add(
        DemoFault(.status(status, retryAfter: nil), path: "*/tile/\(tile)"))
    }
    await portal.portal.state.add(
      DemoFault(.status(429, retryAfter: 1), path: "*/tile/12/1495/1252", count: 1))
    for line in [
      "tiles download \"Area 2\" \(source) \(Self.box) --levels 10-12 --parallel 4",
      "tiles regions", "tiles regions \"Area 2\"",
      "tiles explain MaineBackdrop 12/1250/1498", "tiles explain MaineBackdrop 12/1245/1493",
    ] { await session.type(line) }
    await portal.mend()
    for line in ["tiles download \"Area 2\" --retry", "tiles download \"Area 3\""] {
      await session.type(line)
    }
  }

  private func leaveOutSea(_ session: LiveSession) async {
    await session.type(
      "tiles download Sea --source MaineBackdrop --bbox -69.9,43.2,-69.2,43.9 --levels 9-11 "
        + "--blank-tile 11/628/753")
    await session.type("tiles status")
  }

  private func browse(_ session: LiveSession, on portal: ServedDemoPortal) async throws {
    for line in ["tiles get MaineBackdrop 8/79/92", "tiles get MaineBackdrop 8/79/92"] {
      await session.type(line)
    }
    world.advance(by: .seconds(30 * 86_400))
    await session.type("tiles get MaineBackdrop 8/79/92")
    world.advance(by: .seconds(30 * 86_400))
    world.network.set(.offline(.asked))
    for line in [
      "tiles get MaineBackdrop 8/79/92", "tiles get MaineBackdrop 8/79/92 --mode cacheOnly",
      "tiles get MaineBackdrop 8/70/80 --mode cacheOnly", "tiles get MaineBackdrop 8/70/80",
      "tiles get MaineBackdrop 14/4931/5951", "tiles download \"Area 1\" --update",
    ] { await session.type(line) }
    world.network.set(.online(isMetered: nil))
    for line in [
      "tiles download \"Area 1\" --update", "tiles get MaineBackdrop 8/79/94", "tiles status",
      "tiles clear --to 0 --yes", "settings set tile-cache-size 0",
      "tiles get MaineBackdrop 8/80/94", "tiles status",
    ] { await session.type(line) }
  }

  private func exchange(_ session: LiveSession) async {
    for line in [
      "tiles export \"Area 1\" \(file("area.mbtiles"))", "tiles import \(file("area.mbtiles"))",
      "tiles import \(file("area.mbtiles"))",
      "tiles import \(file("area.mbtiles")) --on-conflict rename",
      "tiles import \(file("coast.geojson"))", "tiles clear --region \"Area 2\" --yes",
      "tiles clear --region Sea --yes", "tiles clear --region Nowhere --yes", "tiles regions",
      "tiles get Backdrop 8/77/93", "tiles clear",
    ] { await session.type(line) }
  }
}
