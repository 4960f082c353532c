import Foundation
import PortolanTransport
import Synchronization

/// A file on a server, in memory: knows ranges and validators, and misbehaves as told.
final class FileServerTransport: HTTPTransport {
  /// The behaviour of the server with the file.
  struct Behaviour: Sendable {
    var body: Data
    var entityTag: String? = "\"v1\""
    var lastModified: String?
    var date: String?
    var knowsRanges = true
    /// The numbers of bytes of the first answers that arrive before the connection breaks.
    var cuts: [Int] = []
    /// Changes an answer before it is sent.
    var change: @Sendable (inout HTTPResponse, HTTPRequest) -> Void = { _, _ in }
    /// The size of the pieces that bytes arrive in.
    var pieceSize = 1000
  }

  private struct State {
    var behaviour: Behaviour
    var requests: [HTTPRequest] = []
    var bytesSent = 0
  }

  private let state: Mutex<State>

  init(_ behaviour: Behaviour) { state = Mutex(State(behaviour: behaviour)) }

  convenience init(_ body: Data) { self.init(Behaviour(body: body)) }

  var requests: [HTTPRequest] { state.withLock { $0.requests } }
  var bytesSent: Int { state.withLock { $0.bytesSent } }

  func set(_ change: @Sendable (inout Behaviour) -> Void) {
    state.withLock { change(&$0.behaviour) }
  }

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    let (behaviour, cut) = state.withLock { state in
      state.requests.append(request)
      let cut = state.behaviour.cuts.isEmpty ? nil : state.behaviour.cuts.removeFirst()
      return (state.behaviour, cut)
    }
    var response = Self.answer(request, behaviour)
    behaviour.change(&response, request)
    try sink.begin(response.head)
    var rest = response.body.prefix(cut ?? .max)
    while !rest.isEmpty {
      let piece = Array(rest.prefix(behaviour.pieceSize))
      rest = rest.dropFirst(piece.count)
      state.withLock { $0.bytesSent += piece.count }
      try sink.receive(piece.span.bytes)
    }
    if cut != nil { throw .interrupted(request.address, reason: "the test cut it") }
    return response.head
  }

  private static func answer(_ request: HTTPRequest, _ behaviour: Behaviour) -> HTTPResponse {
    let body = behaviour.body
    var headers = HTTPHeaders()
    headers["ETag"] = behaviour.entityTag
    headers["Last-Modified"] = behaviour.lastModified
    headers["Date"] = behaviour.date
    headers["Content-Length"] = "\(body.count)"
    let whole = HTTPResponse(
      head: HTTPResponseHead(status: 200, headers: headers, url: request.url), body: body)
    guard behaviour.knowsRanges, let range = request.headers["Range"],
      let condition = request.headers["If-Range"],
      condition == behaviour.entityTag || condition == behaviour.lastModified,
      let start = range.firstMatch(of: /bytes=(\d+)-/).flatMap({ Int($0.1) })
    else { return whole }
    guard start < body.count else {
      headers["Content-Range"] = "bytes */\(body.count)"
      headers["Content-Length"] = "0"
      return HTTPResponse(
        head: HTTPResponseHead(status: 416, headers: headers, url: request.url))
    }
    headers["Content-Range"] = "bytes \(start)-\(body.count - 1)/\(body.count)"
    headers["Content-Length"] = "\(body.count - start)"
    return HTTPResponse(
      head: HTTPResponseHead(status: 206, headers: headers, url: request.url),
      body: Data(body[(body.startIndex + start)...]))
  }
}
