import Foundation
import PortolanApp
import PortolanComposition
import PortolanRendering
import PortolanTestSupport
import Testing

@testable import PortolanREPL

/// Showing a package in the web app while it is edited.
@MainActor
@Suite(.temporaryDirectory) struct PreviewCommandTests {
  /// A web app that ends at once.
  private final class EndedWebApp: RunningWebApp {
    let url: URL
    let urlForOneBrowser: URL

    init() throws {
      url = try #require(URL(string: "http://127.0.0.1:9/?token=all"))
      urlForOneBrowser = try #require(URL(string: "http://127.0.0.1:9/?token=one"))
    }

    func run() async {}
    func stop() async {}
  }

  private struct Starter: WebAppStarting {
    let web: EndedWebApp

    func start(port: UInt16, isDemo: Bool, watching folder: URL?) async throws -> any RunningWebApp
    {
      web
    }
  }

  @MainActor private final class Browser {
    var opened: [String] = []
  }

  @Test func `The browser is opened with a token that lets in no other`() async throws {
    let specification = temporaryDirectory.appending(path: "town.json")
    try Data("NAME,longitude,latitude\nOak,-68.1,44.3\n".utf8)
      .write(to: temporaryDirectory.appending(path: "trees.csv"))
    try Data(
      #"""
      {"title": "Town", "data": {"Trees": {"file": "trees.csv"}},
       "maps": [{"name": "a", "layers": [{"data": "Trees"}]}]}
      """#.utf8
    ).write(to: specification)
    let home = HomeFolder(
      option: temporaryDirectory.appending(path: "home").path(percentEncoded: false),
      environment: [:])
    let (console, browser) = (TranscriptConsole(), Browser())
    let session = Session(
      console: console, options: GlobalOptions(),
      app: LiveApp(home: home, drawing: PictureDrawing()).model(),
      webApp: Starter(web: try EndedWebApp()),
      openBrowser: { url in
        browser.opened.append(url.absoluteString)
        return true
      })
    let path = specification.path(percentEncoded: false)
    let outcome = await session.interpreter.run("preview '\(path)'", in: session)
    #expect(outcome.status == .done, "\(console.transcript)")
    #expect(browser.opened == ["http://127.0.0.1:9/?token=one#/map"])
    #expect(console.transcript.contains("http://127.0.0.1:9/?token=all#/map"))
  }
}
