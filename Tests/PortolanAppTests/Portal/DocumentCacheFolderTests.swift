import Foundation
import PortolanApp
import PortolanLocks
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

/// The documents of portals and services that are kept on the disk.
@Suite(.temporaryDirectory) struct DocumentCacheFolderTests {
  private nonisolated static let day = Date(timeIntervalSince1970: 1_767_225_600)
  private var folder: URL { temporaryDirectory.appending(path: "tiles/documents") }

  private func keeper() -> DocumentCacheFolder {
    DocumentCacheFolder(folder: folder, now: { Self.day })
  }

  private func document(_ text: String) -> CachedDocument {
    CachedDocument(body: Data(text.utf8), contentType: "application/json")
  }

  @Test func `Documents are there for the next process, with their dates, until they are cleared`()
    async throws
  {
    let first = keeper()
    await first.keep(document("{}"), for: "https://a.org/MapServer")
    await first.keep(document("[]"), for: "https://a.org/MapServer")
    let next = keeper()
    let kept = try #require(await next.document(for: "https://a.org/MapServer"))
    #expect(kept.body == Data("[]".utf8) && kept.fetched == Self.day)
    #expect(kept.contentType == "application/json")
    #expect(await next.document(for: "https://b.org/MapServer") == nil)
    await next.clear()
    #expect(await next.document(for: "https://a.org/MapServer") == nil)
  }

  @Test func `A damaged file, or one of another address, counts as none`() async throws {
    let keeper = keeper()
    await keeper.keep(document("{}"), for: "a")
    let file = try #require(
      try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).first
    )
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    try Data(text.replacing("\"a\"", with: "\"b\"").utf8).write(to: file)
    #expect(await keeper.document(for: "a") == nil)
    try Data("{".utf8).write(to: file)
    #expect(await keeper.document(for: "a") == nil)
  }

  /// Says nothing, once it is silent, until it may.
  private struct SilentTransport: HTTPTransport {
    let isSilent: Locked<Bool>
    let permission: AsyncStream<Void>

    func send(
      _ request: HTTPRequest, into sink: any HTTPBodySink
    ) async throws(TransportError) -> HTTPResponseHead {
      if isSilent.withLock(\.self) { for await _ in permission {} }
      return try await StubTransport { .json(#"{"authInfo": {}}"#, to: $0) }
        .send(request, into: sink)
    }
  }

  @MainActor @Test(.timeLimit(.minutes(5)), arguments: [true, false])
  func `A portal that is silent for two seconds is the one that was found, if one was`(
    _ wasFound: Bool
  ) async throws {
    let (isSilent, clock) = (Locked(false), ManualClock())
    let (permission, permit) = AsyncStream<Void>.makeStream()
    let transport = SilentTransport(isSilent: isSilent, permission: permission)
    func connector(_ clock: any Clock<Duration>) -> PortalConnector {
      PortalConnector(
        manager: AuthenticationManager(
          store: InMemoryCredentialStore(), transport: transport,
          prompter: AuthenticationPromptModel(),
          environment: IdentityEnvironment(now: { Self.day })), transport: transport,
        chosen: "gis.example.org/portal", documents: keeper(), clock: clock, now: { Self.day })
    }
    let found = try await connector(ContinuousClock()).locate(nil)
    if !wasFound { await keeper().clear() }
    isSilent.withLock { $0 = true }
    let later = connector(clock)
    let again = Task { try await later.locate(nil) }
    await clock.sleepers()
    clock.advance(by: .seconds(2))
    // If there is nothing else, it is waited for.
    if !wasFound { permit.finish() }
    #expect(try await again.value == found)
    permit.finish()
  }

  @MainActor @Test func `A portal that was found is found again without a network`() async throws {
    let isCut = Locked(false)
    let transport = StubTransport { request throws(TransportError) in
      if isCut.withLock(\.self) { throw .offline }
      return .json(#"{"authInfo": {}}"#, to: request)
    }
    func connector() -> PortalConnector {
      PortalConnector(
        manager: AuthenticationManager(
          store: InMemoryCredentialStore(), transport: transport,
          prompter: AuthenticationPromptModel(),
          environment: IdentityEnvironment(now: { Self.day })), transport: transport,
        chosen: "gis.example.org/portal", documents: keeper(), now: { Self.day })
    }
    let found = try await connector().locate(nil)
    isCut.withLock { $0 = true }
    #expect(try await connector().locate(nil) == found)
    await keeper().clear()
    await #expect(throws: PortalError.transport(.offline)) { try await connector().locate(nil) }
  }
}
