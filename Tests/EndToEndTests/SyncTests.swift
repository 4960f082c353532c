import DemoPortal
import Foundation
import PortolanSQLite
import PortolanTestSupport
import Testing

/// A map that is edited without a network, and synchronized with its service.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct SyncTests {
  private static let title = "Around Portland"

  private var home: URL { temporaryDirectory.appending(path: "home") }

  private func withMap(
    _ body: (ServedDemoPortal, LiveSession) async throws -> Void
  ) async throws {
    try await ServedDemoPortal.standard(
      folder: temporaryDirectory.appending(path: "portal")
    ) { portal in
      let session = LiveSession(home: home, portal: portal.url)
      await session.type(
        "take-offline \(ServedDemoPortal.exploreMaine) -70.6,43.4,-69.9,43.9 --no-basemap "
          + "--title \"\(Self.title)\"")
      try await body(portal, session)
    }
  }

  /// Edits without a network.
  private func edit(_ lines: [String]) async {
    let offline = LiveSession(home: home, isOffline: true)
    let said = await offline.transcript(["open \"\(Self.title)\""] + lines)
    #expect(!said.contains("error:"), "\(said)")
  }

  @Test func `Offline edits are at the service after a synchronization`() async throws {
    try await withMap { portal, session in
      let names = try await portal.lighthouses()
      let id = try #require(names["Portland Head Light"])
      await edit(["edit set Lighthouses \(id) NAME=\"Edited offline\"", "changes"])
      try await portal.rename("Ram Island Ledge Light", to: "Edited there")
      let said = await session.transcript(["sync \"\(Self.title)\"", "conflicts \"\(Self.title)\""])
      #expect(said.contains("\"\(Self.title)\" is synchronized: 1 edit sent; received 1 changed."))
      #expect(said.contains("\"\(Self.title)\" has no conflicts."))
      #expect(try await portal.lighthouses()["Edited offline"] == id)
      let after = await session.transcript([
        "open \"\(Self.title)\"", "changes", "sync --all --json", "sync",
      ])
      #expect(after.contains("There are no changes."))
      #expect(after.contains("\"sent\": 0"))
      #expect(after.contains("nothing had changed"))
    }
  }

  @Test(arguments: ["--mine", "--theirs", "NAME=\"Agreed\""])
  func `A conflict is listed and resolved`(_ way: String) async throws {
    try await withMap { portal, session in
      let id = try #require(try await portal.lighthouses()["Portland Head Light"])
      await edit(["edit set Lighthouses \(id) NAME=Mine"])
      try await portal.rename("Portland Head Light", to: "Theirs")
      let said = await session.transcript([
        "sync \"\(Self.title)\"", "conflicts \"\(Self.title)\"",
        "conflicts resolve 1 \(way) --map \"\(Self.title)\"", "sync \"\(Self.title)\"",
        "conflicts \"\(Self.title)\"",
      ])
      #expect(said.contains("1 edit waits for a decision"))
      #expect(said.contains("[partlyDone]"))
      #expect(said.contains("Others have changed the feature."))
      #expect(said.contains("Conflict 1 is resolved"))
      #expect(said.contains("\"\(Self.title)\" has no conflicts."))
      let expected = way == "--mine" ? "Mine" : way == "--theirs" ? "Theirs" : "Agreed"
      #expect(try await portal.lighthouses()[expected] == id, "\(said)")
    }
  }

  @Test
  func `A conflict that was edited since it was listed is resolved only once it is listed again`()
    async throws
  {
    try await withMap { portal, session in
      let id = try #require(try await portal.lighthouses()["Portland Head Light"])
      await edit(["edit set Lighthouses \(id) NAME=Mine"])
      try await portal.rename("Portland Head Light", to: "Theirs")
      let resolving = "conflicts resolve 1 --theirs --map \"\(Self.title)\""
      await session.type("sync \"\(Self.title)\"")
      await session.type("conflicts \"\(Self.title)\"")
      await edit(["edit set Lighthouses \(id) NAME=Later"])
      let refused = await session.transcript([resolving])
      #expect(refused.contains("The conflict was changed or resolved meanwhile."), "\(refused)")
      #expect(!refused.contains("Conflict 1 is resolved"))
      let said = await session.transcript(["conflicts \"\(Self.title)\"", resolving])
      #expect(said.contains("Later") && said.contains("Conflict 1 is resolved"), "\(said)")
    }
  }

  @Test func `A command that has listed nothing resolves a conflict as it is now`() async throws {
    try await withMap { portal, session in
      let id = try #require(try await portal.lighthouses()["Portland Head Light"])
      await edit(["edit set Lighthouses \(id) NAME=Mine"])
      try await portal.rename("Portland Head Light", to: "Theirs")
      await session.type("sync \"\(Self.title)\"")
      await session.type("conflicts \"\(Self.title)\"")
      await edit(["edit set Lighthouses \(id) NAME=Later"])
      let other = LiveSession(home: home, isOffline: true)
      let said = await other.transcript([
        "conflicts resolve 1 --theirs --map \"\(Self.title)\" --yes"
      ])
      #expect(said.contains("Conflict 1 is resolved"), "\(said)")
    }
  }

  @Test func `A deleted map is unregistered at its service, and a restored one syncs again`()
    async throws
  {
    try await withMap { portal, session in
      let count = try await portal.replicaCount()
      let id = try #require(try await portal.lighthouses()["Portland Head Light"])
      await edit(["edit set Lighthouses \(id) NAME=\"Kept\""])
      let offline = LiveSession(home: home, isOffline: true)
      await offline.type("delete \"\(Self.title)\" --discard-edits --yes")
      #expect(try await portal.replicaCount() == count)
      try await session.atPrompt { prompt in
        await prompt.type("jobs")
        while try await portal.replicaCount() == count { await Task.yield() }
      }
      let said = await session.transcript(["undo", "sync \"\(Self.title)\""])
      #expect(said.contains("A service no longer had this replica"))
      #expect(try await portal.replicaCount() == count)
      #expect(try await portal.lighthouses()["Kept"] == id, "\(said)")
    }
  }

  @Test func `A map is deleted and restored although nothing can be noted for its service`()
    async throws
  {
    try await withMap { portal, session in
      let catalogue = home.appending(path: "library.sqlite")
      for statement in ["INSERT", "DELETE"] {
        try Connection(at: catalogue, access: .readWrite).execute(
          """
          CREATE TRIGGER no_\(statement) BEFORE \(statement) ON outbox
          BEGIN SELECT RAISE(ABORT, 'the disk is full'); END
          """)
      }
      let deleted = await session.transcript(["delete \"\(Self.title)\" --yes", "maps"])
      #expect(deleted.contains("\"\(Self.title)\" is deleted"), "\(deleted)")
      let restored = await session.transcript(["undo", "sync \"\(Self.title)\""])
      #expect(!restored.contains("[failed]"), "\(restored)")
    }
  }

  @Test func `Closing a map lets others edit it`() async throws {
    try await withMap { portal, _ in
      let id = try #require(try await portal.lighthouses()["Portland Head Light"])
      let (mine, theirs) = (
        LiveSession(home: home, isOffline: true), LiveSession(home: home, isOffline: true)
      )
      for session in [mine, theirs] { await session.type("open \"\(Self.title)\"") }
      await mine.type("edit set Lighthouses \(id) NAME=Mine")
      await theirs.type("edit set Lighthouses \(id) NAME=Theirs")
      #expect(!theirs.seen.contains("Changed feature"), "\(theirs.seen)")
      await mine.type("close")
      await theirs.type("edit set Lighthouses \(id) NAME=Theirs")
      #expect(theirs.seen.contains("Changed feature"), "\(theirs.seen)")
    }
  }

  @Test func `In the shell a deleted map is unregistered at once, or with the next command`()
    async throws
  {
    try await withMap { portal, session in
      let count = try await portal.replicaCount()
      let offline = LiveSession(home: home, isOffline: true)
      await offline.type("delete \"\(Self.title)\" --yes")
      #expect(try await portal.replicaCount() == count)
      await session.type("maps")
      #expect(try await portal.replicaCount() == count - 1)
      _ = await session.transcript(["undo", "sync \"\(Self.title)\""])
      #expect(try await portal.replicaCount() == count)
      await session.type("delete \"\(Self.title)\" --yes")
      #expect(try await portal.replicaCount() == count - 1)
    }
  }

  @Test func `A web map that is open online is edited at its service`() async throws {
    try await ServedDemoPortal.standard(
      folder: temporaryDirectory.appending(path: "portal")
    ) { portal in
      let id = try #require(try await portal.lighthouses()["Portland Head Light"])
      let session = LiveSession(home: home, portal: portal.url)
      let said = await session.transcript([
        "web-map \(ServedDemoPortal.exploreMaine)",
        "edit set Lighthouses \(id) NAME=\"Edited online\"", "changes",
      ])
      #expect(said.contains("Changed feature \(id) of \"Lighthouses\"."), "\(said)")
      #expect(said.contains("There are no changes."), "\(said)")
      #expect(try await portal.lighthouses()["Edited online"] == id)
      let undone = await session.transcript(["edit undo"])
      #expect(try await portal.lighthouses()["Portland Head Light"] == id, "\(undone)")
    }
  }

  @Test func `A map without a copy at a service says so`() async throws {
    try await ServedDemoPortal.standard(
      folder: temporaryDirectory.appending(path: "portal")
    ) { portal in
      let session = LiveSession(home: home, portal: portal.url)
      let said = await session.transcript(["sync", "sync --all", "sync Nothing", "conflicts"])
      #expect(said.contains("No stored map is open."))
      #expect(said.contains("There are no maps on this device that can be synchronized."))
      #expect(said.contains("There is no map \"Nothing\" on this device."))
    }
  }
}
