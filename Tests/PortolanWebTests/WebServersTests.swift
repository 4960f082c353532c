import Foundation
import PortolanJSON
import Testing

@testable import PortolanWeb

/// Signing in from the page to a server that keeps users of its own, which has a layer of a web map of the demo portal.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct WebServersTests {
  private func exploreMaine(_ browser: FakeBrowser) async throws -> JSONValue {
    let map = try await browser.row("Explore Maine") { $0["state"] == "online" }
    return try #require(map["id"])
  }

  private func harborLights(_ contents: JSONValue) throws -> JSONValue {
    try #require(contents["layers"]?.array?.first { $0["title"] == "Harbor lights" })
  }

  /// The parameters of a sign-in.
  private func credentials(
    at server: JSONValue, password: String = "moorings"
  ) -> JSONValue {
    ["server": server, "username": "harbormaster", "password": .string(password)]
  }

  @Test func `A layer that its server has refused is loaded after a sign-in there, and then drawn`()
    async throws
  {
    try await withBrowser { browser in
      let id = try await exploreMaine(browser)
      let refused = try harborLights(try await browser.post("portal/web-map", ["id": id]))
      let server = try #require(refused["server"])
      #expect(refused["status"] == "failed" && server.string?.hasSuffix("/secured") == true)
      let retry: JSONValue = ["webMap": id, "layer": try #require(refused["id"])]
      let stillRefused = try harborLights(try await browser.post("portal/retry-layer", retry))
      #expect(stillRefused == refused)
      try await browser.post("session/sign-in-server", credentials(at: server))
      let loaded = try harborLights(try await browser.post("portal/retry-layer", retry))
      #expect(loaded["status"] == "loaded" && loaded["server"]?.string == nil)
      try await browser.post("portal/open", ["id": id])
      let opened = try await browser.event("map") { $0["title"] == "Explore Maine" }
      #expect(opened["problems"] == [])
    }
  }

  @Test func `A layer of the open map is there after a sign-in to its server`() async throws {
    try await withBrowser { browser in
      let id = try await exploreMaine(browser)
      try await browser.post("portal/open", ["id": id])
      func refused(_ map: JSONValue) -> JSONValue? {
        map["problems"]?.array?.first {
          $0["title"] == "Harbor lights" && $0["server"]?.string != nil
        }
      }
      let map = try await browser.event("map") { refused($0) != nil }
      let server = try #require(refused(map)?["server"])
      try await browser.post("session/sign-in-server", credentials(at: server))
      try await browser.post("map/retry-layers", [:])
      let drawn = try await browser.event("map") {
        $0["problems"] == [] && $0["revision"] != map["revision"]
      }
      #expect(drawn["title"] == "Explore Maine")
    }
  }

  @Test func `Who is signed in at a server is listed without any secret, and signed out`()
    async throws
  {
    try await withBrowser { browser in
      let id = try await exploreMaine(browser)
      let layer = try harborLights(try await browser.post("portal/web-map", ["id": id]))
      let server = try #require(layer["server"])
      let answer = try await browser.post("session/sign-in-server", credentials(at: server))
      #expect(answer == [:])
      let session = try await browser.event("session") { $0["servers"]?.array?.isEmpty == false }
      #expect(
        session["servers"]
          == [["server": server, "name": "harbormaster", "needsSignIn": false]])
      let text = session.text().lowercased()
      #expect(!text.contains("moorings") && !text.contains("token"))
      #expect(session["signedIn"] == false, "the portal knows nobody yet")
      try await browser.post("session/sign-out-server", ["server": server])
      _ = try await browser.event("session") { $0["servers"] == [] }
      let again = try await browser.answer(
        to: "/api/session/sign-out-server",
        body: (["server": server] as JSONValue).encoded())
      #expect(again.status != 200)
    }
  }

  @Test func `A wrong password is refused with the reason, and is repeated nowhere`() async throws {
    try await withBrowser { browser in
      let id = try await exploreMaine(browser)
      let layer = try harborLights(try await browser.post("portal/web-map", ["id": id]))
      let wrong = credentials(at: try #require(layer["server"]), password: "nonsense")
      let answer = try await browser.answer(
        to: "/api/session/sign-in-server", body: wrong.encoded())
      let problem = try JSONValue(parsing: answer.data)["problem"]
      #expect(answer.status != 200 && problem?["kind"] == "signIn")
      #expect(problem?["suggestion"] == "Check the user name and the password.")
      #expect(!String(decoding: answer.data, as: UTF8.self).contains("nonsense"))
      let session = try await browser.event("session") { $0["servers"] != nil }
      #expect(session["servers"] == [] && !session.text().contains("nonsense"))
    }
  }
}
