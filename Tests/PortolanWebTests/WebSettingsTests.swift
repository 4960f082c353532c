import Foundation
import PortolanApp
import PortolanJSON
import PortolanTestSupport
import Testing

@testable import PortolanWeb

/// The settings, as their page's requests.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct WebSettingsTests {
  private var home: URL { temporaryDirectory.appending(path: "home") }

  private func setting(_ key: String, of state: JSONValue) -> JSONValue? {
    state["settings"]?.array?.first { $0["key"]?.string == key }
  }

  @Test func `A page receives the settings in effect, their choices, and when changes apply`()
    async throws
  {
    try await withHome(home) { _, browser in
      let state = try await browser.event("settings") { _ in true }
      #expect(state["faults"] == [] && state["file"]?.string?.hasSuffix("settings.json") == true)
      #expect(state["settings"]?.array?.count == SettingKey.allCases.count)
      let size = setting("page-size", of: state)
      #expect(size?["kind"] == "number" && size?["least"] == 1 && size?["most"] == 100)
      #expect(size?["text"] == "20" && size?["origin"] == "default")
      #expect(size?["holdsAtOnce"] == true)
      let sync = setting("background-sync", of: state)
      #expect(sync?["kind"] == "choice" && sync?["choices"] == ["off", "on", "unmetered"])
      #expect(setting("parallel-downloads", of: state)?["holdsAtOnce"] == false)
      // Whoever has started the program has named a portal.
      #expect(setting("portal", of: state)?["origin"] == "flag")
    }
  }

  @Test func `A setting holds for all pages and is kept until it is reset to its default`()
    async throws
  {
    try await withHome(home) { _, browser in
      let answer = try await browser.post(
        "settings/set", ["key": "background-sync", "value": "unmetered"])
      #expect(setting("background-sync", of: answer)?["origin"] == "file")
      let told = try await browser.event("settings") {
        setting("background-sync", of: $0)?["text"] == "unmetered"
      }
      #expect(setting("background-sync", of: told)?["defaultText"] == "off")
    }
    try await withHome(home) { _, browser in
      let kept = try await browser.event("settings") { _ in true }
      #expect(setting("background-sync", of: kept)?["text"] == "unmetered")
      let answer = try await browser.post("settings/unset", ["key": "background-sync"])
      #expect(setting("background-sync", of: answer)?["origin"] == "default")
    }
  }

  @Test(
    arguments: [
      ["key": "page-size", "value": "many"], ["key": "page-size", "value": 7],
      ["key": "portal", "value": ""], ["key": "theme", "value": "dark"], ["value": "7"],
    ] as [JSONValue])
  func `A setting that cannot be changed is refused, and changes nothing`(
    _ request: JSONValue
  ) async throws {
    try await withHome(home) { _, browser in
      let before = try await browser.event("settings") { _ in true }
      let answer = try await browser.answer(to: "/api/settings/set", body: request.encoded())
      #expect([400, 404].contains(answer.status))
      #expect(try JSONValue(parsing: answer.data)["problem"]?["message"]?.string != nil)
      #expect(try await browser.event("settings") { _ in true } == before)
    }
  }
}
