import Foundation
import PortolanApp
import PortolanComposition
import PortolanRendering
import PortolanTestSupport
import Testing

@testable import PortolanREPL

/// Showing a package in the web app while it is edited.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(2))) struct PreviewCommandTests {
  /// A web app that ends as soon as a console shows some words.
  private final class BriefWebApp: RunningWebApp {
    let url: URL
    let urlForOneBrowser: URL
    private let console: TranscriptConsole
    private let words: String

    init(until console: TranscriptConsole, shows words: String) throws {
      url = try #require(URL(string: "http://127.0.0.1:9/?token=all"))
      urlForOneBrowser = try #require(URL(string: "http://127.0.0.1:9/?token=one"))
      self.console = console
      self.words = words
    }

    func run() async {
      while !console.transcript.contains(words), !Task.isCancelled { await Task.yield() }
    }

    func stop() async {}
  }

  private struct Starter: WebAppStarting {
    let web: BriefWebApp

    func start(port: UInt16, isDemo: Bool, watching folder: URL?) async throws -> any RunningWebApp
    {
      web
    }
  }

  @MainActor private final class Browser {
    var opened: [String] = []
  }

  /// Shows a package of some trees until the console shows some words.
  private func preview(
    _ trees: String, until words: String, on console: TranscriptConsole, _ browser: Browser
  ) async throws -> ExitCode {
    let specification = temporaryDirectory.appending(path: "town.json")
    try Data("NAME,longitude,latitude\n\(trees)".utf8)
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
    let session = Session(
      console: console, options: GlobalOptions(),
      app: LiveApp(home: home, drawing: PictureDrawing()).model(),
      webApp: Starter(web: try BriefWebApp(until: console, shows: words)),
      openBrowser: { url in
        browser.opened.append(url.absoluteString)
        return true
      })
    let path = specification.path(percentEncoded: false)
    return await session.interpreter.run("preview '\(path)'", in: session).status
  }

  @Test func `The browser is opened with a token that lets in no other`() async throws {
    let (console, browser) = (TranscriptConsole(), Browser())
    let status = try await preview(
      "Oak,-68.1,44.3\n", until: "?token=all", on: console, browser)
    #expect(status == .done, "\(console.transcript)")
    #expect(browser.opened == ["http://127.0.0.1:9/?token=one#/map"])
    #expect(console.transcript.contains("http://127.0.0.1:9/?token=all#/map"))
  }

  @Test func `Rows that could not be taken over are listed below what is shown`() async throws {
    let console = TranscriptConsole()
    let status = try await preview(
      "Oak,-68.1,44.3\nAsh,west,44\n", until: "line 3", on: console, Browser())
    #expect(status == .done)
    #expect(
      console.transcript.contains(
        "! The package is shown.\n! Could not be taken over: 1\n!   \"trees.csv\", line 3: "),
      "\(console.transcript)")
  }

  @Test func `Of many rows that could not be taken over the first are listed`() {
    var report = AuthoringReport(title: "Town")
    report.notes = ["Nothing shows \"Bushes\"."]
    #expect(report.remarks == report.notes)
    report.failures = (1...30).map { "line \($0)" }
    report.failureCount = 100
    #expect(report.remarks.count == 23)
    #expect(report.remarks[1] == "Could not be taken over: 100")
    #expect(report.remarks.last == "  and 80 more")
  }
}
