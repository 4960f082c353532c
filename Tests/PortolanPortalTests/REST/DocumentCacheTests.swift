import Foundation
import PortolanJSON
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanPortal

/// The documents that a client uses where a service cannot be reached.
@Suite struct DocumentCacheTests {
  /// Keeps documents in memory.
  private actor Memory: DocumentCache {
    private(set) var documents: [String: CachedDocument] = [:]
    /// Tells of each document that is kept.
    nonisolated let keeps = AsyncStream<String>.makeStream()

    func keep(_ document: CachedDocument, for address: String) {
      documents[address] = document
      keeps.continuation.yield(address)
    }

    func document(for address: String) -> CachedDocument? { documents[address] }
  }

  @Test(arguments: [
    ("https://a.org/rest/services/A/FeatureServer?f=json", true),
    ("https://a.org/rest/services/A/FeatureServer/0?f=json", true),
    ("https://a.org/rest/services/A/FeatureServer/layers?f=json", true),
    ("https://a.org/rest/services/A/MapServer/legend?f=json", true),
    ("https://a.org/rest/services/A/VectorTileServer/resources/styles/root.json", true),
    ("https://a.org/sharing/rest/content/items/0a/data?f=json", true),
    ("https://a.org/sharing/rest/portals/self?f=json", true),
    ("https://a.org/tiles.json", true),
    ("https://a.org/wms?SERVICE=WMS&REQUEST=GetCapabilities", true),
    ("https://a.org/rest/services/A/FeatureServer/0/query?where=1", false),
    ("https://a.org/rest/services/A/MapServer/tile/1/2/3", false),
    ("https://a.org/rest/services/A/MapServer/export?bbox=1", false),
    ("https://a.org/rest/services/A/FeatureServer/replicas", false),
    ("https://a.org/sharing/rest/search?q=a", false),
    ("https://a.org/sharing/rest/community/self", false),
    ("https://a.org/1/2/3.png", false),
  ])
  func `What a thing is, is kept, and not what is in it`(
    _ address: String, _ isKept: Bool
  ) throws {
    let request = HTTPRequest(try #require(URL(string: address)))
    #expect((request.descriptionAddress != nil) == isKept)
    var post = request
    post.method = .post
    #expect(post.descriptionAddress == nil)
  }

  private static let service = URL(string: "https://a.org/rest/services/A/FeatureServer/0")!

  private func client(
    _ memory: Memory, _ answer: @escaping @Sendable () throws(TransportError) -> String
  ) -> RESTClient {
    let transport = StubTransport { request throws(TransportError) in
      .json(try answer(), to: request)
    }
    return RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
      .keeping(memory)
  }

  @Test func `A service that cannot be asked is as it was last`() async throws {
    let memory = Memory()
    _ = try await client(memory) { #"{"id": 0}"# }.json(Self.service)
    let without = client(memory) { () throws(TransportError) in throw .offline }
    #expect(try await without.json(Self.service)["id"] == 0)
    let query = Self.service.appending(path: "query")
    await #expect(throws: PortalError.transport(.offline)) { try await without.json(query) }
  }

  @Test func `The service's own statement counts, also if it refuses`() async throws {
    let memory = Memory()
    _ = try await client(memory) { #"{"id": 0}"# }.json(Self.service)
    let refusing = client(memory) { #"{"error": {"code": 404, "message": "Gone"}}"# }
    await #expect(throws: PortalError.self) { try await refusing.json(Self.service) }
    let untrusted = client(memory) { () throws(TransportError) in
      throw .untrusted(host: "a.org", reason: "it has expired")
    }
    await #expect(throws: PortalError.self) { try await untrusted.json(Self.service) }
    // A refusal takes the place of nothing.
    #expect(await memory.documents.count == 1)
  }

  /// Answers once it may.
  private struct LateTransport: HTTPTransport {
    let permission: AsyncStream<Void>

    func send(
      _ request: HTTPRequest, into sink: any HTTPBodySink
    ) async throws(TransportError) -> HTTPResponseHead {
      for await _ in permission { break }
      return try await StubTransport { .json(#"{"id": 1}"#, to: $0) }.send(request, into: sink)
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `A service that is silent for two seconds is as it was last, and heard later`()
    async throws
  {
    let (memory, clock) = (Memory(), ManualClock())
    var keeps = memory.keeps.stream.makeAsyncIterator()
    _ = try await client(memory) { #"{"id": 0}"# }.json(Self.service)
    _ = await keeps.next()
    let (permission, permit) = AsyncStream<Void>.makeStream()
    let late = RESTClient(
      transport: LateTransport(permission: permission), authenticator: AnonymousAuthenticator()
    ).keeping(memory, within: FallbackTimeout(limit: .seconds(2), clock: clock))
    async let answer = late.json(Self.service)
    await clock.sleepers(1)
    clock.advance(by: .seconds(2))
    let shown = try await answer
    #expect(shown["id"] == 0)
    permit.yield()
    _ = await keeps.next()
    #expect(await memory.documents.values.map(\.body) == [Data(#"{"id": 1}"#.utf8)])
  }

  @Test(.timeLimit(.minutes(5)))
  func `A slow service of which nothing is kept is waited for`() async throws {
    let clock = ManualClock()
    let (permission, permit) = AsyncStream<Void>.makeStream()
    let late = RESTClient(
      transport: LateTransport(permission: permission), authenticator: AnonymousAuthenticator()
    ).keeping(Memory(), within: FallbackTimeout(limit: .seconds(2), clock: clock))
    async let answer = late.json(Self.service)
    await clock.sleepers(1)
    clock.advance(by: .seconds(2))
    permit.yield()
    let shown = try await answer
    #expect(shown["id"] == 1)
  }

  /// Asks a person who answers once they may.
  private struct LateAuthenticator: RequestAuthenticator {
    let permission: AsyncStream<Void>
    let isAsked: AsyncStream<Void>.Continuation

    func authorize(_ request: HTTPRequest) async throws(PortalError) -> HTTPRequest { request }

    func respond(
      to challenge: ArcGISAuthenticationChallenge
    ) async throws(PortalError) -> HTTPRequest? {
      isAsked.yield()
      for await _ in permission { break }
      return nil
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `Time spent signing in does not count toward a service's timeout`() async throws {
    let (memory, clock) = (Memory(), ManualClock())
    _ = try await client(memory) { #"{"id": 0}"# }.json(Self.service)
    let (permission, permit) = AsyncStream<Void>.makeStream()
    let (questions, question) = AsyncStream<Void>.makeStream()
    let transport = StubTransport {
      .json(#"{"error": {"code": 499, "message": "Token Required"}}"#, to: $0)
    }
    let asking = RESTClient(
      transport: transport,
      authenticator: LateAuthenticator(permission: permission, isAsked: question)
    ).keeping(memory, within: FallbackTimeout(limit: .seconds(2), clock: clock))
    let answer = Task { () -> Result<JSONValue, PortalError> in
      do throws(PortalError) { return .success(try await asking.json(Self.service)) } catch {
        return .failure(error)
      }
    }
    for await _ in questions { break }
    await clock.sleepers(1)
    clock.advance(by: .seconds(2))
    permit.yield()
    #expect(await answer.value == .failure(.signInNeeded(host: "a.org")))
  }
}
