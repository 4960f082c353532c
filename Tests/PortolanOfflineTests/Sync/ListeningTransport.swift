import PortolanTransport
import Synchronization

/// Hands requests on, and keeps them.
final class ListeningTransport: HTTPTransport {
  private let inner: any HTTPTransport
  private let heard = Mutex<[HTTPRequest]>([])

  init(_ inner: any HTTPTransport) { self.inner = inner }

  var requests: [HTTPRequest] { heard.withLock(\.self) }

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    heard.withLock { $0.append(request) }
    return try await inner.send(request, into: sink)
  }
}
