import DemoPortal
import Foundation
import PortolanTestSupport
import Testing

/// An area that somebody chose, from the first question to the map without a network.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct TakeOfflineTests {
  private static let area = "-70.6,43.4,-69.9,43.9"
  private static let scales = "--min-scale 5000000 --max-scale 500000"

  private var home: URL { temporaryDirectory.appending(path: "home") }

  private func withPortal(_ body: (ServedDemoPortal) async throws -> Void) async throws {
    try await ServedDemoPortal.standard(
      folder: temporaryDirectory.appending(path: "portal"), body)
  }

  @Test func `An area is looked at, taken offline, and opened without the portal`() async throws {
    try await withPortal { portal in
      let session = LiveSession(home: home, portal: portal.url)
      let map = ServedDemoPortal.exploreMaine
      let said = await session.transcript([
        "capabilities \(map)", "estimate \(map) \(Self.area) \(Self.scales)",
        "take-offline \(map) \(Self.area) \(Self.scales) --title \"Around Portland\"",
      ])
      #expect(said.contains("Export") == false && said.contains("Lighthouses"))
      #expect(said.contains("demo.test") == false && said.contains("tiles"))
      #expect(said.contains("There is enough free space."))
      #expect(said.contains("Around Portland"))
    }
    let offline = LiveSession(home: home, isOffline: true)
    let said = await offline.transcript([
      "maps", "open \"Around Portland\"", "toc",
    ])
    #expect(said.contains("Around Portland") && said.contains("Lighthouses"))
    #expect(!said.contains("error:"), "\(said)")
  }

  @Test func `An area across the dateline is refused, and nothing is begun`() async throws {
    try await withPortal { portal in
      let session = LiveSession(home: home, portal: portal.url)
      let said = await session.transcript([
        "take-offline \(ServedDemoPortal.exploreMaine) 170,0,190,10", "jobs",
      ])
      #expect(said.contains("crosses the 180th meridian"))
    }
  }
}
