import Foundation
import PortolanJSON
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanPortal

/// What a client goes by where a service cannot be asked.
@Suite struct DocumentKeepingTests {
  /// Keeps documents in memory.
  private actor Memory: DocumentKeeping {
    private(set) var documents: [String: KeptDocument] = [:]

    func keep(_ document: KeptDocument, for address: String) { documents[address] = document }

    func document(for address: String) -> KeptDocument? { documents[address] }
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

  @Test func `What a service says itself counts, also where it refuses`() async throws {
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
}
