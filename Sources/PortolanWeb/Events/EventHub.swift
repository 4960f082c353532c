internal import Foundation
internal import PortolanLocks

/// The events for all pages: the latest state of each screen, by name.
///
/// A page that reads slowly costs no memory: of each screen it gets the state as it is by then.
final class EventHub: Sendable {
  private struct Listener {
    weak var stream: EventStream?
  }

  private struct State {
    var names: [String] = []
    var latest: [String: Data] = [:]
    var listeners: [Int: Listener] = [:]
    var lastID = 0

    var streams: [EventStream] { listeners.values.compactMap(\.stream) }
  }

  private let state = Locked(State())

  /// Sends a new state to all pages; an unchanged one is not sent again.
  func publish(_ name: String, _ data: Data) {
    let streams = state.withLock { state in
      guard state.latest[name] != data else { return [EventStream]() }
      if state.latest[name] == nil { state.names.append(name) }
      state.latest[name] = data
      return state.streams
    }
    for stream in streams { stream.add(name) }
  }

  /// Keeps connections alive, and finds out which pages have gone.
  func ping() {
    for stream in state.withLock({ $0.streams }) { stream.ping() }
  }

  /// A stream for a page that has come: first everything that is known, then what changes.
  func connect() -> EventStream {
    state.withLock { state in
      state.lastID += 1
      let stream = EventStream(hub: self, id: state.lastID, pending: state.names)
      state.listeners[state.lastID] = Listener(stream: stream)
      return stream
    }
  }

  func disconnect(_ id: Int) { state.withLock { _ = $0.listeners.removeValue(forKey: id) } }

  /// The latest states of the screens of those names, as the lines of a stream.
  func lines(for names: [String]) -> Data {
    let latest = state.withLock { $0.latest }
    var lines = Data()
    for name in names {
      guard let data = latest[name] else { continue }
      lines += Data("event: \(name)\ndata: ".utf8) + data + Data("\n\n".utf8)
    }
    return lines
  }
}
