import Foundation
import PortolanJSON
import PortolanTransport

/// Changes what services hear in forms, and what they answer as JSON.
struct LyingTransport: HTTPTransport {
  private let inner: any HTTPTransport
  private let hear: @Sendable (String) -> String
  private let answer: @Sendable (JSONObject) -> JSONObject?

  init(
    _ inner: any HTTPTransport, hearing hear: @escaping @Sendable (String) -> String = { $0 },
    answering answer: @escaping @Sendable (JSONObject) -> JSONObject? = { _ in nil }
  ) {
    self.inner = inner
    self.hear = hear
    self.answer = answer
  }

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    var request = request
    if case .bytes(let data)? = request.body, let text = String(data: data, encoding: .utf8) {
      request.body = .bytes(Data(hear(text).utf8))
    }
    let response = try await inner.send(request)
    var body = response.body
    // A body that is no object is handed on as it is.
    if let json = try? JSONValue(parsing: body).object, let changed = answer(json) {
      body = JSONValue.object(changed).encoded()
    }
    var head = response.head
    head.headers["Content-Length"] = "\(body.count)"
    try sink.begin(head)
    try sink.receive(body.bytes)
    return head
  }
}
