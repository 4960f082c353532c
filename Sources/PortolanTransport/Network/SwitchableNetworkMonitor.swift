internal import PortolanLocks

/// A network that is switched on and off by hand: for tests and demonstrations, and behind
/// monitors that learn of changes elsewhere.
public final class SwitchableNetworkMonitor: NetworkMonitor {
  private struct State {
    var status: NetworkStatus
    var readers: [Int: AsyncStream<NetworkStatus>.Continuation] = [:]
    var nextReader = 0
  }

  private let state: Locked<State>

  /// Creates a monitor that says `status` until it is switched.
  public init(_ status: NetworkStatus = .online(isMetered: nil)) {
    state = Locked(State(status: status))
  }

  deinit {
    for reader in state.withLock({ $0.readers }).values { reader.finish() }
  }

  public var status: NetworkStatus { state.withLock { $0.status } }

  /// Updates `status`, and notifies listeners if it has changed.
  public func set(_ status: NetworkStatus) {
    // Notified outside the lock, since a reader that ends takes it too.
    let readers = state.withLock { state in
      guard state.status != status else { return [AsyncStream<NetworkStatus>.Continuation]() }
      state.status = status
      return Array(state.readers.values)
    }
    for reader in readers { tell(reader) }
  }

  public func updates() -> AsyncStream<NetworkStatus> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: NetworkStatus.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      defer { state.nextReader += 1 }
      state.readers[state.nextReader] = continuation
      return state.nextReader
    }
    tell(continuation)
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.readers[number] = nil }
    }
    return stream
  }

  /// Tells a reader the status, again until none has come in between.
  private func tell(_ reader: AsyncStream<NetworkStatus>.Continuation) {
    var told: NetworkStatus
    repeat {
      told = status
      reader.yield(told)
    } while told != status
  }
}
