import Foundation
import PortolanJSON
import PortolanLocks
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import DemoPortal
@testable import PortolanApp

/// Files and items that change while a file is shared.
@MainActor
@Suite(.temporaryDirectory) struct UploadGuardTests {
  private nonisolated static let contents = Data(
    (0..<3500).map { UInt8(truncatingIfNeeded: $0 * 7) })

  private let state = DemoState()
  private let ledger = InMemoryUploadLedger()

  private func file(_ contents: Data = Self.contents) throws -> URL {
    let url = temporaryDirectory.appending(path: "network.gpkg")
    try contents.write(to: url)
    return url
  }

  private func share(
    _ url: URL, replacesItem: Bool = false,
    through meddle: @escaping @Sendable (HTTPRequest, JSONObject) -> JSONObject = { $1 }
  ) async throws -> SharingModel.Result {
    let token = await state.issueToken(for: .user("demo"), in: .portal, lifetime: .seconds(3600))
    let portals = SignedInPortals(
      url: try #require(URL(string: "https://demo.test")), token: token.value,
      transport: MeddlingTransport(
        inner: InProcessTransport(DemoPortal(state: state)), meddle: meddle))
    let model = SharingModel(
      portals: portals, packages: FilePackageOpener(unpackingInto: temporaryDirectory),
      ledger: ledger, partSize: 1000)
    return try await model.share(
      SharingModel.Request(url, title: "Network", replacesItem: replacesItem), on: nil)
  }

  private func items() async -> [DemoItem] {
    await state.items(for: .user("demo")).filter { $0.title == "Network" }
  }

  private func contents(of item: DemoItem) -> Data? {
    if case .bytes(let data) = item.content { data } else { nil }
  }

  @Test func `A changed file of the same length restarts`() async throws {
    let url = try file()
    await state.add(DemoFault(.drop, path: "*/addPart", skip: 2, count: 1))
    await #expect(throws: (any Error).self) { try await share(url) }
    let other = Data(Self.contents.reversed())
    _ = try file(other)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000)], ofItemAtPath: url.path)
    let result = try await share(url)
    #expect(result.resumedBytes == 0)
    #expect(await items().compactMap(contents) == [other])
  }

  @Test func `A file that a link leads to is shared`() async throws {
    let link = temporaryDirectory.appending(path: "link.gpkg")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: try file())
    _ = try await share(link)
    #expect(await items().compactMap(contents) == [Self.contents])
  }

  @Test func `A file that changes while it is shared is not reported as shared`() async throws {
    let url = try file()
    let path = url.path
    await #expect(throws: SharingError.changed(file: "network.gpkg")) {
      try await share(url) { request, answer in
        guard request.url.lastPathComponent == "addPart" else { return answer }
        do {
          try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000)], ofItemAtPath: path)
        } catch {
          Issue.record(error)
        }
        return answer
      }
    }
    #expect(await items().compactMap(contents).isEmpty)
  }

  @Test func `An item whose size differs from its file is reported and removed`() async throws {
    let url = try file()
    await #expect(throws: SharingError.incomplete(title: "Network", expected: 3500, actual: 3000)) {
      try await share(url) { _, answer in
        var answer = answer
        if answer["size"]?.int == 3500 { answer["size"] = 3000 }
        return answer
      }
    }
    #expect(await items().isEmpty)
    #expect(await ledger.record(of: url.path) == nil)
  }

  @Test func `Parts that a portal has lost since an upload broke off are sent again`() async throws
  {
    let url = try file()
    await state.add(DemoFault(.drop, path: "*/addPart", skip: 2, count: 1))
    await #expect(throws: (any Error).self) { try await share(url) }
    let isFirst = Locked(true)
    let result = try await share(url) { _, answer in
      guard answer["size"]?.int == 3500, isFirst.withLock({ $0 }) else { return answer }
      isFirst.withLock { $0 = false }
      var answer = answer
      answer["size"] = 1500
      return answer
    }
    #expect(!isFirst.withLock { $0 })
    #expect(result.resumedBytes == 0 && !result.replaced)
    #expect(await items().map(\.id) == [result.id])
    #expect(await items().compactMap(contents) == [Self.contents])
  }

  @Test(arguments: [true, false])
  func `What a portal could not store is uploaded from the beginning the next time`(
    _ saysWhy: Bool
  ) async throws {
    let url = try file()
    let failed = Locked<String?>(nil)
    func attempt() async throws -> SharingModel.Result {
      try await share(url) { request, answer in
        guard request.url.lastPathComponent == "status" else { return answer }
        let id = answer["itemId"]?.string
        let isFailed = failed.withLock { first in
          if first == nil { first = id }
          return first == id
        }
        guard isFailed else { return answer }
        // As a portal says of the same item whenever it is asked.
        var failure: JSONObject = ["status": "failed"]
        if saysWhy { failure["statusMessage"] = "The disk is full." }
        return failure
      }
    }
    let reason = saysWhy ? "The disk is full" : "it does not say why"
    await #expect(throws: SharingError.refused(title: "Network", reason: reason)) {
      try await attempt()
    }
    #expect(await items().isEmpty)
    let result = try await attempt()
    #expect(result.resumedBytes == 0)
    #expect(await items().compactMap(contents) == [Self.contents])
  }

  @Test func `That all parts are to be put together is noted before it is asked for`() async throws
  {
    let url = try file()
    await state.add(DemoFault(.drop, path: "*/commit", count: 1))
    await #expect(throws: (any Error).self) { try await share(url) }
    #expect(await ledger.record(of: url.path)?.isCommitted == true)
    let result = try await share(url)
    #expect(result.resumedBytes == 3500)
    #expect(await items().compactMap(contents) == [Self.contents])
  }

  @Test func `An item that was to be replaced survives a failed upload`() async throws {
    let old = try await share(file(Data("old".utf8)))
    let url = try file()
    await state.add(DemoFault(.drop, path: "*/addPart", skip: 1, count: 1))
    await #expect(throws: (any Error).self) { try await share(url, replacesItem: true) }
    let other = Data(Self.contents.reversed()) + Data([1])
    _ = try file(other)
    let result = try await share(url, replacesItem: true)
    #expect(result.id == old.id && result.replaced)
    #expect(await items().compactMap(contents) == [other])
  }
}

/// Changes what a portal answers, or something else before its answer comes.
private struct MeddlingTransport: HTTPTransport {
  let inner: any HTTPTransport
  let meddle: @Sendable (HTTPRequest, JSONObject) -> JSONObject

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    let response = try await inner.send(request)
    var body = response.body
    // A body that is no object is handed on as it is.
    if let json = try? JSONValue(parsing: body).object {
      body = JSONValue.object(meddle(request, json)).encoded()
    }
    var head = response.head
    head.headers["Content-Length"] = "\(body.count)"
    try sink.begin(head)
    try sink.receive(body.bytes)
    return head
  }
}
