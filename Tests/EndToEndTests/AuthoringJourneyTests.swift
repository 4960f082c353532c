import Foundation
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import DemoPortal
@testable import PortolanREPL

/// A package from the file that describes it to a portal, and back.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct AuthoringJourneyTests {
  private let world = TestWorld()

  private func session(_ portal: ServedDemoPortal) -> LiveSession {
    LiveSession(
      home: temporaryDirectory.appending(path: "home"), portal: portal.url,
      environment: ["PORTOLAN_PASSWORD": "demo"], world: world,
      console: TranscriptConsole(width: 100))
  }

  private func items(_ portal: ServedDemoPortal) async -> [DemoItem] {
    await portal.portal.state.items(for: .user("demo")).filter { $0.title == "My mapbook" }
  }

  @Test func `A package is made, shared where the upload breaks off, and stays what it is`()
    async throws
  {
    let book = temporaryDirectory.appending(path: "book.mmpk")
    let sources = temporaryDirectory.appending(path: "sources").path(percentEncoded: false)
    let (path, spec) = (
      book.path(percentEncoded: false), "\(sources)/naperville-water-company-mapbook.json"
    )
    try await ServedDemoPortal.standard(folder: temporaryDirectory.appending(path: "portal")) {
      portal in
      let session = session(portal)
      await session.type("sign-in --user demo")
      await session.type("create-package --example \"\(sources)\"")
      #expect(session.seen.replacing("'", with: "").contains("\npreview \(spec)\n"))
      await session.type("create-package --example \"\(sources)\"")
      #expect(session.seen.contains("exists already."))
      await session.type("create-package \"\(spec)\" \"\(path)\"")
      #expect(session.seen.contains("Capital Improvement Program       4          2"))
      let share = "share \"\(path)\" --title \"My mapbook\" --access org"
      await portal.portal.state.add(
        DemoFault(.status(404, retryAfter: nil), path: "*/commit", count: 1))
      await session.type(share)
      #expect(session.seen.contains("! error: "))
      await session.type(share)
      #expect(session.seen.contains("An interrupted upload had sent"))
      let item = try #require(await items(portal).first)
      guard case .bytes(let data) = item.content else {
        Issue.record("The item holds nothing.")
        return
      }
      #expect(try data == Data(contentsOf: book))
      #expect(item.access == .org && item.tags.contains("Offline Mapbook"))
      await session.type(share)
      #expect(session.seen.contains("\"My mapbook\" is on the portal already"))
      await session.type(share + " --overwrite")
      #expect(session.seen.contains("\"My mapbook\" is replaced"))
      #expect(await items(portal).map(\.id) == [item.id])
      await session.type("download \(item.id)")
      #expect(session.seen.contains("\"My mapbook\" is on this device"))
      await session.type("share \"my mapbook\"")
      #expect(
        session.seen.contains("with \"export 'My mapbook' my-mapbook.mmpk\", and share that."))
    }
  }
}
