internal import Foundation
public import PortolanTransport

/// Sends requests to a portal in the same process, without a socket.
///
/// Every host is the portal. A redirect is followed as a live transport does it, up to ten times,
/// and credentials stay behind when it leads to another host.
public struct InProcessTransport: HTTPTransport {
  private static let maximumRedirects = 10
  private static let pieceSize = 1 << 20

  private let portal: DemoPortal

  /// Creates a transport to `portal`.
  public init(_ portal: DemoPortal) { self.portal = portal }

  public func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    var request = request
    for _ in 0...Self.maximumRedirects {
      let asked = try DemoRequest(request)
      let delivery = await portal.deliver(asked)
      guard !Task.isCancelled else { throw .cancelled }
      guard !delivery.mishaps.dropsConnection else {
        throw .interrupted(request.address, reason: "the portal ended the connection")
      }
      guard let next = delivery.redirection(of: request) else {
        return try await deliver(delivery, to: request, into: sink)
      }
      request = next
    }
    throw .tooManyRedirects(request.address)
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

extension DemoDelivery {
  private static let secretHeaders = ["Authorization", "X-Esri-Authorization", "Cookie"]

  /// The request that follows `request` if this answer sends it elsewhere.
  fileprivate func redirection(of request: HTTPRequest) -> HTTPRequest? {
    guard [301, 302, 303, 307, 308].contains(status),
      let location = headers["Location"], let url = URL(string: location, relativeTo: request.url)
    else { return nil }
    var next = request
    next.url = url.absoluteURL
    if status < 307, request.method == .post {
      next.method = .get
      next.body = nil
    }
    if next.url.host() != request.url.host() || next.url.port != request.url.port {
      for name in Self.secretHeaders { next.headers[name] = nil }
    }
    return next
  }
}
