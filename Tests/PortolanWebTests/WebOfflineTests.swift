import PortolanDemo
import PortolanJSON
import Testing

@testable import PortolanWeb

/// How an area is taken offline in the browser, beyond what of it.
@MainActor
@Suite(.timeLimit(.minutes(3))) struct WebOfflineTests {
  private static let area: JSONValue = [
    [[-70.6, 43.4], [-69.9, 43.4], [-69.9, 43.9], [-70.6, 43.9]]
  ]

  /// What is asked for an area, with the options that were chosen.
  private func request(_ webMap: JSONValue, _ options: JSONObject) -> JSONValue {
    var request: JSONObject = [
      "webMap": webMap, "parts": Self.area, "minScale": 5_000_000, "maxScale": 1_000_000,
    ]
    for member in options.members { request[member.name] = member.value }
    return .object(request)
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
