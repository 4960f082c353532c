import Foundation
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import DemoPortal
@testable import PortolanREPL

/// Downloads that are asked for twice, or by a title alone.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct RepeatedDownloadTests {
  private func withSession(
    _ body: (LiveSession, ServedDemoPortal) async throws -> Void
  ) async throws {
    let folder = temporaryDirectory.appending(path: "portal")
    try await ServedDemoPortal.standard(folder: folder) { portal in
      let session = LiveSession(
        home: temporaryDirectory.appending(path: "home"), portal: portal.url,
        environment: ["PORTOLAN_PASSWORD": "demo"], world: TestWorld())
      await session.type("sign-in --user demo")
      await session.type("areas \(ServedDemoPortal.exploreMaine)")
      try await body(session, portal)
    }
  }

  @Test func `A download of a map that is here says so, and what updates it`() async throws {
    try await withSession { session, _ in
      await session.type("download \"Casco Bay\"")
      #expect(!session.seen.contains("downloaded again"))
      await session.type("download \"Casco Bay\"")
      #expect(session.seen.contains("is downloaded again; \"update\""), "\(session.seen)")
    }
  }

  @Test func `A package of the portal is downloaded by its title, without a search`() async throws {
    try await withSession { session, _ in
      await session.type("download \"No Such Mapbook\"")
      #expect(session.seen.hasSuffix("[notFound]\n"), "\(session.seen)")
      await session.type("download \"naperville water company mapbook\"")
      #expect(session.seen.hasSuffix("Mapbook\" is on this device, 4.9 MB.\n"), "\(session.seen)")
    }
  }

  @Test func `A download that was paused continues, and says so`() async throws {
    try await withSession { session, portal in
      await portal.delay(.tiles)
      try await session.atPrompt { prompt in
        await prompt.type("download \"Casco Bay\"")
        try await prompt.waitForFile(of: "Casco Bay")
        await prompt.type("pause casco")
        await portal.mend()
        await prompt.type("download \"Casco Bay\"")
        #expect(session.seen.contains("was paused, and continues."), "\(session.seen)")
        try await prompt.wait(for: "\"Casco Bay\" is on this device")
      }
    }
  }
}
