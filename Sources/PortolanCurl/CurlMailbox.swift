internal import CCurl
internal import Foundation
internal import PortolanLocks

/// The messages of tasks to the event thread.
final class CurlMailbox: Sendable {
  /// A letter.
  enum Command: Sendable {
    case start(CurlJob)
    case cancel(ObjectIdentifier)
    /// The sink of a transfer has failed, or can take more.
    case sinkChanged(ObjectIdentifier)
    case close
  }

  private enum Phase {
    /// The thread has not been needed yet.
    case idle
    case running
    /// Nothing more is taken; the thread ends, or has ended.
    case closed
  }

  private struct State {
    var phase = Phase.idle
    var commands: [Command] = []
    /// The address of what the event thread sleeps on, while it may be woken; else 0.
    var sleeper: UInt = 0
    var hasEnded = true
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())

  /// The result of putting a letter in.
  enum Receipt {
    case taken
    /// The first: the caller must start the thread.
    case needsThread
    case refused
  }

  /// Puts a letter in, and wakes the thread.
  func put(_ command: Command) -> Receipt {
    state.withLock { state in
      guard state.phase != .closed else { return .refused }
      let isFirst = state.phase == .idle
      switch command {
      case .start: state.phase = .running
      case .close: state.phase = .closed
      case .cancel, .sinkChanged: break
      }
      // With no thread there is nothing to cancel or to close.
      guard !isFirst || state.phase == .running else { return .taken }
      state.commands.append(command)
      if isFirst { state.hasEnded = false }
      // A write to a descriptor that never blocks; under the lock, since the thread frees it.
      if let sleeper = unsafe UnsafeMutableRawPointer(bitPattern: state.sleeper) {
        unsafe _ = curl_multi_wakeup(sleeper)
      }
      return isFirst ? .needsThread : .taken
    }
  }

  /// Takes all letters; called by the event thread.
  func take() -> [Command] {
    state.withLock { state in
      defer { state.commands.removeAll(keepingCapacity: true) }
      return state.commands
    }
  }

  /// Says on what the event thread sleeps, or that it no longer does.
  func setSleeper(_ sleeper: UnsafeMutableRawPointer?) {
    let address = UInt(bitPattern: sleeper)
    state.withLock { $0.sleeper = address }
  }

  /// Says that the event thread has freed everything.
  func end() {
    let waiters = state.withLock { state in
      state.hasEnded = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until the event thread has ended.
  func ended() async {
    await withCheckedContinuation { waiter in
      let hasEnded = state.withLock { state in
        if !state.hasEnded { state.waiters.append(waiter) }
        return state.hasEnded
      }
      if hasEnded { waiter.resume() }
    }
  }
}
