import Foundation
import PortolanLocks
import PortolanTransport

/// A server of tiles in memory that can refuse, fail and wait, and a date that a test moves.
final class TileWorld: Sendable {
  private struct State {
    var date = Date(timeIntervalSince1970: 1_767_225_600)
    var requests = 0
    var done = 0
    var refusals: [String: Int] = [:]
    var refusal: Int?
    var failure: TransportError?
    var limit = Int.max
    var isHeld = false
  }

  private let state = Locked(State())

  var date: Date { state.withLock { $0.date } }
  var requests: Int { state.withLock { $0.requests } }
  var doneRequests: Int { state.withLock { $0.done } }
  var transport: any HTTPTransport { Transport(world: self) }

  func move(by seconds: Double) { state.withLock { $0.date.addTimeInterval(seconds) } }
  func refuse(_ path: String, with status: Int?) { state.withLock { $0.refusals[path] = status } }
  func refuseAll(with status: Int?) { state.withLock { $0.refusal = status } }
  func fail(_ error: TransportError?) { state.withLock { $0.failure = error } }

  /// Lets so many requests be answered and no more.
  func hold(after count: Int) { state.withLock { $0.limit = $0.done + count } }
  func letGo() { state.withLock { $0.limit = .max } }

  /// Waits until a request is held.
  func whenHeld() async {
    while !state.withLock({ $0.isHeld }) { await Task.yield() }
  }

  private struct Transport: HTTPTransport {
    let world: TileWorld

    func send(
      _ request: HTTPRequest, into sink: any HTTPBodySink
    ) async throws(TransportError) -> HTTPResponseHead {
      world.state.withLock { $0.requests += 1 }
      while !world.mayAnswer() {
        if Task.isCancelled { throw .cancelled }
        await Task.yield()
      }
      if let failure = world.state.withLock({ $0.failure }) { throw failure }
      return try world.answer(request, into: sink)
    }
  }

  private func mayAnswer() -> Bool {
    state.withLock { state in
      guard state.done < state.limit else {
        state.isHeld = true
        return false
      }
      state.done += 1
      return true
    }
  }

  private func answer(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) throws(TransportError) -> HTTPResponseHead {
    let path = request.url.path()
    let refusal = state.withLock { $0.refusals[path] ?? $0.refusal }
    let isKnown = request.headers["If-None-Match"] == path
    let head = HTTPResponseHead(
      status: refusal ?? (isKnown ? 304 : 200),
      headers: ["ETag": path, "Cache-Control": "max-age=86400"], url: request.url)
    try sink.begin(head)
    if head.status == 200 { try sink.receive(Self.picture(of: path).bytes) }
    return head
  }

  /// Bytes that look like a PNG, from its beginning to its end.
  static func picture(of text: String) -> Data {
    Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data(text.utf8)
      + Data([0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
  }
}
