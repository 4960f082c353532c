internal import PortolanHTTPServer
internal import PortolanLocks
internal import PortolanTransport

/// Stands in for a handler that needs to know the port before it can be made.
final class DeferredHandler: HTTPServerHandling {
  private let handler = Locked<WebHandler?>(nil)

  func open(_ handler: WebHandler) { self.handler.withLock { $0 = handler } }

  func respond(to request: HTTPServerRequest) async -> HTTPServerResponse? {
    guard let handler = handler.withLock({ $0 }) else { return refusal(status: 503) }
    return await handler.respond(to: request)
  }

  func refusal(beforeBodyOf request: HTTPServerRequest) -> HTTPServerResponse? {
    handler.withLock { $0 }?.refusal(beforeBodyOf: request)
  }

  func refusal(status: Int) -> HTTPServerResponse {
    HTTPServerResponse(status: status, headers: ["Content-Type": "text/plain"])
  }
}
