internal import Foundation
internal import PortolanTransport
internal import Synchronization

/// A server that answers every request with the status and the headers of a text.
final class FuzzedServer: HTTPTransport {
  private let status: Int
  private let headers: HTTPHeaders
  private let sent = Mutex<[HTTPRequest]>([])

  /// Reads a status in the first line and headers in the others.
  init(_ data: Data) {
    let lines = String(decoding: data, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    status = lines.first.flatMap { Int($0) } ?? 302
    headers = HTTPHeaders(
      lines.dropFirst().compactMap { line in
        guard let colon = line.firstIndex(of: ":") else { return nil }
        return HTTPHeaders.Field(
          name: String(line[..<colon]), value: String(line[line.index(after: colon)...]))
      })
  }

  /// What it was asked.
  var requests: [HTTPRequest] { sent.withLock { $0 } }

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    sent.withLock { $0.append(request) }
    let head = HTTPResponseHead(status: status, headers: headers, url: request.url)
    try sink.begin(head)
    return head
  }
}

/// A clock on which no pause takes any time.
struct ImmediateClock: Clock {
  /// The only point in time there is.
  struct Instant: InstantProtocol {
    func advanced(by duration: Duration) -> Instant { self }
    func duration(to other: Instant) -> Duration { .zero }
    static func < (left: Instant, right: Instant) -> Bool { false }
  }

  var now: Instant { Instant() }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}
