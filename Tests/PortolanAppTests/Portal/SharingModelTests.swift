import Foundation
import PortolanArchives
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import DemoPortal
@testable import PortolanApp

/// Files that are shared on a portal in parts.
@MainActor
@Suite(.temporaryDirectory) struct SharingModelTests {
  private nonisolated static let base = "https://demo.test"
  private nonisolated static let partSize = 1000
  /// Three parts and a half.
  private nonisolated static let contents = Data(
    (0..<3500).map { UInt8(truncatingIfNeeded: $0 * 7) })

  private let state: DemoState
  private let portal: DemoPortal
  private let portals: SignedInPortals
  private let ledger = InMemoryUploadLedger()

  init() async throws {
    state = DemoState()
    portal = DemoPortal(state: state)
    let token = await state.issueToken(for: .user("demo"), in: .portal, lifetime: .seconds(3600))
    portals = SignedInPortals(
      url: try #require(URL(string: Self.base)), token: token.value,
      transport: InProcessTransport(portal))
  }

  private func model(_ ledger: (any UploadLedger)? = nil) -> SharingModel {
    SharingModel(
      portals: portals, packages: FilePackageOpener(unpackingInto: temporaryDirectory),
      ledger: ledger ?? self.ledger, partSize: Self.partSize)
  }

  private func file(_ contents: Data = Self.contents) throws -> URL {
    let url = temporaryDirectory.appending(path: "network.gpkg")
    try contents.write(to: url)
    return url
  }

  private func items() async -> [DemoItem] {
    await state.items(for: .user("demo")).filter { $0.title == "Network" }
  }

  private func contents(of item: DemoItem) -> Data? {
    if case .bytes(let data) = item.content { data } else { nil }
  }

  private func share(
    _ url: URL, replacesItem: Bool = false, access: SharingModel.Access? = nil,
    groups: [String] = [], item: String? = nil
  ) async throws -> SharingModel.Result {
    try await model().share(
      SharingModel.Request(
        url, title: "Network", summary: "Pipes.", tags: ["water", "pipes"], access: access,
        groups: groups, replacesItem: replacesItem, item: item), on: nil)
  }

  @Test func `Groups that do not exist are reported`() async throws {
    let result = try await model().share(
      SharingModel.Request(try file(), title: "Network", groups: ["nosuch"]), on: nil)
    #expect(result.notSharedWith == ["nosuch"])
    #expect(await items().map(\.groups) == [[]])
  }

  @Test(arguments: ["", " \n"])
  func `A title that cannot be seen is refused before anything is sent`(
    _ title: String
  ) async throws {
    let before = await state.items(for: .user("demo")).count
    let model = model()
    let problem = await #expect(throws: Problem.self) {
      try await model.share(SharingModel.Request(try file(), title: title), on: nil)
    }
    #expect(problem?.code == .unusableName)
    #expect(model.state == problem.map(SharingModel.State.failed))
    #expect(await state.items(for: .user("demo")).count == before)
  }

  @Test(arguments: ["no.mmpk", "no.gpkg", "link.gpkg"])
  func `A missing file is reported as such before anything is sent`(
    _ name: String
  ) async throws {
    let link = temporaryDirectory.appending(path: "link.gpkg")
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: temporaryDirectory.appending(path: "gone.gpkg"))
    let error = await #expect(throws: SharingError.self) {
      try await share(temporaryDirectory.appending(path: name))
    }
    let problem = Problem(try #require(error))
    #expect(problem.code == .noSuchFile && problem.kind == .absence)
    #expect(problem.message == "There is no file \"\(name)\".")
    #expect(await items().isEmpty)
  }

  @Test func `A damaged package is refused before anything is sent`() async throws {
    let url = temporaryDirectory.appending(path: "town.mmpk")
    var archive = try ZIPWriter(replacing: url)
    try archive.add("package.info", Data(#"{"title": "Network", "version": "4.0"}"#.utf8))
    try archive.add("p13/data.bin", Data(repeating: 7, count: 5000))
    try archive.finish()
    var bytes = try Data(contentsOf: url)
    let place = try #require(bytes.firstRange(of: Data(repeating: 7, count: 1000)))
    bytes[place.lowerBound] = 8
    try bytes.write(to: url)
    await #expect(throws: (any Error).self) { try await share(url) }
    #expect(await items().isEmpty)
  }

  @Test func `A shared file is an item that holds it byte by byte`() async throws {
    let result = try await share(file(), access: .public)
    let item = try #require(await items().first)
    #expect(item.id == result.id)
    #expect(contents(of: item) == Self.contents)
    #expect(item.type == "GeoPackage")
    #expect(item.tags == ["water", "pipes"])
    #expect(item.snippet == "Pipes.")
    #expect(item.name == "network.gpkg")
    #expect(item.access == .public)
    #expect(!item.typeKeywords.contains { $0.hasPrefix("portolan-upload-") })
    #expect(result.size == 3500)
    #expect(!result.replaced && result.resumedBytes == 0)
    #expect(await ledger.record(of: try file().path(percentEncoded: false)) == nil)
  }

  /// The interruption of an upload: the paths of requests, the number that pass, and the fault.
  private nonisolated static let breaks: [(path: String, skip: Int, kind: DemoFault.Kind)] = {
    let steps =
      ["addItem", "commit", "status", "update"].map { ("*/\($0)", 0) }
      + (0..<4).map { ("*/addPart", $0) }
    return steps.flatMap { path, skip in
      [DemoFault.Kind.drop, .cut(after: 0)].map { (path: path, skip: skip, kind: $0) }
    }
  }()

  @Test(arguments: breaks.indices)
  func `An upload that breaks off at each step resumes, and creates one item`(
    _ index: Int
  ) async throws {
    let fault = Self.breaks[index]
    let url = try file()
    await state.add(DemoFault(fault.kind, path: fault.path, skip: fault.skip, count: 1))
    let error = await #expect(throws: (any Error).self) { try await share(url) }
    let isKept = fault.path != "*/addItem" && (fault.path != "*/addPart" || fault.skip > 0)
    let says = (error as? Problem)?.suggestion?.contains("What was uploaded is kept") == true
    #expect(says == isKept)
    let result = try await share(url)
    let items = await items()
    #expect(items.map(\.id) == [result.id])
    #expect(items.first.flatMap(contents) == Self.contents)
    if fault.path == "*/addPart" {
      #expect(result.resumedBytes == fault.skip * Self.partSize)
    }
  }

  @Test func `An upload resumes in another run of the program`() async throws {
    let folder = temporaryDirectory.appending(path: "uploads")
    let ledger = UploadLedgerFolder(in: folder) {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    let url = try file()
    let request = SharingModel.Request(url, title: "Network")
    await state.add(DemoFault(.drop, path: "*/addPart", skip: 2, count: 1))
    await #expect(throws: (any Error).self) { try await model(ledger).share(request, on: nil) }
    let again = UploadLedgerFolder(in: folder) {}
    let result = try await model(again).share(request, on: nil)
    #expect(result.resumedBytes == 2000)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left.filter { !$0.hasPrefix(".") } == [])
  }

  @Test func `A file that another process is sharing is not shared beside it`() async throws {
    let folder = temporaryDirectory.appending(path: "uploads")
    let (mine, theirs) = (
      UploadLedgerFolder(in: folder) {},
      UploadLedgerFolder(in: folder) {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      }
    )
    let url = try file()
    let request = SharingModel.Request(url, title: "Network")
    var hold = try await theirs.hold(
      url.absoluteURL.standardizedFileURL.path(percentEncoded: false))
    #expect(hold != nil)
    await #expect(throws: SharingError.inUse(file: "network.gpkg")) {
      try await model(mine).share(request, on: nil)
    }
    #expect(await items().isEmpty)
    hold = nil
    _ = try await model(mine).share(request, on: nil)
    #expect(await items().compactMap(contents) == [Self.contents])
  }

  @Test func `A changed file restarts`() async throws {
    let url = try file()
    await state.add(DemoFault(.drop, path: "*/addPart", skip: 2, count: 1))
    await #expect(throws: (any Error).self) { try await share(url) }
    let other = Data(Self.contents.reversed()) + Data([1])
    _ = try file(other)
    let result = try await share(url)
    #expect(result.resumedBytes == 0)
    let items = await items()
    #expect(items.map(\.id) == [result.id], "the half item is gone")
    #expect(items.compactMap(contents) == [other])
  }

  @Test func `An item of the same title is not touched unasked`() async throws {
    let first = try await share(file())
    let url = try file(Data("other".utf8))
    await #expect(throws: SharingError.itemExists(title: "Network", id: first.id)) {
      try await share(url)
    }
    #expect(await items().compactMap(contents) == [Self.contents])
  }

  @Test func `An item is replaced where that is asked for, and stays the same item`() async throws {
    let first = try await share(file(), access: .org)
    let newer = Data("newer".utf8)
    let second = try await share(file(newer), replacesItem: true, access: .org)
    #expect(second.id == first.id && second.replaced)
    let items = await items()
    #expect(items.compactMap(contents) == [newer])
    #expect(items.first?.access == .org)
  }

  @Test func `An item that is replaced keeps the keywords that other programs find it by`()
    async throws
  {
    let first = try await share(file())
    let tag: @Sendable (inout DemoItem) -> Void = { $0.typeKeywords = ["GeoPackage", "Mapbook"] }
    try await state.change(first.id, tag)
    let result = try await share(file(Data("newer".utf8)), replacesItem: true)
    #expect(result.id == first.id && result.replaced)
    #expect(await items().map(\.typeKeywords) == [["GeoPackage", "Mapbook"]])
  }

  @Test(arguments: [SharingModel.Access.private, .org, .public])
  func `Access that is asked for is set on an item that is replaced`(
    _ access: SharingModel.Access
  ) async throws {
    _ = try await share(file(), access: .public)
    let result = try await share(
      file(Data("newer".utf8)), replacesItem: true, access: access)
    #expect(result.access == access)
    #expect(await items().map(\.access.rawValue) == [access.rawValue])
  }

  @Test func `Replacing an item withdraws neither its access nor its groups`() async throws {
    let (group, another) = ("crew", "office")
    for id in [group, another] {
      await state.add(
        DemoGroup(
          id: id, title: id, snippet: "", owner: "demo", members: ["demo"], access: .org))
    }
    _ = try await share(file(), access: .public, groups: [group])
    let kept = try await share(file(Data("newer".utf8)), replacesItem: true)
    #expect(kept.access == .public)
    let result = try await share(
      file(Data("newest".utf8)), replacesItem: true, groups: [another])
    #expect(result.access == .public && result.notSharedWith.isEmpty)
    let item = try #require(await items().first)
    #expect(item.access == .public)
    #expect(Set(item.groups) == [group, another])
  }

  /// Two items of one title, which portals allow.
  private func twins() async throws -> [String] {
    let first = try await share(file())
    let second = try await model().share(
      SharingModel.Request(try file(Data("second".utf8)), title: "Other"), on: nil)
    let rename: @Sendable (inout DemoItem) -> Void = { $0.title = "Network" }
    try await state.change(second.id, rename)
    return [first.id, second.id].sorted()
  }

  @Test func `Of two items with one title none is replaced, and both are named`() async throws {
    let ids = try await twins()
    let url = try file(Data("third".utf8))
    await #expect(throws: SharingError.severalItems(title: "Network", ids: ids)) {
      try await share(url, replacesItem: true)
    }
    #expect(await items().compactMap(contents).contains(Data("third".utf8)) == false)
  }

  @Test(arguments: ["Network", "Pipes\\"])
  func `An item is found among more of similar titles than a portal lists at once`(
    _ title: String
  ) async throws {
    for number in 1...250 {
      await state.put(
        DemoItem(
          id: String(format: "%032x", number), owner: "demo", title: "\(title) \(number)",
          type: "GeoPackage", created: Date(timeIntervalSince1970: 1_700_000_000)))
    }
    let request = SharingModel.Request(try file(), title: title)
    let first = try await model().share(request, on: nil)
    await #expect(throws: SharingError.itemExists(title: title, id: first.id)) {
      try await model().share(request, on: nil)
    }
  }

  @Test func `Of two items with one title the one with the given id is replaced`() async throws {
    let ids = try await twins()
    let third = Data("third".utf8)
    let result = try await share(file(third), item: ids[1])
    #expect(result.id == ids[1] && result.replaced)
    let items = await items()
    #expect(items.map(\.id).sorted() == ids)
    #expect(items.filter { contents(of: $0) == third }.map(\.id) == [ids[1]])
  }

  @Test func `An item of another type is not replaced`() async throws {
    let table = temporaryDirectory.appending(path: "network.csv")
    try Data("a\n1\n".utf8).write(to: table)
    let other = try await share(table)
    let url = try file()
    await #expect(throws: SharingError.notReplaceable(title: other.title, id: other.id)) {
      try await share(url, item: other.id)
    }
  }

  @Test func `A resumed upload takes a new title`() async throws {
    let url = try file()
    await state.add(DemoFault(.drop, path: "*/addPart", skip: 2, count: 1))
    await #expect(throws: (any Error).self) { try await share(url) }
    let result = try await model().share(SharingModel.Request(url, title: "Pipes"), on: nil)
    #expect(result.resumedBytes == 2000)
    let own = await state.items(for: .user("demo")).filter { $0.id == result.id }
    #expect(own.map(\.title) == ["Pipes"])
    #expect(await items().isEmpty)
  }

  @Test func `An upload that is to replace an item now leaves no half item`() async throws {
    let old = try await model().share(
      SharingModel.Request(try file(Data("old".utf8)), title: "Pipes"), on: nil)
    let url = try file()
    await state.add(DemoFault(.drop, path: "*/addPart", skip: 2, count: 1))
    await #expect(throws: (any Error).self) { try await share(url) }
    await #expect(throws: SharingError.itemExists(title: "Pipes", id: old.id)) {
      try await model().share(SharingModel.Request(url, title: "Pipes"), on: nil)
    }
    let result = try await model().share(
      SharingModel.Request(url, title: "Pipes", replacesItem: true), on: nil)
    #expect(result.id == old.id && result.replaced && result.resumedBytes == 0)
    #expect(await items().isEmpty)
    let own = await state.items(for: .user("demo")).filter { $0.title == "Pipes" }
    #expect(own.compactMap(contents) == [Self.contents])
  }

  @Test func `An upload that replaces an item resumes after an interruption`() async throws {
    let old = try await share(file(Data("old".utf8)))
    let url = try file()
    await state.add(DemoFault(.drop, path: "*/addPart", skip: 2, count: 1))
    await #expect(throws: (any Error).self) { try await share(url, replacesItem: true) }
    let result = try await share(url, replacesItem: true)
    #expect(result.id == old.id && result.replaced && result.resumedBytes == 2000)
    #expect(await items().compactMap(contents) == [Self.contents])
  }

  @Test(arguments: [DemoFault.Kind.drop, .status(500, retryAfter: nil)])
  func `A replacement of which the portal took no notice begins with it again`(
    _ kind: DemoFault.Kind
  ) async throws {
    let old = try await share(file(Data("old".utf8)))
    let url = try file()
    await state.add(DemoFault(kind, path: "*/update", count: 1))
    await #expect(throws: (any Error).self) { try await share(url, replacesItem: true) }
    let path = url.path(percentEncoded: false)
    #expect(await ledger.record(of: path)?.isReplacing == false)
    // The first part fails, so that what is known after the change can be seen.
    await state.add(DemoFault(.drop, path: "*/addPart", count: 1))
    await #expect(throws: (any Error).self) { try await share(url, replacesItem: true) }
    #expect(await ledger.record(of: path)?.isReplacing == true)
    let result = try await share(url, replacesItem: true)
    #expect(result.id == old.id && result.replaced && result.resumedBytes == 0)
    #expect(await items().compactMap(contents) == [Self.contents])
  }

  @Test func `An item that was deleted meanwhile is created again`() async throws {
    let url = try file()
    await state.add(DemoFault(.drop, path: "*/addPart", skip: 2, count: 1))
    await #expect(throws: (any Error).self) { try await share(url) }
    for item in await items() { await state.removeItem(item.id) }
    let result = try await share(url)
    #expect(result.resumedBytes == 0)
    #expect(await items().compactMap(contents) == [Self.contents])
  }

  @Test func `An item that was given to another user meanwhile is left to them`() async throws {
    let url = try file()
    await state.add(DemoFault(.drop, path: "*/addPart", skip: 2, count: 1))
    await #expect(throws: (any Error).self) { try await share(url) }
    let begun = try #require(await items().first)
    let giveAway: @Sendable (inout DemoItem) -> Void = { $0.owner = "somebody" }
    try await state.change(begun.id, giveAway)
    let result = try await share(url)
    #expect(result.id != begun.id && result.resumedBytes == 0)
    #expect(await items().compactMap(contents) == [Self.contents])
    #expect(await state.item(begun.id)?.owner == "somebody")
  }

  @Test func `Progress ends at the size of the file`() async throws {
    let (reports, continuation) = AsyncStream.makeStream(of: SharingModel.Progress.self)
    let url = try file()
    let model = model()
    async let result = model.share(
      SharingModel.Request(url, title: "Network"), on: nil, progress: continuation)
    var seen: [SharingModel.Progress] = []
    for await report in reports { seen.append(report) }
    _ = try await result
    #expect(seen.map(\.bytes) == seen.map(\.bytes).sorted())
    #expect(seen.last?.bytes == 3500)
    guard case .done = model.state else {
      Issue.record("\(model.state)")
      return
    }
  }

  @Test func `A user who is not signed in is asked to be`() async throws {
    let anonymous = SharingModel(
      portals: SignedInPortals(
        url: try #require(URL(string: Self.base)), token: nil,
        transport: InProcessTransport(portal)),
      packages: FilePackageOpener(unpackingInto: temporaryDirectory), ledger: ledger)
    let url = try file()
    await #expect(throws: PortalError.signInNeeded(host: "demo.test")) {
      try await anonymous.share(SharingModel.Request(url), on: nil)
    }
  }

  @Test(arguments: ["notes.docx", "network"]) func `Other files are refused`(
    _ name: String
  ) async throws {
    let url = temporaryDirectory.appending(path: name)
    try Data("x".utf8).write(to: url)
    await #expect(throws: SharingError.unknownKind(file: name)) {
      try await share(url)
    }
  }
}

/// One portal, with the token of somebody who has signed in.
struct SignedInPortals: PortalConnecting {
  let url: URL
  let token: String?
  let transport: any HTTPTransport

  func portal(at _: URL?) async throws(PortalError) -> Portal {
    Portal(url: url, client: RESTClient(transport: transport, authenticator: Bearer(token: token)))
  }
}

/// Puts a token on every request.
private struct Bearer: RequestAuthenticator {
  let token: String?

  func authorize(_ request: HTTPRequest) -> HTTPRequest {
    var request = request
    request.headers["X-Esri-Authorization"] = token.map { "Bearer \($0)" }
    return request
  }

  func respond(to challenge: ArcGISAuthenticationChallenge) -> HTTPRequest? { nil }
}
