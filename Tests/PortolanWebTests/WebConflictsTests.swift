import Foundation
import PortolanJSON
import Testing

@testable import PortolanWeb

/// The resolution of conflicts in the browser while features are edited beside it.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct WebConflictsTests {
  @Test func `A conflict is resolved as the page shows it, or not at all`() async throws {
    try await withBrowser { browser in
      let theirs = try await take("Theirs", in: browser)
      let mine = try await take("Mine", in: browser)
      try await rename("Their Light", in: theirs, browser)
      try await rename("My Light", in: mine, browser)
      try await synchronize(theirs, in: browser)
      try await synchronize(mine, in: browser)
      let old = try await conflict(of: mine, in: browser)
      #expect(old["differences"]?.array?.first?["mine"] == "My Light")

      try await rename("My Later Light", in: mine, browser)
      // Neither where the list that Portolan has is old, nor where that of the page alone is.
      for seen in [nil, old["seen"]] {
        let refusal = try await resolve(old, seen: seen, of: mine, in: browser)
        let problem = try JSONValue(parsing: refusal.data)["problem"]
        #expect(refusal.status == 409 && problem?["code"] == "changed-meanwhile")
        #expect(try await name(in: mine, browser) == "My Later Light")
      }

      let latest = try await conflict(of: mine, in: browser)
      #expect(latest["differences"]?.array?.first?["mine"] == "My Later Light")
      let answer = try await resolve(latest, seen: latest["seen"], of: mine, in: browser)
      #expect(answer.status == 200)
      #expect(try JSONValue(parsing: answer.data)["conflicts"] == [])
      #expect(try await name(in: mine, browser) == "Their Light")
    }
  }

  // MARK: - What a page does

  /// Takes an area with a lighthouse offline, and returns the id of its map.
  private func take(_ title: String, in browser: FakeBrowser) async throws -> JSONValue {
    let row = try await browser.row("Explore Maine") { $0["kind"] == "web-map" }
    try await browser.post(
      "offline/take",
      [
        "webMap": try #require(row["id"]), "title": .string(title), "noBasemap": true,
        "parts": [[[-70.3, 43.5], [-70.1, 43.5], [-70.1, 43.7], [-70.3, 43.7]]],
      ])
    let stored = try await browser.row(title) { $0["state"] == "stored" }
    return try #require(stored["id"])
  }

  /// Opens a map, and the form of its lighthouse.
  private func form(in map: JSONValue, _ browser: FakeBrowser) async throws -> JSONValue {
    try await browser.post("map/open", ["id": map])
    let place: JSONValue = ["longitude": -70.2079, "latitude": 43.6231, "scale": 50_000]
    let light = try await browser.post("map/identify", place)["selection"]
    return try await browser.post(
      "map/form",
      [
        "layer": try #require(light?["layerId"]), "objectID": try #require(light?["objectId"]),
      ])
  }

  private func rename(
    _ name: String, in map: JSONValue, _ browser: FakeBrowser
  ) async throws {
    let opened = try await form(in: map, browser)
    let number = try #require(opened["form"])
    try await browser.post(
      "map/form-set", ["field": "Name", "text": .string(name), "form": number])
    try await browser.post("map/form-submit", ["form": number])
  }

  private func name(in map: JSONValue, _ browser: FakeBrowser) async throws -> JSONValue? {
    let opened = try await form(in: map, browser)
    return opened["fields"]?.array?.first { $0["name"] == "NAME" }?["text"]
  }

  private func synchronize(_ map: JSONValue, in browser: FakeBrowser) async throws {
    let job = try await browser.post("sync/start", ["id": map])["job"]
    _ = try await browser.event("jobs") { jobs in
      jobs.array?.first { $0["id"] == job }?["state"] == "done"
    }
  }

  private func conflict(of map: JSONValue, in browser: FakeBrowser) async throws -> JSONValue {
    let list = try await browser.post("sync/conflicts", ["id": map])["conflicts"]?.array
    return try #require(list?.first)
  }

  private func resolve(
    _ conflict: JSONValue, seen: JSONValue?, of map: JSONValue, in browser: FakeBrowser
  ) async throws -> FakeBrowser.Answer {
    let body: JSONValue = [
      "id": map, "number": try #require(conflict["number"]), "resolution": "theirs",
      "seen": seen ?? .null,
    ]
    return try await browser.answer(to: "/api/sync/resolve", body: body.encoded())
  }
}
