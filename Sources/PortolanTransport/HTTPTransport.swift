internal import Foundation
internal import PortolanLocks

/// Sends HTTP requests.
///
/// A transport does not judge status codes: a 404 is a response, not an error. Cancelling the task
/// ends the transfer within 50 milliseconds, with ``TransportError/cancelled``.
public protocol HTTPTransport: Sendable {
  /// Sends `request` and hands the response to `sink` as it arrives.
  ///
  /// - Returns: The head of the response, once its body has arrived whole.
  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead
}

extension HTTPTransport {
  /// Sends `request` and waits for the whole response.
  ///
  /// - Parameters:
  ///   - request: What to send.
  ///   - limit: The most bytes that the body may have, decompressed; 256 MB by default.
  /// - Returns: The response.
  /// - Throws: ``TransportError/tooLarge(_:limit:)`` for a longer body.
  public func send(
    _ request: HTTPRequest, limit: Int = 256 << 20
  ) async throws(TransportError) -> HTTPResponse {
    let sink = MemorySink(limit: limit, address: request.address)
    let head = try await send(request, into: sink)
    return HTTPResponse(head: head, body: sink.body)
  }
}

/// A body in memory.
private final class MemorySink: HTTPBodySink {
  private let limit: Int
  private let address: String
  private let data = Locked(Data())

  /// The most memory that is taken before there is anything to put in it: lengths are sometimes lies.
  private static let mostReserved = 8 << 20

  init(limit: Int, address: String) {
    self.limit = limit
    self.address = address
  }

  var body: Data { data.withLock { $0 } }

  func begin(_ head: HTTPResponseHead) throws(TransportError) {
    let length = head.contentLength ?? 0
    guard length <= limit else { throw .tooLarge(address, limit: limit) }
    // A body that grows piece by piece is copied each time, and leaves holes in memory.
    data.withLock { $0.reserveCapacity(min(length, Self.mostReserved)) }
  }

  func receive(_ bytes: RawSpan) throws(TransportError) {
    let isTooLong = data.withLock { data in
      guard data.count + bytes.byteCount <= limit else { return true }
      unsafe bytes.withUnsafeBytes { unsafe data.append(contentsOf: $0) }
      return false
    }
    if isTooLong { throw .tooLarge(address, limit: limit) }
  }

  func restart() -> Bool {
    data.withLock { $0 = Data() }
    return true
  }
}
