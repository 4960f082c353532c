import PortolanLocks
import PortolanTransport

/// Holds every request until the test lets it go, and counts how many there are at a time.
final class HeldTransport: HTTPTransport {
  private struct State {
    var held: [CheckedContinuation<Void, Never>] = []
    var most = 0
    var total = 0
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Locked(State())

  /// The most requests that were held at a time.
  var most: Int { state.withLock { $0.most } }
  /// The number of requests that have come.
  var total: Int { state.withLock { $0.total } }

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    await withCheckedContinuation { continuation in
      let due = state.withLock { state in
        state.held.append(continuation)
        state.total += 1
        state.most = max(state.most, state.held.count)
        let due = state.watchers.filter { $0.count <= state.held.count }
        state.watchers.removeAll { $0.count <= state.held.count }
        return due
      }
      for watcher in due { watcher.continuation.resume() }
    }
    let head = HTTPResponseHead(status: 200, url: request.url)
    try sink.begin(head)
    return head
  }

  /// Waits until `count` requests are held.
  func arrived(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        guard state.held.count < count else { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isReached { continuation.resume() }
    }
  }

  /// Waits for a request and lets it go.
  func release() async {
    await arrived(1)
    state.withLock { $0.held.removeFirst() }.resume()
  }
}
