internal import Foundation
public import PortolanTransport

/// Sends requests to a portal in the same process, without a socket.
///
/// Every host is the portal. Redirects are followed as the live transport follows them.
public struct InProcessTransport: HTTPTransport {
  private let exchanges: RedirectingTransport

  /// Creates a transport to `portal`.
  public init(_ portal: DemoPortal) {
    exchanges = RedirectingTransport(InProcessExchanges(portal: portal))
  }

  public func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    try await exchanges.send(request, into: sink)
  }
}

/// Single requests to a portal in the same process, and their answers.
private struct InProcessExchanges: HTTPTransport {
  private static let pieceSize = 1 << 20

  let portal: DemoPortal

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    let asked = try DemoRequest(request)
    let delivery = await portal.deliver(asked)
    guard !Task.isCancelled else { throw .cancelled }
    guard !delivery.mishaps.dropsConnection else {
      throw .interrupted(request.address, reason: "the portal ended the connection")
    }
    return try await deliver(delivery, to: request, into: sink)
  }

  private func deliver(
    _ delivery: DemoDelivery, to request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    var head = HTTPResponseHead(
      status: delivery.status, headers: delivery.headers, url: request.url)
    head.headers["Content-Length"] = String(delivery.length)
    try sink.begin(head)
    let reader = BodyReader(delivery)
    // A client counts the bytes, so it never sees those beyond the length that was announced.
    let end = min(delivery.range.count, delivery.length)
    var position = 0
    while position < end {
      guard !Task.isCancelled else { throw .cancelled }
      switch reader.step(at: position, limit: min(Self.pieceSize, end - position)) {
      case .bytes(let count):
        try sink.receive(reader.bytes(at: position, count: count).bytes)
        position += count
      case .stall: throw try await stalled(request)
      case .cut: throw .interrupted(request.address, reason: "the portal ended the connection")
      }
    }
    guard position == delivery.length || request.method == .head else {
      throw .interrupted(request.address, reason: "the portal ended the connection")
    }
    return head
  }

  /// Waits as long as the request would, by the portal's clock.
  private func stalled(_ request: HTTPRequest) async throws(TransportError) -> TransportError {
    do {
      try await portal.state.clock.sleep(request.timeouts.stall)
    } catch {
      throw .cancelled
    }
    return .timedOut(request.address, phase: .stall)
  }
}

extension DemoRequest {
  /// The request as it would arrive over a socket.
  init(_ request: HTTPRequest) throws(TransportError) {
    guard let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true),
      let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = parts.host,
      let base = URL(string: "\(scheme)://\(host)\(parts.port.map { ":\($0)" } ?? "")")
    else { throw .badAddress(request.address) }
    var body = Data()
    switch request.body {
    case nil: break
    case .bytes(let data): body = data
    case .file(let url):
      do {
        body = try Data(contentsOf: url, options: .mappedIfSafe)
      } catch {
        throw .storage(file: url.lastPathComponent, reason: error.localizedDescription)
      }
    }
    let query = parts.percentEncodedQuery.map { "?" + $0 } ?? ""
    self.init(
      method: request.method, base: base, target: parts.percentEncodedPath + query,
      headers: request.headers, body: body)
  }
}
