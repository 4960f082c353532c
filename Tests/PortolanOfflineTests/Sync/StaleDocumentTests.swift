import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Synchronization
import Testing

@testable import PortolanOffline

/// Documents of services that come from a cache on the way.
@Suite(.temporaryDirectory) struct StaleDocumentTests {
  /// Answers each question after the document of a service with what it was at first.
  private final class CachingTransport: HTTPTransport {
    private let inner: any HTTPTransport
    private let refusesForms: Bool
    private let kept = Mutex<HTTPResponse?>(nil)

    init(_ inner: any HTTPTransport, refusesForms: Bool) {
      self.inner = inner
      self.refusesForms = refusesForms
    }

    func send(
      _ request: HTTPRequest, into sink: any HTTPBodySink
    ) async throws(TransportError) -> HTTPResponseHead {
      guard request.url.lastPathComponent == "FeatureServer" else {
        return try await inner.send(request, into: sink)
      }
      let answer: HTTPResponse
      if request.method == .post {
        answer =
          try await refusesForms
          ? HTTPResponse.json("{}", status: 405, to: request) : inner.send(request)
      } else if let known = kept.withLock(\.self) {
        answer = known
      } else {
        answer = try await inner.send(request)
        kept.withLock { $0 = answer }
      }
      try sink.begin(answer.head)
      let body = answer.body
      try sink.receive(body.bytes)
      return answer.head
    }
  }

  /// A client that gets documents of before, and whose service states generations in its changes alone.
  private func client(_ transport: any HTTPTransport) -> RESTClient {
    RESTClient(
      transport: LyingTransport(
        transport,
        answering: { answer in
          guard answer["status"] != nil else { return nil }
          var answer = answer
          answer["layerServerGens"] = nil
          answer["replicaServerGen"] = nil
          return answer
        }), authenticator: AnonymousAuthenticator())
  }

  @Test func `A document of before lets no changes come in twice`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let client = client(CachingTransport(bed.transport, refusesForms: false))
    _ = try await FeatureService(url: bed.service.url, client: client).info()
    try await first.rename(try await first.features()[0].objectID, "One")
    _ = try await first.sync()
    #expect(try await second.sync(through: client).received.updates == 1)
    #expect(try await second.sync(through: client).received.updates == 0)
  }

  @Test func `Generations earlier than what has come already say nothing`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let client = client(CachingTransport(bed.transport, refusesForms: true))
    _ = try await FeatureService(url: bed.service.url, client: client).info()
    let id = try await first.features()[0].objectID
    try await first.rename(id, "One")
    _ = try await first.sync()
    // Then the document is older than the copy.
    #expect(try await second.sync().received.updates == 1)
    try await first.rename(id, "Two")
    _ = try await first.sync()
    #expect(try await second.sync(through: client).received.updates == 1)
    #expect(try await second.sync(through: client).received.updates == 0)
  }
}
