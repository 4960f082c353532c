import Foundation
import PortolanDemo
import PortolanJSON
import Testing

@testable import PortolanWeb

/// The options for taking an area offline in the browser.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct WebOfflineTests {
  private static let area: JSONValue = [
    [[-70.6, 43.4], [-69.9, 43.4], [-69.9, 43.9], [-70.6, 43.9]]
  ]

  /// The request for an area, with the options that were chosen.
  private func request(_ webMap: JSONValue, _ options: JSONObject) -> JSONValue {
    var request: JSONObject = [
      "webMap": webMap, "parts": Self.area, "minScale": 5_000_000, "maxScale": 1_000_000,
    ]
    for member in options.members { request[member.name] = member.value }
    return .object(request)
  }

  @Test func `A value that is no text resolves no conflict, as if it were none`() async throws {
    try await withBrowser { browser in
      for values in [#"{"NAME": 5}"#, #"{"NAME": "a", "KIND": null}"#, "{}", "7"] {
        let body = Data(#"{"id": "a", "number": 1, "values": \#(values)}"#.utf8)
        let answer = try await browser.answer(to: "/api/sync/resolve", body: body)
        let problem = try JSONValue(parsing: answer.data)["problem"]
        #expect(answer.status == 400)
        #expect(problem?["message"] == "The request has no valid \"values\".", "\(values)")
      }
    }
  }

  @Test func `A direction that means nothing is not taken for both`() async throws {
    try await withBrowser { browser in
      for direction in [#""down""#, "5"] {
        let body = Data(#"{"id": "a", "direction": \#(direction)}"#.utf8)
        let answer = try await browser.answer(to: "/api/sync/start", body: body)
        let problem = try JSONValue(parsing: answer.data)["problem"]
        #expect(answer.status == 400 && problem?["code"] == "usage", "\(direction)")
      }
    }
  }

  @Test func `Options change what can be taken and what it needs`() async throws {
    try await withBrowser { browser in
      let webMap = try #require(
        try await browser.row("Explore Maine") { $0["kind"] == "web-map" }["id"])
      func estimate(_ options: JSONObject) async throws -> JSONValue {
        try await browser.post("offline/estimate", request(webMap, options))
      }
      let all = try #require(try await estimate([:])["parts"]?.array)
      let bare = try #require(try await estimate(["noBasemap": true])["parts"]?.array)
      #expect(all.contains { $0["tiles"]?.int != nil })
      #expect(!bare.isEmpty && bare.allSatisfy { $0["tiles"]?.int == nil })
      let empty = try #require(
        try await estimate(["noBasemap": true, "schemaOnly": true])["parts"]?.array)
      func features(_ parts: [JSONValue]) -> Int {
        parts.reduce(0) { $0 + ($1["features"]?.int ?? 0) }
      }
      #expect(features(empty) < features(bare))
      func states(_ options: JSONObject) async throws -> [String] {
        let answer = try await browser.post(
          "offline/capabilities", request(webMap, options))
        return (answer["layers"]?.array ?? []).compactMap { $0["state"]?.string }
      }
      #expect(try await states([:]).contains("no"))
      let kept = try await states(["keepOnline": true])
      #expect(kept.contains("online") && !kept.contains("no"))
    }
  }

  @Test func `Without an area, or with one under another name, nothing is taken offline`()
    async throws
  {
    try await withBrowser { browser in
      let webMap = try #require(
        try await browser.row("Explore Maine") { $0["kind"] == "web-map" }["id"])
      for action in ["estimate", "take"] {
        for wrong: JSONValue in [["webMap": webMap], ["webMap": webMap, "part": Self.area]] {
          let answer = try await browser.answer(
            to: "/api/offline/\(action)", body: wrong.encoded())
          let problem = try JSONValue(parsing: answer.data)["problem"]
          #expect(answer.status == 400 && problem?["code"] == "usage", "\(action)")
          #expect(problem?["suggestion"] == "Draw the area.")
        }
      }
      #expect(try await browser.event("jobs") { _ in true } == [])
    }
  }

  @Test func `An area is downloaded with its updates and without its basemap, as was chosen`()
    async throws
  {
    try await withBrowser { browser in
      // Not in the macro: Swift 6.3 takes a closure there for the next one of its type.
      let area = try await browser.row("Casco Bay") { $0["state"] == "available" }
      let id = try #require(area["id"])
      let wrong: JSONValue = ["id": id, "updateMode": "sometimes"]
      let refused = try await browser.answer(to: "/api/maps/download", body: wrong.encoded())
      #expect(try JSONValue(parsing: refused.data)["problem"]?["code"] == "usage")
      try await browser.post(
        "maps/download",
        [
          "id": id, "noBasemap": true, "stopOnErrors": true,
          "updateMode": "syncWithFeatureServices",
        ])
      _ = try await browser.row("Casco Bay") { $0["state"] == "stored" }
      try await browser.post("map/open", ["id": id])
      let map = try await browser.event("map") { $0["id"] == id }
      #expect(map["layers"]?.array?.contains { $0["basemap"] == true } == false)
      // Without updates there would be nothing to synchronize with.
      let sync = try await browser.post("sync/start", ["id": id])
      #expect(sync["isNew"] == true)
    }
  }

  @Test func `A tile package of a map on this device can replace the basemap of another`()
    async throws
  {
    try await withBrowser { browser in
      // Not in the macro, as above.
      let row = try await browser.row("Explore Maine") { $0["kind"] == "web-map" }
      let webMap = try #require(row["id"])
      #expect(try await browser.post("offline/basemaps", [:])["basemaps"] == [])
      let area = try await browser.row("Casco Bay") { $0["state"] == "available" }
      try await browser.post("maps/download", ["id": try #require(area["id"])])
      _ = try await browser.row("Casco Bay") { $0["state"] == "stored" }
      let all = try await browser.post("offline/basemaps", [:])["basemaps"]
      let basemap = try #require(all?[0])
      #expect(basemap["map"] == "Casco Bay" && (basemap["bytes"]?.int ?? 0) > 0)
      // Folders of this device are none of the page's business.
      #expect(basemap["name"]?.string?.contains("/") == false && basemap["file"] == nil)
      let wanted = request(webMap, ["basemap": try #require(basemap["id"])])
      let parts = try await browser.post("offline/estimate", wanted)["parts"]?.array ?? []
      #expect(!parts.isEmpty && parts.allSatisfy { $0["tiles"]?.int == nil })
      let gone = request(webMap, ["basemap": "../settings.json"])
      let refused = try await browser.answer(to: "/api/offline/take", body: gone.encoded())
      #expect(
        try JSONValue(parsing: refused.data)["problem"]?["code"] == "no-reference-basemap")
    }
  }

  @Test func `Attachments that do not go together are refused, those that do are taken`()
    async throws
  {
    try await withBrowser { browser in
      let webMap = try #require(
        try await browser.row("Explore Maine") { $0["kind"] == "web-map" }["id"])
      let wrong = request(
        webMap, ["noBasemap": true, "attachments": "allLayers", "attachmentSync": "none"])
      #expect(
        try await browser.answer(to: "/api/offline/estimate", body: wrong.encoded()).status != 200)
      let taken = try await browser.post(
        "offline/take",
        request(
          webMap,
          [
            "noBasemap": true, "attachments": "none", "noUpdates": true, "title": "No pictures",
          ]))
      #expect(taken["isNew"] == true && taken["job"]?.string != nil)
    }
  }
}
