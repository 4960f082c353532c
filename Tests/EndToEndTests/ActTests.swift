import Foundation
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import DemoPortal
@testable import PortolanREPL

/// A session from the first start to what can go wrong, act by act.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct ActTests {
  private let world = TestWorld()

  private var home: URL { temporaryDirectory.appending(path: "home") }

  private func withPortal(_ body: (ServedDemoPortal) async throws -> Void) async throws {
    try await ServedDemoPortal.standard(
      folder: temporaryDirectory.appending(path: "portal"), body)
  }

  /// Portolan as it is started; the console goes on from one start to the next.
  private func start(
    on portal: ServedDemoPortal? = nil, isOffline: Bool = false,
    _ console: TranscriptConsole = TranscriptConsole(width: 100)
  ) -> LiveSession {
    LiveSession(
      home: home, portal: portal?.url, isOffline: isOffline,
      environment: ["PORTOLAN_PASSWORD": "demo"], world: world, console: console,
      replacing: [(home, "HOME")] + (portal.map { [($0.url, "http://PORTAL")] } ?? []))
  }

  @Test func `Act 0, the first start with nothing there`() async throws {
    let console = TranscriptConsole(width: 100)
    _ = await start(console).transcript([
      "status", "maps", "jobs", "storage", "audit", "undo", "areas \"Explore Maine\"",
      "download \"Casco Bay\"", "open \"Casco Bay\"", "help download", "settings",
    ])
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    try Data(#"{"page-size": "12", "PortalItemsQuerySize": 20}"#.utf8)
      .write(to: home.appending(path: "settings.json"))
    try expectSnapshot(
      await start(console).transcript(["settings"]), named: "act-0-first-start.txt")
  }

  private func start(_ console: TranscriptConsole) -> LiveSession { start(on: nil, console) }

  @Test func `Act 1, a portal, signing in and searching`() async throws {
    try await withPortal { portal in
      let console = TranscriptConsole(width: 100)
      let wrong = LiveSession(
        home: home, portal: portal.url, environment: ["PORTOLAN_PASSWORD": "wrong"],
        world: world, console: console, replacing: [(home, "HOME"), (portal.url, "http://PORTAL")])
      await wrong.type("whoami")
      await wrong.type("sign-in --user demo")
      let session = start(on: portal, console)
      let text = await session.transcript([
        "sign-in --user demo", "whoami", "search \"Offline Mapbook\" --page 1",
        "search naperville", "search", "search --page 2", "search --page 3",
        "item \(ServedDemoPortal.naperville)",
      ])
      try expectSnapshot(text, named: "act-1-portal.txt")
    }
  }

  @Test func `Act 2, a download and all the bad things`() async throws {
    try await withPortal { portal in
      let console = TranscriptConsole(width: 100)
      let session = start(on: portal, console)
      await session.type("areas \(ServedDemoPortal.exploreMaine)")
      await session.type("download \"Casco Bay\" --plan")
      world.setFree(2_000_000)
      for line in ["download \"Casco Bay\" --plan", "download \"Casco Bay\"", "jobs"] {
        await session.type(line)
      }
      world.setFree(1_000_000_000)
      try await interrupt(session, on: portal)
      try await kill("Acadia", on: portal, console)
      try await damage(start(on: portal, console), on: portal)
      try expectSnapshot(start(on: portal, console).seen, named: "act-2-download.txt")
    }
  }

  /// Stops a download in every way that leaves the process alive.
  private func interrupt(_ session: LiveSession, on portal: ServedDemoPortal) async throws {
    await portal.delay(.tiles)
    try await session.atPrompt { prompt in
      await prompt.type("download \"Casco Bay\"")
      try await prompt.waitForFile(of: "Casco Bay")
      for line in [
        "download \"Casco Bay\"", "jobs", "pause casco", "pause casco", "resume casco",
        "pause casco", "jobs",
      ] { await prompt.type(line) }
      try await loseNetwork(prompt, on: portal)
      for line in ["jobs", "maps"] { await prompt.type(line) }
      await portal.mend()
      world.network.set(.online(isMetered: nil))
      try await prompt.wait(for: "\"Casco Bay\" is on this device")
      await prompt.type("maps")
    }
  }

  /// Lets the connection end in the middle of a file while there is no network any more.
  private func loseNetwork(_ prompt: LiveSession.Prompt, on portal: ServedDemoPortal) async throws {
    await portal.mend()
    await portal.delay(.tiles)
    await portal.addFault(.cut(after: 100_000), to: .tiles, of: "Casco Bay")
    await prompt.type("resume casco")
    await portal.waiting.sleepers()
    world.network.set(.offline(.asked))
    portal.waiting.advance(by: .seconds(3600))
    try await prompt.wait(for: "waiting for a network")
  }

  /// Kills a process in the middle of a download, and starts Portolan again.
  private func kill(
    _ area: String, on portal: ServedDemoPortal, _ console: TranscriptConsole
  ) async throws {
    await portal.delay(.tiles)
    console.echo("portolan download \(area)")
    let notes = Pipe()
    let process = PortolanProcess.make(
      ["--portal", portal.url.absoluteString, "download", area, "--json"], home: home)
    process.standardError = notes
    process.standardOutput = FileHandle.nullDevice
    try PortolanProcess.start(process)
    try await Self.wait(for: #""items":1"#, in: notes)
    Foundation.kill(process.processIdentifier, SIGKILL)
    try await PortolanProcess.end(of: process)
    console.note("killed by signal \(process.terminationStatus)")
    let session = start(on: portal, console)
    try await session.atPrompt { prompt in
      try await prompt.wait(for: "was interrupted")
      try await prompt.waitUntilRunning(area)
      for line in ["jobs", "audit"] { await prompt.type(line) }
      await portal.mend()
      try await prompt.wait(for: "\"\(area)\" is on this device")
    }
  }

  /// Lets files arrive damaged, once and then for good.
  private func damage(_ session: LiveSession, on portal: ServedDemoPortal) async throws {
    await portal.addFault(.corrupt(bytes: 2_000), to: .features, of: "Katahdin", count: 1)
    await session.type("download Katahdin")
    await portal.mend()
    await portal.addFault(.corrupt(bytes: 2_000), to: .features, of: "Katahdin")
    for line in [
      "delete Katahdin --yes", "download Katahdin --stop-on-errors", "maps", "audit",
    ] { await session.type(line) }
    await portal.mend()
    for line in ["resume Katahdin", "maps"] { await session.type(line) }
  }

  /// Waits, off the threads of tasks, until a process has written something.
  private static func wait(for text: String, in pipe: Pipe) async throws {
    let isThere = try await onOwnThread {
      var seen = ""
      while !seen.contains(text) {
        let piece = pipe.fileHandleForReading.availableData
        guard !piece.isEmpty else { break }
        seen += String(decoding: piece, as: UTF8.self)
      }
      return seen.contains(text)
    }
    try #require(isThere)
  }

  @Test func `Act 3, a start without a network and the use of a map`() async throws {
    try await withPortal { portal in
      let console = TranscriptConsole(width: 100)
      _ = await start(on: portal, console).transcript([
        "sign-in --user demo", "areas \(ServedDemoPortal.exploreMaine)", "download \"Casco Bay\"",
        "download \(ServedDemoPortal.naperville)",
      ])
      let session = start(on: portal, isOffline: true, console)
      let text = await session.transcript([
        "status", "maps", "areas \"Explore Maine\"", "whoami", "search", "download Acadia",
        "open \"Explore Maine\"", "open Naperville", "open --map 2", "toc", "close",
        "open \"Casko Bay\"", "open \"Casco Bay\"", "toc", "legend",
        "bookmarks", "go-to \"Portland Head\"", "identify -70.2079,43.6231", "popup 1",
        "popup next", "hide Lighthouses", "identify -70.2079,43.6231", "legend", "maps",
        "toc --map \"Casco Bay\" --json",
      ])
      try expectSnapshot(text, named: "act-3-offline.txt")
    }
  }

  @Test func `Act 3, a mapbook is searched, looked at and left`() async throws {
    try await withPortal { portal in
      let console = TranscriptConsole(width: 100)
      _ = await start(on: portal, console).transcript([
        "sign-in --user demo", "download \(ServedDemoPortal.naperville)",
      ])
      let session = start(on: portal, isOffline: true, console)
      let text = await session.transcript([
        "open Naperville", "open --map 2", "toc", "legend", "hide \"Water mains\"", "legend",
        "bookmarks", "go-to \"Main Street\"", "view", "bookmarks add \"Leak site\"",
        "bookmarks remove 1", "suggest 123", "suggest \"1223 oak\"",
        "pick 1", "popup 1", "find \"M-00042\"", "find \"Oak & Main\"", "suggest zzz",
        "find zzz",
        "close",
      ])
      try expectSnapshot(text, named: "act-3-mapbook.txt")
    }
  }

  @Test func `Act 6, updates`() async throws {
    try await withPortal { portal in
      let console = TranscriptConsole(width: 100)
      let session = start(on: portal, console)
      for line in [
        "sign-in --user demo", "download \(ServedDemoPortal.naperville)", "updates",
      ] { await session.type(line) }
      try await portal.bump(ServedDemoPortal.naperville)
      for line in ["updates", "open Naperville"] { await session.type(line) }
      await portal.portal.state.add(
        DemoFault(.status(404, retryAfter: nil), path: "*/\(ServedDemoPortal.naperville)/data"))
      let mapbook = "\"Naperville Water Company Mapbook\""
      for line in ["update \(mapbook)", "maps"] { await session.type(line) }
      await portal.mend()
      for line in [
        "toc", "update \(mapbook)", "maps", "close", "updates", "open Naperville", "close",
        "rollback \(mapbook)", "maps",
      ] { await session.type(line) }
      world.setFree(100_000)
      for line in ["updates", "update --all"] { await session.type(line) }
      world.setFree(1_000_000_000)
      await session.type("update --all")
      // The day on which the test runs differs from that of the portal's content.
      let text = session.seen.replacing(/20\d\d-\d\d-\d\d/) { match in
        match.output == "2026-03-15" ? "2026-03-15" : "YYYY-MM-DD"
      }
      try expectSnapshot(text, named: "act-6-updates.txt")
    }
  }

  @Test func `Act 4, the areas of a map`() async throws {
    try await withPortal { portal in
      let console = TranscriptConsole(width: 100)
      let session = start(on: portal, console)
      await session.type("areas \(ServedDemoPortal.exploreMaine)")
      await portal.delay(.features)
      try await session.atPrompt { prompt in
        await prompt.type("download \"Casco Bay\" Acadia Katahdin")
        await portal.waiting.sleepers(2)
        for line in [
          "jobs", "jobs move Katahdin 1", "jobs", "areas", "pause Katahdin", "cancel Acadia",
          "areas", "download \"Moosehead Lake\"", "download \"Bold Coast\"",
          "download Casco Nowhere",
        ] { await prompt.type(line) }
        await portal.mend()
        try await prompt.wait(for: "\"Casco Bay\" is on this device")
        await prompt.type("resume Katahdin")
        try await prompt.wait(for: "\"Katahdin\" is on this device")
        for line in ["audit", "areas", "open Katahdin", "maps"] { await prompt.type(line) }
      }
      await portal.portal.state.add(DemoFault(.status(500, retryAfter: nil), path: "/sharing/*"))
      for line in ["areas", "maps", "maps --refresh"] { await session.type(line) }
      await portal.mend()
      _ = await start(on: portal, isOffline: true, console).transcript(["areas"])
      try expectSnapshot(session.seen, named: "act-4-areas.txt")
    }
  }

  @Test func `Act 7, editing and synchronizing`() async throws {
    try await withPortal { portal in
      let console = TranscriptConsole(width: 100, answers: ["n"])
      let map = "\"Around Portland\""
      let session = start(on: portal, console)
      for line in [
        "capabilities \(ServedDemoPortal.exploreMaine)",
        "take-offline \(ServedDemoPortal.exploreMaine) -70.6,43.4,-69.9,43.9 --no-basemap "
          + "--title \(map)",
      ] { await session.type(line) }
      let names = try await portal.lighthouses()
      let (head, ledge) = (
        try #require(names["Portland Head Light"]), try #require(names["Ram Island Ledge Light"])
      )
      let offline = start(on: portal, isOffline: true, console)
      for line in [
        "open \(map)", "edit set Lighthouses \(head) NAME=\"Portland Headlight\"",
        "edit set Lighthouses \(ledge) NAME=\"Ram Island\"", "changes", "undo", "sync", "close",
        "delete \(map)", "delete \(map) --discard-edits",
      ] { await offline.type(line) }
      try await portal.rename("Portland Head Light", to: "Old Head Light")
      try await fail(session, map, on: portal)
      for line in [
        "sync \(map)", "conflicts \(map)", "resolve 1 --mine --map \(map)", "sync \(map)",
        "conflicts \(map)", "open \(map)", "changes",
      ] { await session.type(line) }
      try expectSnapshot(session.seen, named: "act-7-sync.txt")
      #expect(try await portal.lighthouses()["Portland Headlight"] == head)
      #expect(try await portal.lighthouses()["Ram Island"] == ledge)
    }
  }

  /// Lets a synchronization fail for good.
  private func fail(
    _ session: LiveSession, _ map: String, on portal: ServedDemoPortal
  ) async throws {
    await portal.portal.state.add(
      DemoFault(.status(403, retryAfter: nil), path: "*/synchronizeReplica"))
    for line in ["sync \(map)", "maps", "changes --map \(map)"] { await session.type(line) }
    await portal.mend()
  }

  @Test func `Act 8, what is stored`() async throws {
    try await withPortal { portal in
      let console = TranscriptConsole(width: 100, answers: ["n", "y", "y", "y"])
      let session = start(on: portal, console)
      for line in [
        "sign-in --user demo", "areas \(ServedDemoPortal.exploreMaine)",
        "download \"Casco Bay\" Acadia", "storage", "open \"Casco Bay\"", "delete \"Casco Bay\"",
        "delete Acadia", "delete Acadia", "storage", "maps", "undo", "maps", "undo",
        "delete Nothing",
      ] { await session.type(line) }
      try damageStoredMap(of: "Acadia")
      for line in ["audit", "repair --plan", "repair", "audit", "storage --empty-trash", "maps"] {
        await session.type(line)
      }
      try await expireToken(session, on: portal)
      for line in ["sign-out", "maps", "open \"Casco Bay\""] { await session.type(line) }
      try expectSnapshot(session.seen, named: "act-8-storage.txt")
    }
  }

  /// Cuts the files of a stored map short.
  private func damageStoredMap(of area: String) throws {
    let id = DemoIdentifiers(seed: 1).itemID("area/\(area)")
    let folder = home.appending(path: "maps/\(id)/1/p13")
    for file in try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    where ["tpk", "tpkx", "vtpk"].contains(file.pathExtension) {
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: 20_000)
      try handle.close()
    }
  }

  /// Lets the token expire in the middle of a download.
  private func expireToken(_ session: LiveSession, on portal: ServedDemoPortal) async throws {
    await portal.delay(.features)
    await portal.addFault(.cut(after: 300_000), to: .features, of: "Katahdin", count: 1)
    try await session.atPrompt { prompt in
      await prompt.type("download Katahdin")
      await portal.waiting.sleepers()
      await portal.portal.state.expireTokens()
      await portal.mend()
      try await prompt.wait(for: "waiting for a sign-in")
      for line in ["jobs", "sign-in --user demo"] { await prompt.type(line) }
      try await prompt.wait(for: "\"Katahdin\" is on this device")
    }
  }
}
