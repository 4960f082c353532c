import Foundation
import PortolanApp
import PortolanJSON
import PortolanLocks
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import PortolanWebMaps
import Testing

@MainActor
@Suite(.temporaryDirectory) struct WebMapModelTests {
  private let model = WebMapModel(portal: StubWebMap.portal())

  private func loaded() async throws -> WebMapModel.Contents {
    await model.load(StubWebMap.mapID)
    return try #require(model.state.contents)
  }

  private func row(_ key: String) throws -> WebMapModel.Row {
    try #require(model.state.contents?.layers.first { $0.id == key })
  }

  @Test func `A map is loaded layer by layer, and one that fails leaves the others alone`()
    async throws
  {
    #expect(model.state == .empty && model.document == nil)
    let contents = try await loaded()
    #expect(contents.title == "Parks of Maine" && contents.itemID == StubWebMap.mapID)
    #expect(contents.version == "2.10" && contents.bookmarkCount == 1)
    #expect(contents.layers.map(\.id) == ["land", "parks", "secret", "lost", "base"])
    #expect(contents.layers.map(\.groups) == [[], ["Land"], [], [], []])
    #expect(contents.layers.map(\.isBasemap) == [false, false, false, false, true])
    #expect(contents.layers.map { $0.problem?.kind } == [nil, nil, .signIn, .absence, nil])
    #expect(model.document?["keep"]?["me"] == 1)
  }

  @Test(arguments: [
    (StubWebMap.mapID.replacing("0", with: "f"), Problem.Kind.absence),
    ("no id", .absence), ("", .absence), (StubWebMap.packageID, .failure),
  ])
  func `An item that is no map is refused`(_ id: String, _ kind: Problem.Kind) async {
    await model.load(id)
    guard case .failed(let problem) = model.state else {
      Issue.record("\(model.state)")
      return
    }
    #expect(problem.kind == kind && !problem.message.isEmpty)
    await #expect(throws: Problem.self) { try await model.open() }
  }

  @Test func `A map browsed before opens without a network, and says since when it may be old`()
    async throws
  {
    let (isCut, seconds) = (Locked(false), Locked(1_767_225_600.0))
    func model() -> WebMapModel {
      WebMapModel(
        portal: StubWebMap.portal(isCut: { isCut.withLock(\.self) }),
        documents: DocumentCacheFolder(
          folder: temporaryDirectory.appending(path: "documents"),
          now: { Date(timeIntervalSince1970: seconds.withLock(\.self)) }))
    }
    let online = model()
    await online.load(StubWebMap.mapID)
    let seen = try #require(online.state.contents)
    #expect(seen.keptSince == nil)
    isCut.withLock { $0 = true }
    seconds.withLock { $0 += 86_400 }
    // Another process, which has seen nothing itself.
    let offline = model()
    await offline.load(StubWebMap.mapID)
    let kept = try #require(offline.state.contents)
    #expect(kept.keptSince == Date(timeIntervalSince1970: 1_767_225_600))
    #expect(kept.title == seen.title && kept.layers.map(\.id) == seen.layers.map(\.id))
    #expect(kept.layers.first { $0.id == "parks" }?.status == .loaded)
    #expect(kept.layers.first { $0.id == "base" }?.status == .loaded)
    // A layer that was refused is requested, and not kept.
    #expect(kept.layers.first { $0.id == "secret" }?.problem?.kind == .network)
    let map = try await offline.open()
    #expect(map.state.keptSince == kept.keptSince)
    #expect(kept.json["keptSince"] == "2026-01-01T00:00:00Z")
    isCut.withLock { $0 = false }
    await offline.load(StubWebMap.mapID)
    #expect(offline.state.contents?.keptSince == nil)
    await offline.load(StubWebMap.mapID.replacing("0", with: "f"))
    #expect(offline.state.contents == nil)
  }

  @Test func `A map can come from a file`() async throws {
    let file = temporaryDirectory.appending(path: "Mine.json")
    try Data(StubWebMap.document.utf8).write(to: file)
    await model.load(file)
    #expect(model.state.contents?.title == "Mine" && model.state.contents?.itemID == nil)
    #expect(model.state.contents?.layers.first { $0.id == "parks" }?.status == .loaded)
    await model.load(temporaryDirectory.appending(path: "absent.json"))
    #expect(model.state.contents == nil && model.document == nil)
  }

  @Test func `Nothing can be done with layers before there is a map`() async {
    await #expect(throws: Problem.self) { try await model.open() }
    await #expect(throws: Problem.self) { try await model.retry("parks") }
    await #expect(throws: Problem.self) { try await model.skip("parks") }
    #expect(model.server(of: "parks") == nil)
  }

  @Test func `A failed layer can be requested again as another user`() async throws {
    _ = try await loaded()
    #expect(model.server(of: "secret")?.host() == "server.example")
    try await model.retry("secret")
    #expect(try row("secret").problem?.kind == .signIn)
    try await model.retry("secret", with: StubWebMap.client(token: "t"))
    #expect(try row("secret").status == .loaded)
    await #expect(throws: Problem.self) { try await model.retry("secret") }
    await #expect(throws: Problem.self) { try await model.skip("secret") }
    await #expect(throws: Problem.self) { try await model.retry("no such layer") }
  }

  @Test func `A layer that fails can be left out, and asked for again later`() async throws {
    _ = try await loaded()
    try await model.skip("secret")
    #expect(try row("secret").status == .skipped)
    #expect(try row("secret").problem == nil)
    await #expect(throws: Problem.self) { try await model.skip("secret") }
    try await model.retry("secret", with: StubWebMap.client(token: "t"))
    #expect(try row("secret").status == .loaded)
  }

  @Test func `The open map follows what becomes of its layers`() async throws {
    _ = try await loaded()
    let map = try await model.open()
    #expect(map.state.title == "Parks of Maine")
    #expect(Set(map.state.problems.keys) == ["secret", "lost"])
    try await model.retry("secret", with: StubWebMap.client(token: "t"))
    #expect(Set(map.state.problems.keys) == ["lost"])
    let entry = map.tableOfContents.state.flattened.first { $0.id == "secret" }
    #expect(entry?.problem == nil)
    try await model.skip("lost")
    #expect(map.state.problems["lost"] == "You chose to do without this layer.")
  }

  @Test func `A reloaded map forgets what was done to the one before`() async throws {
    _ = try await loaded()
    let map = try await model.open()
    try await model.skip("secret")
    _ = try await loaded()
    #expect(try row("secret").problem?.kind == .signIn)
    try await model.retry("secret", with: StubWebMap.client(token: "t"))
    #expect(map.state.problems["secret"] == "You chose to do without this layer.")
  }
}
