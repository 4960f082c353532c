internal import Foundation
internal import PortolanHTTPServer
internal import PortolanTransport

/// Has a portal answer what arrives at a server.
struct DemoHandler: HTTPServerHandling {
  /// Bodies up to here are copied at once, which is quicker than reading them piece by piece.
  private static let smallBody = 64 << 10

  let portal: DemoPortal
  let scheme: String
  /// The log of what is sent, if it is counted.
  let log: TransferLog?

  func respond(to request: HTTPServerRequest) async -> HTTPServerResponse? {
    guard let asked = demoRequest(request) else { return refusal(status: 405) }
    return response(await portal.deliver(asked), target: request.target)
  }

  func refusal(status: Int) -> HTTPServerResponse {
    let response = DemoResponse.html("<h1>\(status)</h1>", status: status)
    let delivery = DemoDelivery(response, method: .get)
    return HTTPServerResponse(
      status: delivery.status, headers: delivery.headers, body: body(delivery, target: ""))
  }

  /// The request as the portal takes it, or `nil` if its method is none that the portal knows.
  private func demoRequest(_ request: HTTPServerRequest) -> DemoRequest? {
    guard let method = HTTPRequest.Method(rawValue: request.method.uppercased()),
      let base = base(request.headers["Host"] ?? "localhost")
    else { return nil }
    return DemoRequest(
      method: method, base: base, target: request.target, headers: request.headers,
      body: request.body)
  }

  private func base(_ host: String) -> URL? {
    let isPlain = host.utf8.allSatisfy {
      $0 > 0x20 && $0 < 0x7F && !Array("/?#@\\\"<>".utf8).contains($0)
    }
    return isPlain ? URL(string: "\(scheme)://\(host)") : nil
  }

  private func response(_ delivery: DemoDelivery, target: String) -> HTTPServerResponse? {
    guard !delivery.mishaps.dropsConnection else { return nil }
    return HTTPServerResponse(
      status: delivery.status, headers: delivery.headers, body: body(delivery, target: target))
  }

  private func body(_ delivery: DemoDelivery, target: String) -> HTTPServerResponse.Body {
    let isWhole =
      log == nil && delivery.mishaps.sparesBody && delivery.range.count == delivery.length
    switch delivery.body {
    // A missing file is a body that breaks off, which the reader sees to.
    case .file(let url) where isWhole && FileManager.default.isReadableFile(atPath: url.path):
      return .file(url, offset: delivery.range.lowerBound, length: delivery.length)
    case .bytes(let data) where isWhole && delivery.length <= Self.smallBody:
      let start = data.startIndex + delivery.range.lowerBound
      return .bytes(Data(data[start..<start + delivery.length]))
    case .file, .bytes:
      let body = DemoBody(delivery, target: target, log: log, clock: portal.state.clock)
      return .stream(body, length: delivery.length)
    }
  }
}
