import Foundation
import PortolanApp
import PortolanJSON
import PortolanTestSupport
import Testing

@testable import PortolanWeb

/// A package that is shown in the browser while its specification is edited.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct WebPreviewTests {
  private func write(layer: String) throws {
    let text = """
      {"title": "Town", "data": {"Trees": {"file": "trees.csv"}},
       "maps": [{"name": "a", "layers": [{"data": "\(layer)"}]}]}
      """
    try Data(text.utf8).write(to: temporaryDirectory.appending(path: "town.json"))
  }

  @Test func `Errors are reported, and the package is saved as it was last made`() async throws {
    try Data("NAME,longitude,latitude\nOak,-68.1,44.3\n".utf8)
      .write(to: temporaryDirectory.appending(path: "trees.csv"))
    let made = temporaryDirectory.appending(path: "made")
    try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
    try write(layer: "Trees")
    try await withHome(temporaryDirectory.appending(path: "home")) { app, browser in
      let refused = try await browser.answer(to: "/api/preview/save", body: Data("{}".utf8))
      #expect(refused.status == 404)
      let preview = PreviewModel(
        of: temporaryDirectory.appending(path: "town.json"), in: made, app: app)
      app.preview = preview
      await preview.refresh()
      _ = try await browser.event("preview") { $0["state"] == "shown" && $0["title"] == "Town" }
      try write(layer: "Bushes")
      await preview.refresh()
      let told = try await browser.event("preview") { $0["state"] == "failed" }
      #expect(told["problem"]?["message"]?.string?.contains("\"Bushes\"") == true)
      let saved = try await browser.save("preview/save", [:])
      #expect(saved.status == 200 && saved.data.prefix(2) == Data("PK".utf8))
    }
  }
}
