public import Foundation
internal import PortolanLocks
public import PortolanTransport

/// A transport whose answers are computed in memory, and which remembers what it was asked.
public final class StubTransport: HTTPTransport {
  private let answer: @Sendable (HTTPRequest) throws(TransportError) -> HTTPResponse
  private let received = Locked<[HTTPRequest]>([])

  /// Creates a transport that answers each request with what `answer` makes of it.
  public init(
    _ answer: @escaping @Sendable (HTTPRequest) throws(TransportError) -> HTTPResponse
  ) { self.answer = answer }

  /// The requests so far, in order.
  public var requests: [HTTPRequest] { received.withLock { $0 } }

  public func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    if Task.isCancelled { throw .cancelled }
    received.withLock { $0.append(request) }
    let response = try answer(request)
    try sink.begin(response.head)
    try sink.receive(response.body.bytes)
    return response.head
  }
}

extension HTTPResponse {
  /// An answer to `request` with `text` as its body.
  public static func json(
    _ text: String, status: Int = 200, headers: HTTPHeaders = ["Content-Type": "application/json"],
    to request: HTTPRequest
  ) -> HTTPResponse {
    data(Data(text.utf8), status: status, headers: headers, to: request)
  }

  /// An answer to `request` with `body`.
  public static func data(
    _ body: Data, status: Int = 200, headers: HTTPHeaders = [:], to request: HTTPRequest
  ) -> HTTPResponse {
    HTTPResponse(
      head: HTTPResponseHead(status: status, headers: headers, url: request.url), body: body)
  }
}

extension HTTPRequest {
  /// The parameters in the query and in the form, unescaped, for checks.
  public var parameters: [String: String] {
    var form = url.query(percentEncoded: true) ?? ""
    if case .bytes(let data)? = body { form += "&" + String(decoding: data, as: UTF8.self) }
    let pairs = form.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (parts[0].plain, parts.count > 1 ? parts[1].plain : "")
    }
    return Dictionary(pairs, uniquingKeysWith: { $1 })
  }
}

extension Substring {
  fileprivate var plain: String { removingPercentEncoding ?? String(self) }
}
