internal import Foundation
internal import PortolanHTTPServer
internal import PortolanLocks

/// The events for one page, as [server-sent
/// events](https://html.spec.whatwg.org/multipage/server-sent-events.html).
final class EventStream: HTTPServerBody {
  private struct State {
    /// The screens whose state has changed since it was sent, in that order.
    var pending: [String]
    /// The encoded bytes that were not taken yet.
    var rest = Data()
    var isPinged = false
    var waiting: CheckedContinuation<Void, Never>?

    var isIdle: Bool { pending.isEmpty && rest.isEmpty && !isPinged }
  }

  private let hub: EventHub
  private let id: Int
  private let state: Locked<State>

  init(hub: EventHub, id: Int, pending: [String]) {
    self.hub = hub
    self.id = id
    state = Locked(State(pending: pending))
  }

  deinit { hub.disconnect(id) }

  /// Sends the page the state of a screen, as it is when the page takes it.
  func add(_ name: String) {
    wake { state in
      if !state.pending.contains(name) { state.pending.append(name) }
    }
  }

  /// Sends a comment, which pages ignore.
  func ping() { wake { $0.isPinged = true } }

  func next(at position: Int, limit: Int) -> HTTPServerBodyStep {
    let names = state.withLock { state in
      defer { state.pending = [] }
      return state.pending
    }
    let lines = names.isEmpty ? Data() : hub.lines(for: names)
    return state.withLock { state in
      state.rest += lines
      if state.isPinged, state.rest.isEmpty { state.rest = Data(": \n\n".utf8) }
      state.isPinged = false
      guard !state.rest.isEmpty else { return .wait { [weak self] in await self?.change() } }
      let piece = Data(state.rest.prefix(limit))
      state.rest = Data(state.rest.dropFirst(limit))
      return .bytes(piece)
    }
  }

  /// Waits until there is something to tell, or the server stops.
  private func change() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          guard state.isIdle, !Task.isCancelled else { return true }
          state.waiting = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      wake { _ in }
    }
  }

  private func wake(_ change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }
}
