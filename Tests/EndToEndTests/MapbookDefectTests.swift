import Foundation
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import DemoPortal
@testable import PortolanREPL

/// The defects of Offline Mapbook, which do not occur here; the others are named in the tests of
/// the parts that they are about.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct MapbookDefectTests {
  private let world = TestWorld()

  private var home: URL { temporaryDirectory.appending(path: "home") }

  private func withPortal(_ body: (ServedDemoPortal) async throws -> Void) async throws {
    try await ServedDemoPortal.standard(
      folder: temporaryDirectory.appending(path: "portal"), body)
  }

  private func start(on portal: ServedDemoPortal? = nil, isOffline: Bool = false) -> LiveSession {
    LiveSession(
      home: home, portal: portal?.url, isOffline: isOffline,
      environment: ["PORTOLAN_PASSWORD": "demo"], world: world,
      console: TranscriptConsole(width: 100))
  }

  private func signedIn(on portal: ServedDemoPortal) async -> LiveSession {
    let session = start(on: portal)
    await session.type("sign-in --user demo")
    await session.type("areas \(ServedDemoPortal.exploreMaine)")
    return session
  }

  @Test func `Defect 1, a start without a portal keeps the user signed in`()
    async throws
  {
    try await withPortal { portal in
      _ = await signedIn(on: portal)
      let offline = await start(on: portal, isOffline: true).transcript(["whoami"])
      #expect(offline.contains("Name:         Demo Person (demo)"))
      for fault in [DemoFault.Kind.drop, .status(500, retryAfter: nil), .html] {
        await portal.portal.state.add(DemoFault(fault))
        let text = await start(on: portal).transcript(["maps", "whoami"])
        #expect(text.contains("Name:         Demo Person (demo)"), "\(fault)\n\(text)")
        await portal.mend()
      }
      let later = await start(on: portal).transcript(["whoami"])
      #expect(later.contains("Name:         Demo Person (demo)"))
    }
  }

  @Test func `Defect 4, a download is reported complete once, and only when it is`() async throws {
    try await withPortal { portal in
      let session = await signedIn(on: portal)
      await portal.delay(.features)
      let sentence = "\"Casco Bay\" is on this device"
      try await session.atPrompt { prompt in
        await prompt.type("download \"Casco Bay\"")
        await portal.waiting.sleepers(1)
        #expect(!session.seen.contains(sentence))
        await portal.mend()
        try await prompt.wait(for: sentence)
        await prompt.type("maps")
      }
      #expect(session.seen.components(separatedBy: sentence).count == 2)
    }
  }

  @Test func `Defect 5, a download that fails says so`() async throws {
    try await withPortal { portal in
      let session = await signedIn(on: portal)
      await portal.portal.state.add(
        DemoFault(.status(404, retryAfter: nil), path: "*/\(ServedDemoPortal.naperville)/data"))
      await session.type("download \(ServedDemoPortal.naperville)")
      #expect(session.seen.contains("! error: "))
      #expect(!session.seen.contains("Naperville Water Company Mapbook\" is on this device"))
      await portal.mend()
    }
  }

  /// The file of the package that was downloaded.
  private func storedPackage() throws -> URL {
    let folder = home.appending(path: "packages/\(ServedDemoPortal.naperville)")
    let packages = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "mmpk" }
    return try #require(packages.first)
  }

  @Test func `Defect 7, newer versions are known by the portal's date, whatever dates files have`()
    async throws
  {
    try await withPortal { portal in
      let session = await signedIn(on: portal)
      await session.type("download \(ServedDemoPortal.naperville)")
      let package = try storedPackage()
      func setDate(_ date: Date) throws {
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: package.path)
      }
      try setDate(Date(timeIntervalSince1970: 600_000_000))
      let before = await start(on: portal).transcript(["updates", "maps"])
      #expect(before.contains("current") && !before.contains("newer"), "\(before)")
      try await portal.bump(ServedDemoPortal.naperville)
      try setDate(Date(timeIntervalSince1970: 4_000_000_000))
      let after = await start(on: portal).transcript(["updates", "maps", "maps"])
      #expect(after.contains("available"), "\(after)")
      // The list says so each time that it is made again, also without a network.
      #expect(after.components(separatedBy: "newer").count == 3, "\(after)")
      let offline = await start(on: portal, isOffline: true).transcript(["maps"])
      #expect(offline.contains("newer"), "\(offline)")
    }
  }

  @Test func `Defect 9, a package that does not open is listed by its name, with the reason`()
    async throws
  {
    try await withPortal { portal in
      let session = await signedIn(on: portal)
      await session.type("download \(ServedDemoPortal.naperville)")
      let package = try storedPackage()
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: package.path)
      try Data("no package".utf8).write(to: package)
      let list = await start(isOffline: true).transcript(["maps"])
      #expect(list.contains("Naperville Water Company Mapbook"), "\(list)")
      let text = await start(isOffline: true).transcript(["open Naperville", "audit"])
      #expect(text.contains("! error: "))
    }
  }
}
