import Foundation
import PortolanHTTPServer
import PortolanTransport
import Synchronization

/// A server of pictures on loopback that remembers how often each was asked for, and that holds back
/// its answers from the n-th request on until a test lets them go.
final class CountedTileServer: HTTPServerHandling {
  private struct State {
    var counts: [String: Int] = [:]
    var answered: Set<String> = []
    var total = 0
    var limit = Int.max
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  private let picture: Data

  /// Serves one picture everywhere, with the path behind its end so that all tiles differ.
  init(picture: Data) { self.picture = picture }

  /// The number of requests for each path.
  var counts: [String: Int] { state.withLock { $0.counts } }

  /// The paths whose answers have left.
  var answered: Set<String> { state.withLock { $0.answered } }

  /// The number of requests that are held back.
  var heldBack: Int { state.withLock { $0.waiting.count } }

  /// Answers so many more requests, and holds back what comes after them.
  func holdBack(after count: Int) { state.withLock { $0.limit = $0.total + count } }

  /// Answers everything, also what is held back.
  func letGo() {
    let waiting = state.withLock { state in
      state.limit = .max
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func respond(to request: HTTPServerRequest) async -> HTTPServerResponse? {
    let isHeld = state.withLock { state in
      state.counts[request.target, default: 0] += 1
      state.total += 1
      return state.total > state.limit
    }
    if isHeld {
      await withCheckedContinuation { continuation in
        let isLate = state.withLock { state in
          guard state.limit != .max else { return true }
          state.waiting.append(continuation)
          return false
        }
        if isLate { continuation.resume() }
      }
      return nil
    }
    state.withLock { _ = $0.answered.insert(request.target) }
    return HTTPServerResponse(
      headers: ["Content-Type": "image/png"], body: .bytes(picture + Data(request.target.utf8)))
  }

  func refusal(status: Int) -> HTTPServerResponse { HTTPServerResponse(status: status) }
}
