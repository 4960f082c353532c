import Foundation
import PortolanTransport
import Synchronization

/// Answers requests in memory, as a function of the request, and remembers them.
final class ScriptedTransport: HTTPTransport {
  /// The answer to a request.
  enum Answer: Sendable {
    case response(Int, HTTPHeaders = [:], body: String = "")
    /// A head and a part of a body, then an error.
    case broken(Int, HTTPHeaders = [:], body: String, TransportError)
    case failure(TransportError)
  }

  private let answer: @Sendable (HTTPRequest, Int) -> Answer
  private let sent = Mutex<[HTTPRequest]>([])

  /// `answer` gets the request and its number, from 0.
  init(_ answer: @escaping @Sendable (HTTPRequest, Int) -> Answer) { self.answer = answer }

  /// Answers one after the other, the last again and again.
  convenience init(_ answers: Answer...) {
    self.init { _, number in answers[min(number, answers.count - 1)] }
  }

  var requests: [HTTPRequest] { sent.withLock { $0 } }

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    let number = sent.withLock { sent in
      sent.append(request)
      return sent.count - 1
    }
    switch answer(request, number) {
    case .failure(let error): throw error
    case .response(let status, let headers, let body):
      return try deliver(status, headers, body, to: request, into: sink)
    case .broken(let status, let headers, let body, let error):
      _ = try deliver(status, headers, body, to: request, into: sink)
      throw error
    }
  }

  private func deliver(
    _ status: Int, _ headers: HTTPHeaders, _ body: String, to request: HTTPRequest,
    into sink: any HTTPBodySink
  ) throws(TransportError) -> HTTPResponseHead {
    let head = HTTPResponseHead(status: status, headers: headers, url: request.url)
    try sink.begin(head)
    let bytes = Array(body.utf8)
    if !bytes.isEmpty { try sink.receive(bytes.span.bytes) }
    return head
  }
}

extension HTTPRequest {
  /// A request for an address that a test spells.
  init(
    _ text: String, method: Method = .get, headers: HTTPHeaders = [:], body: String? = nil,
    repetition: Repetition = .ifIdempotent
  ) {
    self.init(
      URL(string: text) ?? URL(filePath: "/"), method: method, headers: headers,
      body: body.map { .bytes(Data($0.utf8)) }, repetition: repetition)
  }

  var bodyText: String? {
    guard case .bytes(let data) = body else { return nil }
    return String(decoding: data, as: UTF8.self)
  }
}
