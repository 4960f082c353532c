internal import PortolanLocks

/// The requests of one host: who may go, who waits.
final class HostThrottle<Instant: InstantProtocol>: Sendable where Instant.Duration == Duration {
  private typealias Ticket = ConcurrencyWindow.Ticket
  private typealias Waiter = CheckedContinuation<ConcurrencyWindow.Ticket?, Never>

  private struct State {
    var window: ConcurrencyWindow
    /// Those who wait, first come first served.
    var queue: [(number: Int, waiter: Waiter)] = []
    var nextNumber = 0
    /// Cancelled before they were in the queue.
    var cancelled: Set<Int> = []
    /// When the next request may begin, by the rate.
    var nextStart: Instant
    /// When the host wants to be asked again.
    var pauseEnd: Instant
  }

  private let policy: ThrottlePolicy
  private let state: Locked<State>

  /// Creates a throttle at `now`.
  init(policy: ThrottlePolicy, now: Instant) {
    self.policy = policy
    let window = ConcurrencyWindow(
      initial: policy.initialConcurrency, maximum: policy.maximumConcurrency)
    state = Locked(State(window: window, nextStart: now, pauseEnd: now))
  }

  /// When a request that is ready at `now` may begin, by the rate.
  func reserveStart(at now: Instant) -> Instant {
    state.withLock { state in
      let start = max(state.nextStart, now)
      if let rate = policy.requestsPerSecond, rate > 0 {
        state.nextStart = start.advanced(by: .seconds(1 / rate))
      }
      return start
    }
  }

  /// Before this no request begins.
  var pauseEnd: Instant { state.withLock { $0.pauseEnd } }

  /// Lets nothing begin before `instant`.
  func pause(until instant: Instant) {
    state.withLock { $0.pauseEnd = max($0.pauseEnd, instant) }
  }

  /// Waits until there is room; `nil` if the task is cancelled.
  func enter() async -> ConcurrencyWindow.Ticket? {
    let (ticket, number) = state.withLock { state -> (Ticket?, Int) in
      defer { state.nextNumber += 1 }
      return (state.queue.isEmpty ? state.window.enter() : nil, state.nextNumber)
    }
    if let ticket { return ticket }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { wait(number, $0) }
    } onCancel: {
      // Taken out under the lock, resumed outside it: who resumes may need the lock at once.
      let waiter = state.withLock { state -> Waiter? in
        guard let place = state.queue.firstIndex(where: { $0.number == number }) else {
          state.cancelled.insert(number)
          return nil
        }
        return state.queue.remove(at: place).waiter
      }
      waiter?.resume(returning: nil)
    }
  }

  /// Takes note of a request's end, and lets in who waits.
  func leave(_ ticket: ConcurrencyWindow.Ticket, _ outcome: ConcurrencyWindow.Outcome) {
    let admitted = state.withLock { state in
      state.window.leave(ticket, outcome)
      return Self.admit(&state)
    }
    for (waiter, ticket) in admitted { waiter.resume(returning: ticket) }
  }

  private func wait(_ number: Int, _ waiter: Waiter) {
    let (isCancelled, admitted) = state.withLock { state -> (Bool, [(Waiter, Ticket)]) in
      if state.cancelled.remove(number) != nil { return (true, []) }
      state.queue.append((number, waiter))
      return (false, Self.admit(&state))
    }
    if isCancelled { waiter.resume(returning: nil) }
    for (waiter, ticket) in admitted { waiter.resume(returning: ticket) }
  }

  private static func admit(_ state: inout State) -> [(Waiter, Ticket)] {
    var admitted: [(Waiter, Ticket)] = []
    while admitted.count < state.queue.count, let ticket = state.window.enter() {
      admitted.append((state.queue[admitted.count].waiter, ticket))
    }
    state.queue.removeFirst(admitted.count)
    return admitted
  }
}
