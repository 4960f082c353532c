internal import Foundation
internal import Synchronization

/// One request and its response, across the daemon's calls.
final class Exchange: Sendable {
  private struct State {
    var hasBegun = false
    var expectsBody = false
    var receivedCount = 0
    var isTooLarge = false
    var isPutAside = false
    var body = Data()
    var answer: Answer?
  }

  /// The response of the handler; without one the connection is dropped.
  struct Answer {
    let response: HTTPServerResponse?
  }

  /// How many bytes more than its limit a body may have at least before the connection is dropped.
  private static let leastSurplus = 1 << 20

  /// The path and the query as they came, still encoded.
  let target: String

  private let state = Mutex(State())

  init(target: String) { self.target = target }

  /// Whether this is the first call for this request.
  func begin() -> Bool {
    state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
  }

  /// Adds bytes of the body; those beyond `limit` are dropped, and the request is refused.
  ///
  /// - Returns: Whether the rest is worth waiting for. A request can be refused only once its body has
  ///   been read, so as much again is read, a megabyte at least; one that continues may never end.
  func receive(_ bytes: borrowing RawSpan, limit: Int) -> Bool {
    let count = bytes.byteCount
    let received = state.withLock { state in
      state.receivedCount += count
      state.isTooLarge = state.receivedCount > limit
      if state.isTooLarge { state.body = Data() }
      return state.receivedCount
    }
    if received <= limit {
      let piece = unsafe bytes.withUnsafeBytes { unsafe Data($0) }
      state.withLock { $0.body.append(piece) }
    }
    return received - limit <= max(limit, Self.leastSurplus)
  }

  /// Whether the head of the request has announced a body.
  var expectsBody: Bool {
    get { state.withLock { $0.expectsBody } }
    set { state.withLock { $0.expectsBody = newValue } }
  }

  /// The body so far.
  var body: Data { state.withLock { $0.body } }

  /// Whether the body has been longer than it may be.
  var isTooLarge: Bool { state.withLock { $0.isTooLarge } }

  /// The answer, once it is known.
  var answer: Answer? { state.withLock { $0.answer } }

  /// Notes what is answered.
  ///
  /// - Returns: Whether the connection was put aside until then.
  func finish(_ answer: Answer) -> Bool {
    state.withLock { state in
      state.answer = answer
      return state.isPutAside
    }
  }

  /// Puts the connection aside by `suspend`, unless the response is there.
  ///
  /// - Returns: The response, if it is there.
  func answer(orSuspend suspend: () -> Void) -> Answer? {
    state.withLock { state in
      if state.answer == nil {
        suspend()
        state.isPutAside = true
      }
      return state.answer
    }
  }
}
