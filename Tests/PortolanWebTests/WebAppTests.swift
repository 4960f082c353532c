import Foundation
import Observation
import PortolanApp
import PortolanDemo
import PortolanHTTPServer
import PortolanJSON
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanWeb

/// The actions of a person in the browser, as the requests of the page, on a demo portal behind a
/// real socket.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct WebAppTests {
  private var home: URL { temporaryDirectory.appending(path: "home") }

  @Test func `A map is taken offline, opened without a network, edited, and the edit undone`()
    async throws
  {
    try await withBrowser { browser in
      try await browser.post("session/sign-in", ["username": "demo", "password": "demo"])
      let area = try await browser.row("Casco Bay") { $0["state"]?.string == "available" }
      let id = try #require(area["id"])
      try await browser.post("maps/download", ["id": id])
      _ = try await browser.row("Casco Bay") { $0["state"]?.string == "stored" }
      try await browser.post("network/cut", [:])
      try await browser.post("map/open", ["id": id])
      let map = try await browser.event("map") { $0["title"]?.string == "Casco Bay" }
      #expect(map["id"] == id && map["editable"]?.array?.isEmpty == false)

      let found = try await browser.post(
        "map/identify", ["longitude": -70.2079, "latitude": 43.6231, "scale": 50_000])
      let light = try #require(found["selection"])
      #expect(light["title"] == "Portland Head Light" && light["canEdit"] == true)
      let layer = try #require(light["layerId"])
      let objectID = try #require(light["objectId"])
      let opened = try await browser.post("map/form", ["layer": layer, "objectID": objectID])
      #expect(opened["geometry"]?["type"] == "Point")
      let number = try #require(opened["form"])
      let form = try await browser.post(
        "map/form-set", ["field": "Name", "text": "Big Light", "form": number])
      #expect(form["canSubmit"] == true)
      let stored = try await browser.post("map/form-submit", ["form": number])
      #expect(stored["popups"]?["selection"]?["title"] == "Big Light")
      // The former picture is out of date.
      let edited = try await browser.event("map") { $0["undoCount"] == 1 }
      #expect(edited["revision"] != map["revision"])
      // Those of a Portolan that ran before have other numbers.
      #expect(try #require(map["revision"]?.integer) > 1_000)
      let changes = try await browser.post("map/changes", [:])
      #expect(changed(changes)?["changes"]?[0]?["kind"] == "update")
      #expect(changed(changes)?["changes"]?[0]?["title"] == "Big Light")
      #expect(try await browser.post("map/undo", [:])["undone"] == 1)
      let left = try await browser.post("map/changes", [:])["tables"]?.array
      #expect(left?.allSatisfy { $0["changes"] == [] } == true)
    }
  }

  @Test func `A network that was cut is restored, and the portal answers whom it knew before`()
    async throws
  {
    try await withBrowser { browser in
      try await browser.post("session/sign-in", ["username": "demo", "password": "demo"])
      let area = try await browser.row("Casco Bay") { $0["state"]?.string == "available" }
      let id = try #require(area["id"])
      // A connection that is not cut needs no restoring.
      try await browser.post("network/restore", [:])
      try await browser.post("network/cut", [:])
      _ = try await browser.event("network") { $0["online"] == false }
      let search: JSONValue = ["text": "Maine", "page": 1]
      let refused = try await browser.answer(to: "/api/portal/search", body: search.encoded())
      let problem = try JSONValue(parsing: refused.data)["problem"]
      #expect(problem?["message"] == "There is no network." && problem?["code"] == "no-network")
      try await browser.post("network/restore", [:])
      _ = try await browser.event("network") { $0["online"] == true }
      try await browser.post("maps/download", ["id": id])
      _ = try await browser.row("Casco Bay") { $0["state"]?.string == "stored" }
    }
  }

  /// The first table with changes.
  private func changed(_ changes: JSONValue) -> JSONValue? {
    changes["tables"]?.array?.first { $0["changes"]?.array?.isEmpty == false }
  }

  @Test func `A tile, a legend and a thumbnail are pictures, and what is no picture is not found`()
    async throws
  {
    try await withBrowser { browser in
      try await browser.post("session/sign-in", ["username": "demo", "password": "demo"])
      let area = try await browser.row("Acadia") { $0["state"] == "available" }
      let id = try #require(area["id"]?.string)
      try await browser.post("maps/download", ["id": .string(id)])
      _ = try await browser.row("Acadia") { $0["state"]?.string == "stored" }
      try await browser.post("map/open", ["id": .string(id)])
      let map = try await browser.event("map") { $0["title"] == "Acadia" }
      let legend = try #require(map["legend"]?[0]?["entries"]?[0]?["picture"]?.string)
      for path in [
        "/api/tiles/1/8/78/92.png?ratio=2", legend, "/api/thumbnails/\(id)",
      ] {
        let answer = try await browser.get(path)
        #expect(answer.status == 200, "\(path)")
        #expect(answer.headers["Content-Type"]?.hasPrefix("image/") == true, "\(path)")
      }
      for path in [
        "/api/tiles/1/8/78/9999.png", "/api/tiles/1/99/0/0.png", "/api/legend/1/none/0",
        "/api/thumbnails/none", "/api/attachments/1", "/api/none", "/page/../WebApp.swift",
        "/page/%2e%2e", "/page/none.js", "/etc/passwd", "/leaflet/..%2f..%2fx",
      ] {
        #expect(try await browser.get(path).status >= 400, "\(path)")
      }
    }
  }

  @Test func `A region of tiles is counted while it is drawn, downloaded, shown and deleted`()
    async throws
  {
    try await withBrowser { browser in
      let hello = try await browser.event("hello") { $0["demo"]?["portal"] != nil }
      let portal = try #require(hello["demo"]?["portal"]?.string)
      let added = try await browser.post(
        "tiles/add-source",
        ["address": .string("\(portal)/arcgis/rest/services/MaineBackdrop/MapServer")])
      let source = try #require(added["name"])
      let ring: JSONValue = [[-70.6, 43.4], [-69.9, 43.4], [-69.9, 43.9], [-70.6, 43.4]]
      let region: JSONValue = [
        "name": "Area 1", "source": source, "from": 6, "to": 10, "extent": ["polygon": [ring]],
        "drawer": "p",
      ]
      try await browser.post("tiles/draw", region)
      let drawn = try await browser.event("tiles") { $0["drafts"]?["p"]?["mostBytes"]?.int != nil }
      let draft = drawn["drafts"]?["p"]
      #expect(draft?["count"]?.int ?? 0 > 5 && draft?["canDownload"] == true)
      try await browser.post("tiles/download", region)
      let done = try await browser.event("tiles") { $0["regions"]?[0]?["status"] == "complete" }
      #expect(done["drafts"] == [:])
      let picture = try await browser.post("tiles/coverage", ["name": "Area 1"])
      #expect(picture["level"] == 10 && picture["done"]?.array?.isEmpty == false)
      #expect(picture["missing"] == [] && picture["failed"] == [])
      try await browser.post("tiles/delete", ["name": "Area 1"])
      _ = try await browser.event("tiles") { $0["regions"] == [] }
    }
  }

  @Test func `Maps on this device are listed even if the portal cannot be reached`() async throws {
    try await withHome(home) { app, _ in
      for await isOpen in Observations({ app.library?.mapList != nil }) where isOpen { return }
    }
  }

  @Test func `A catalogue that cannot be read is reported, not shown as an empty list`()
    async throws
  {
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    try Data(repeating: 0x41, count: 9000).write(to: home.appending(path: "library.sqlite"))
    try await withHome(home) { _, browser in
      let maps = try await browser.event("maps") { $0["banner"]?["message"] != nil }
      #expect(maps["items"]?.array == [])
    }
  }

  @Test func `A map is shared as a package, and found on the portal with its description`()
    async throws
  {
    try await withBrowser { browser in
      try await browser.post("session/sign-in", ["username": "demo", "password": "demo"])
      let area = try await browser.row("Casco Bay") { $0["state"] == "available" }
      let id = try #require(area["id"])
      try await browser.post("maps/download", ["id": id])
      _ = try await browser.row("Casco Bay") { $0["state"] == "stored" }
      let wanted: JSONObject = [
        "id": id, "title": "Bay of ours", "summary": "A bay.", "tags": ["bay", "sea"],
        "access": "org",
      ]
      let shared = try await browser.post("maps/share", .object(wanted))
      #expect(shared["title"] == "Bay of ours" && shared["access"] == "org")
      let found = try await browser.post(
        "portal/search", ["text": "\"Bay of ours\"", "kinds": ["Mobile Map Package"]])
      let item = try #require(found["items"]?[0])
      #expect(item["id"] == shared["id"] && item["state"] == "absent")

      let body = JSONValue.object(wanted).encoded()
      #expect(try await browser.answer(to: "/api/maps/share", body: body).status == 409)
      var again = wanted
      again["overwrite"] = true
      let replaced = try await browser.post("maps/share", .object(again))
      #expect(replaced["replaced"] == true && replaced["id"] == shared["id"])
      again["access"] = "nobody"
      let wrong = JSONValue.object(again).encoded()
      #expect(try await browser.answer(to: "/api/maps/share", body: wrong).status == 400)
    }
  }

  @Test func `A place is suggested while one types, chosen, and shown with its feature`()
    async throws
  {
    try await withBrowser { browser in
      let area = try await browser.row("Casco Bay") { $0["state"] == "available" }
      let id = try #require(area["id"])
      try await browser.post("maps/download", ["id": id])
      _ = try await browser.row("Casco Bay") { $0["state"] == "stored" }
      try await browser.post("map/open", ["id": id])
      let typed = try await browser.post("map/suggest", ["text": "portland he"])
      #expect(typed["suggestions"]?[0]?["label"]?.string?.contains("Portland Head") == true)
      let found = try await browser.post("map/pick", ["index": 0])
      #expect(found["place"]?["center"]?.array?.count == 2)
      #expect(found["popups"]?["selection"]?["title"]?.string?.contains("Portland Head") == true)
      // Another list has taken the place of the one that was picked from.
      try await browser.post("map/suggest", ["text": "acadia"])
      let picked = try await browser.post(
        "map/pick",
        [
          "index": 0, "text": "portland he",
          "label": try #require(typed["suggestions"]?[0]?["label"]),
        ])
      #expect(picked["place"]?["label"] == found["place"]?["label"])
      let gone: JSONValue = ["index": 0, "text": "portland he", "label": "Nowhere"]
      #expect(try await browser.answer(to: "/api/map/pick", body: gone.encoded()).status == 404)
      let places = try await browser.post("map/find", ["text": "43.6231, -70.2079"])
      #expect(places["places"]?.array?.isEmpty == false)
      #expect(try await browser.post("map/suggest", ["text": "zzzz"])["suggestions"] == [])
      try await searchInLayers(browser)
      let missing = try await browser.answer(
        to: "/api/map/place", body: Data(#"{"index": 99}"#.utf8))
      #expect(missing.status == 404)
    }
  }

  /// Searches one of the layers of the open map, and one that it does not have.
  private func searchInLayers(_ browser: FakeBrowser) async throws {
    let map = try await browser.event("map") { ($0["searchable"]?.array?.count ?? 0) > 1 }
    let layers = try #require(map["searchable"]?.array)
    let lights = try #require(layers.first { $0["title"] == "Lighthouses" }?["id"])
    let others = layers.compactMap { $0["id"] }.filter { $0 != lights }
    for (chosen, isFound) in [([lights], true), (others, false)] {
      let typed = try await browser.post(
        "map/suggest", ["text": "portland he", "layers": .array(chosen)])
      let labels = typed["suggestions"]?.array?.compactMap { $0["label"]?.string } ?? []
      #expect(labels.contains { $0.contains("Portland Head") } == isFound)
    }
    let unknown: JSONValue = ["text": "a", "layers": ["none"]]
    #expect(try await browser.answer(to: "/api/map/find", body: unknown.encoded()).status == 404)
  }

  @Test(
    arguments: [
      ("maps/delete", ["id": "no-such-map"]), ("map/popup", ["index": 7]), ("map/layer", [:]),
      ("map/form-submit", [:]), ("map/related", ["name": "none", "index": 0]),
      ("map/related-back", [:]), ("jobs/pause", ["id": "none"]), ("none/none", [:]), ("none", [:]),
      ("map/identify", ["longitude": "x"]), ("session/sign-in", ["username": 1]),
      ("map/popup", ["index": .integer(.max)]), ("map/pick", ["index": .integer(.max)]),
      ("map/place", ["index": .integer(.max)]),
      ("map/related", ["name": "none", "index": .integer(.max)]),
      ("map/open", ["id": "none", "index": .integer(.max)]),
    ] as [(String, JSONValue)])
  func `An action that cannot be done says why`(_ name: String, _ body: JSONValue) async throws {
    try await withBrowser { browser in
      let answer = try await browser.answer(to: "/api/\(name)", body: body.encoded())
      #expect([400, 404, 409].contains(answer.status))
      #expect(try JSONValue(parsing: answer.data)["problem"]?["message"]?.string?.isEmpty == false)
    }
  }

  @Test func `A request body is read only from authorized clients, and only up to its limit`()
    async throws
  {
    try await withBrowser { browser in
      #expect(browser.refusalBeforeBody(of: "/api/maps/refresh", length: 9, isIn: false) == 403)
      #expect(browser.refusalBeforeBody(of: "/api/maps/refresh", length: 9) == nil)
      #expect(browser.refusalBeforeBody(of: "/api/maps/refresh", length: 2 << 20) == 413)
      #expect(browser.refusalBeforeBody(of: "/api/maps/refresh", length: nil) == 411)
      #expect(browser.refusalBeforeBody(of: "/api/maps/import-piece?a=b", length: 2 << 20) == nil)
      #expect(browser.refusalBeforeBody(of: "/api/maps/import-piece?a=b", length: nil) == 411)
      #expect(browser.refusalBeforeBody(of: "/api/map/attach", length: 2 << 20, isIn: false) == 403)
    }
  }

  @Test(arguments: ["", "[]", "{", "null", String(repeating: "[", count: 100_000)])
  func `A body that is no object of parameters is refused`(_ body: String) async throws {
    try await withBrowser { browser in
      let answer = try await browser.answer(to: "/api/maps/refresh", body: Data(body.utf8))
      #expect(answer.status == 400)
    }
  }

  @Test func `The version of the page is another one as soon as one of its files is`() throws {
    let page = temporaryDirectory
    func version(_ contents: String) throws -> String {
      try Data(contents.utf8).write(to: page.appending(path: "app.js"))
      return PageFiles(page: page).version
    }
    let first = try version("first")
    #expect(try version("first") == first && first.hasPrefix(ProductVersion.current))
    #expect(try version("other") != first)
  }

  @Test func `A browser that is not let in gets a page that can be read`() async throws {
    try await withDemo { web in
      let request = HTTPServerRequest(
        method: "GET", target: "/",
        headers: [
          "Host": "127.0.0.1:\(web.url.port ?? 0)",
          "Accept": "text/html,application/xhtml+xml,*/*;q=0.8",
        ])
      let answer = try #require(await web.handler.respond(to: request))
      guard case .bytes(let data) = answer.body else {
        Issue.record("there is no page")
        return
      }
      let page = String(decoding: data, as: UTF8.self)
      #expect(answer.status == 403)
      #expect(answer.headers["Content-Type"]?.hasPrefix("text/html") == true)
      #expect(page.contains("<h1>This browser was not let in.</h1>"))
      #expect(page.contains("Open the address that was printed"))
    }
  }

  @Test func `A rejected browser is told to open the address, not to sign in to the portal`()
    async throws
  {
    try await withDemo { web in
      let request = HTTPServerRequest(
        method: "GET", target: "/", headers: ["Host": "127.0.0.1:\(web.url.port ?? 0)"])
      let answer = try #require(await web.handler.respond(to: request))
      guard case .bytes(let data) = answer.body else { return }
      let problem = try JSONValue(parsing: data)["problem"]
      #expect(answer.status == 403 && problem?["kind"] == "failure")
      #expect(problem?["suggestion"]?.string?.contains("address") == true)
    }
  }

  @Test func `Whoever asks for a head only gets it, and unknown methods are refused`()
    async throws
  {
    try await withBrowser { browser in
      for path in ["/", "/page/app.js"] {
        #expect(try await browser.ask("HEAD", path).status == 200, "\(path)")
      }
      for method in ["PUT", "DELETE", "OPTIONS"] {
        let answer = try await browser.ask(method, "/api/maps/refresh")
        #expect(answer.status == 405 && answer.headers["Allow"] == "GET, HEAD, POST", "\(method)")
      }
      for path in ["/", "/page/app.js", "/api/events", "/api/thumbnails/a", "/api/downloads/a"] {
        let answer = try await browser.ask("POST", path)
        #expect(answer.status == 405 && answer.headers["Allow"] == "GET, HEAD", "\(path)")
      }
      let action = try await browser.get("/api/maps/delete")
      #expect(action.status == 405 && action.headers["Allow"] == "POST")
      #expect(try await browser.ask("POST", "/page/none.js").status == 404)
    }
  }

  @Test func `Every answer forbids the browser what the page does not need`() async throws {
    try await withBrowser { browser in
      for path in ["/", "/api/none", "/page/app.js"] {
        let headers = try await browser.get(path).headers
        #expect(headers["Content-Security-Policy"]?.contains("default-src 'none'") == true)
        #expect(headers["X-Content-Type-Options"] == "nosniff")
      }
    }
  }
}
