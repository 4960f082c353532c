import Foundation
import PortolanApp
import PortolanLocks
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

/// What is kept of portals and services on the disk.
@Suite(.temporaryDirectory) struct KeptDocumentFolderTests {
  private nonisolated static let day = Date(timeIntervalSince1970: 1_767_225_600)
  private var folder: URL { temporaryDirectory.appending(path: "tiles/documents") }

  private func keeper() -> KeptDocumentFolder {
    KeptDocumentFolder(folder: folder, now: { Self.day })
  }

  private func document(_ text: String) -> KeptDocument {
    KeptDocument(body: Data(text.utf8), contentType: "application/json")
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
