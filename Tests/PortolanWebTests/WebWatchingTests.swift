import Foundation
import PortolanApp
import PortolanJSON
import PortolanSample
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanWeb

/// A folder whose packages the page offers.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct WebWatchingTests {
  private var folder: URL { temporaryDirectory.appending(path: "downloads") }

  private func prepare() async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try await ExploreMaine.write(to: folder.appending(path: "maine.mmpk"))
    try Data("no package".utf8).write(to: folder.appending(path: "broken.mmpk"))
  }

  private func withFolder(_ body: (FakeBrowser) async throws -> Void) async throws {
    try await prepare()
    try await withHome(temporaryDirectory.appending(path: "home")) { _, browser in
      try await browser.post("maps/watch", ["folder": .string(folder.path)])
      try await body(browser)
    }
  }

  private func offers(_ browser: FakeBrowser, _ names: Set<String>) async throws -> [JSONValue] {
    func offered(_ watched: JSONValue) -> [JSONValue] { watched["offers"]?.array ?? [] }
    let watched = try await browser.event("watched") { watched in
      Set(offered(watched).compactMap { $0["name"]?.string }) == names
    }
    return offered(watched)
  }

  @Test func `Packages of a folder are offered, and taken`() async throws {
    try await withFolder { browser in try await self.takePackage(browser) }
  }

  private func takePackage(_ browser: FakeBrowser) async throws {
    let offered = try await offers(browser, ["broken.mmpk", "maine.mmpk"])
    #expect(offered.allSatisfy { $0["bytes"]?.int ?? 0 > 0 })
    let id = try #require(offered.last?["id"])
    let imported = try await browser.post("maps/take-offer", ["id": id])
    #expect(imported["outcome"] == "stored")
    _ = try await browser.row("Explore Maine") { $0["state"] == "stored" }
    _ = try await offers(browser, ["broken.mmpk"])
    // The page asks what becomes of a package of that name, and takes it with the answer.
    let skipped = try await browser.post("maps/take-offer", ["id": id])
    #expect(skipped["outcome"] == "skipped")
    let renamed = try await browser.post("maps/take-offer", ["id": id, "policy": "rename"])
    #expect(renamed["outcome"] == "stored")
  }

  @Test func `What is none is refused, and not offered again`() async throws {
    try await withFolder { browser in try await self.takeBroken(browser) }
  }

  private func takeBroken(_ browser: FakeBrowser) async throws {
    let offered = try await offers(browser, ["broken.mmpk", "maine.mmpk"])
    let body: JSONValue = ["id": try #require(offered.first?["id"])]
    let refused = try await browser.answer(to: "/api/maps/take-offer", body: body.encoded())
    #expect(refused.status == 409)
    _ = try await offers(browser, ["maine.mmpk"])
  }

  @Test func `What is dismissed is offered no longer, and a folder is watched as long as wanted`()
    async throws
  {
    try await withFolder { browser in try await self.dismiss(browser) }
  }

  private func dismiss(_ browser: FakeBrowser) async throws {
    let offered = try await offers(browser, ["broken.mmpk", "maine.mmpk"])
    let body: JSONValue = ["id": try #require(offered.first?["id"])]
    try await browser.post("maps/decline-offer", body)
    _ = try await offers(browser, ["maine.mmpk"])
    try await browser.post("maps/stop-watching", [:])
    _ = try await browser.event("watched") { $0 == .null }
    let late = try await browser.answer(to: "/api/maps/take-offer", body: body.encoded())
    #expect(late.status == 404)
  }

  @Test(arguments: ["downloads", "", "/no/such/folder", "/etc/passwd"])
  func `A path that is no folder is refused`(_ path: String) async throws {
    try await withHome(temporaryDirectory.appending(path: "home")) { _, browser in
      let body = JSONValue.object(["folder": .string(path)]).encoded()
      let refused = try await browser.answer(to: "/api/maps/watch", body: body)
      #expect([404, 409].contains(refused.status))
      #expect(try await browser.event("watched") { _ in true } == .null)
    }
  }

  @Test func `Nothing else of this device is taken than what was offered`() async throws {
    try await withFolder { browser in
      let other = temporaryDirectory.appending(path: "other.mmpk")
      try await ExploreMaine.write(to: other)
      let body = JSONValue.object(["id": .string(other.path)]).encoded()
      #expect(try await browser.answer(to: "/api/maps/take-offer", body: body).status == 404)
    }
  }
}
