import Foundation
import PortolanApp
import PortolanJSON
import PortolanSample
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanWeb

/// Files that pages send and save, as their requests.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct WebFilesTests {
  private var home: URL { temporaryDirectory.appending(path: "home") }

  private func sample() async throws -> Data {
    let package = temporaryDirectory.appending(path: "sample.mmpk")
    try await ExploreMaine.write(to: package)
    return try Data(contentsOf: package)
  }

  @Test
  func `A package is imported, listed and saved again, and other files are refused`()
    async throws
  {
    let data = try await sample()
    try await withHome(home) { app, browser in
      let upload = try await browser.send(data, named: "sample.mmpk", pieceSize: data.count / 2 + 1)
      let imported = try await browser.post("maps/import", ["upload": upload])
      #expect(imported["outcome"] == "stored")
      let row = try await browser.row("Explore Maine") { $0["state"]?.string == "stored" }
      let id = try #require(row["id"])
      // The content is read when the file is there, and nobody has to ask.
      let read = try await browser.row("Explore Maine") { $0["mapCount"]?.int == 3 }
      #expect(read["isExpired"] == false && read["expires"] == .null)
      // A package of this device has no portal that could have a newer one.
      try await browser.post("maps/refresh", [:])
      let asked = try await browser.row("Explore Maine") { $0["update"]?["update"] == "none" }
      #expect(asked["update"]?["portalModified"] == .null)
      for (text, ids) in [("maine EXPL", [id]), ("none", [])] {
        let found = try await browser.post("maps/find", ["text": .string(text), "order": "size"])
        #expect(found["ids"] == .array(ids))
      }
      let details = try await browser.post("maps/details", ["id": id])
      #expect(details["maps"]?.array?.count == 3 && details["warnings"] == [])
      #expect(details["maps"]?[0]?["title"] == "Explore Maine")
      let saved = try await browser.save("maps/export", ["id": id])
      #expect(saved.data == data)
      #expect(
        saved.headers["Content-Disposition"] == "attachment; filename*=UTF-8''Explore%20Maine.mmpk")

      // Its name is there: it stays unless a person wants otherwise, and then it is compared.
      for (policy, outcome) in [("skip", "skipped"), ("replace", "same"), ("rename", "stored")] {
        let again = try await browser.send(data, named: "sample.mmpk", pieceSize: data.count)
        let result = try await browser.post(
          "maps/import", ["upload": again, "policy": .string(policy)])
        #expect(result["outcome"] == .string(outcome))
      }
      let known = JSONValue.object(["upload": upload, "policy": "merge"]).encoded()
      #expect(try await browser.answer(to: "/api/maps/import", body: known).status == 400)

      let other = try await browser.send(Data([1, 2]), named: "other.mmpk", pieceSize: 2)
      let body = JSONValue.object(["upload": other]).encoded()
      let refused = try await browser.answer(to: "/api/maps/import", body: body)
      #expect(refused.status == 409)
      #expect(try await browser.get("/api/downloads/none").status == 404)
    }
  }

  @Test(
    arguments: [
      // Above the folder, no size, none at all, a place beyond all numbers.
      "upload=12345678-a&name=..%2Fx.mmpk&size=1&offset=0",
      "upload=12345678-a&name=x.mmpk&offset=0", "upload=12345678-a&name=x.mmpk&size=0&offset=0",
      "upload=12345678-a&name=x.mmpk&size=9&offset=\(Int.max)",
      "upload=12345678-a&name=x.mmpk&size=9&offset=-1", "upload=1&name=x.mmpk&size=1&offset=0",
      // More than was said.
      "upload=12345678-a&name=x.mmpk&size=1&offset=0",
      // More than there is room for.
      "upload=12345678-a&name=x.mmpk&size=\(Int.max)&offset=0",
    ])
  func `A piece that does not belong anywhere is refused`(_ query: String) async throws {
    try await withHome(home) { _, browser in
      let path = "/api/maps/import-piece?" + query
      let refused = try await browser.answer(to: path, body: Data([1, 2]))
      #expect([400, 409].contains(refused.status))
    }
  }

  @Test func `A map whose file was cut is not saved, and the page shows the reason`()
    async throws
  {
    let data = try await sample()
    try await withHome(home) { _, browser in
      let upload = try await browser.send(data, named: "sample.mmpk", pieceSize: data.count)
      _ = try await browser.post("maps/import", ["upload": upload])
      let row = try await browser.row("Explore Maine") { $0["state"]?.string == "stored" }
      let id = try #require(row["id"])
      let packages = home.appending(path: "packages")
      let paths = try FileManager.default.subpathsOfDirectory(atPath: packages.path)
      let path = try #require(paths.first { $0.hasSuffix(".mmpk") })
      try Data(data.dropLast()).write(to: packages.appending(path: path))
      // Nobody can have edited it, so that asking twice changes nothing.
      for damaged in [false, true] {
        let body = JSONValue.object(["id": id, "damaged": .bool(damaged)]).encoded()
        let refused = try await browser.answer(to: "/api/maps/export", body: body)
        let text = String(decoding: refused.data, as: UTF8.self)
        #expect(refused.status == 409 && text.contains("is damaged"), "\(text)")
      }
    }
  }

  @Test func `A region is saved as a file, and imported again beside the original`() async throws {
    try await withBrowser { browser in
      try await takeRegion(browser)
      let saved = try await browser.save("tiles/export", ["name": "Area 1", "format": "mbtiles"])
      #expect(saved.data.starts(with: Data("SQLite format 3".utf8)))
      let upload = try await browser.send(saved.data, named: "Area%201.mbtiles", pieceSize: 1 << 20)
      let skipped = try await browser.post("tiles/import", ["upload": upload])
      #expect(skipped["skipped"] == true)
      let other = try await browser.send(saved.data, named: "other.mbtiles", pieceSize: 1 << 20)
      let imported = try await browser.post("tiles/import", ["upload": other])
      #expect(imported["region"]?["name"] == "other" && imported["tiles"]?.int ?? 0 > 5)
      let json: JSONValue = ["name": "Area 1", "format": "exe"]
      #expect(try await browser.answer(to: "/api/tiles/export", body: json.encoded()).status == 400)
    }
  }

  @Test func `Tiles are served while a page wants that, and a place says why it has none`()
    async throws
  {
    try await withBrowser { browser in
      try await takeRegion(browser)
      try await browser.post("tiles/serve", [:])
      let tiles = try await browser.event("tiles") { $0["server"]?["url"]?.string != nil }
      #expect(tiles["server"]?["layers"]?[0]?["name"] == "Area 1")
      let place: JSONValue = ["longitude": -70.2, "latitude": 43.6, "level": 8]
      let known = try await browser.post("tiles/explain", place)
      #expect(known["tiles"]?[0]?["regions"]?[0]?["part"] == "kept")
      let elsewhere: JSONValue = ["longitude": 100, "latitude": 43.6, "level": 8]
      let unknown = try await browser.post("tiles/explain", elsewhere)
      #expect(unknown["tiles"]?[0]?["regions"] == [])
      #expect(try await browser.post("tiles/update-all", [:])["regions"] == ["Area 1"])
      try await browser.post("tiles/stop-serving", [:])
      _ = try await browser.event("tiles") { $0["server"] == .null }
    }
  }

  private func takeRegion(_ browser: FakeBrowser) async throws {
    let hello = try await browser.event("hello") { $0["demo"]?["portal"] != nil }
    let portal = try #require(hello["demo"]?["portal"]?.string)
    let source = try await browser.post(
      "tiles/add-source",
      ["address": .string("\(portal)/arcgis/rest/services/MaineBackdrop/MapServer")])
    let ring: JSONValue = [[-70.6, 43.4], [-69.9, 43.4], [-69.9, 43.9], [-70.6, 43.4]]
    try await browser.post(
      "tiles/download",
      [
        "name": "Area 1", "source": try #require(source["name"]), "from": 6, "to": 9,
        "extent": ["polygon": [ring]],
      ])
    _ = try await browser.event("tiles") { $0["regions"]?[0]?["status"] == "complete" }
  }

  @Test func `A damaged tile cache that was set aside is reported, and deleted on request`()
    async throws
  {
    let damaged = home.appending(path: "tiles/MapCache.sqlite.set-aside-1")
    try FileManager.default.createDirectory(
      at: damaged.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("damaged".utf8).write(to: damaged)
    try await withHome(home) { _, browser in
      try await browser.post("tiles/load", [:])
      let told = try await browser.event("tiles") { $0["setAside"]?.array?.isEmpty == false }
      #expect(told["setAside"]?[0]?["bytes"] == 7)
      #expect(try await browser.post("tiles/delete-set-aside", [:])["fileBytes"] == 7)
      #expect(!FileManager.default.fileExists(atPath: damaged.path))
    }
  }

  @Test
  func `A map that was set aside is listed, opened by its own path only, and deleted for good`()
    async throws
  {
    let part = home.appending(path: "kept/area-1/1/p13/data.geodatabase")
    try FileManager.default.createDirectory(
      at: part.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(count: 5_000).write(to: part)
    try await withHome(home) { _, browser in
      let kept = try await browser.post("storage/kept", [:])["kept"]
      #expect(kept?[0]?["name"] == "area-1" && kept?[0]?["geodatabases"]?.array?.count == 1)
      for path in ["/etc/passwd", home.appending(path: "library.sqlite").path] {
        let body = JSONValue.object(["path": .string(path)]).encoded()
        #expect(try await browser.answer(to: "/api/storage/open-kept", body: body).status == 404)
      }
      try await browser.post("storage/delete-kept", ["name": "area-1"])
      #expect(!FileManager.default.fileExists(atPath: part.path))
      #expect(try await browser.post("storage/kept", [:])["kept"] == [])
    }
  }
}
