public import Foundation
internal import PortolanLocks
internal import Testing

/// A clock that only moves when a test moves it.
///
/// What would wait for ever fails the test instead: moving the clock without waking a sleeper,
/// waiting for a sleeper that does not come, sleeping where that is refused. The clock is broken
/// then: all sleepers are cancelled, so that the test ends.
public final class ManualClock: Clock, Sendable {
  public typealias Instant = ClockOffset

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Watcher {
    let id = UUID()
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var sleepers: [UUID: Sleeper] = [:]
    var cancelled: Set<UUID> = []
    var watchers: [Watcher] = []
    var refusesSleep = false
    var isBroken = false

    /// The watchers that have waited long enough.
    mutating func takeWatchers() -> [Watcher] {
      let count = sleepers.count
      let due = watchers.filter { $0.count <= count || isBroken }
      watchers.removeAll { $0.count <= count || isBroken }
      return due
    }
  }

  /// How many turns a test waits for a sleeper: forty seconds on a machine that is idle.
  private static let patience = 1_600

  private let state = Locked(State())
  private let start: Date

  /// Creates a clock that shows `start`, the first second of 2026 by default.
  public init(start: Date = Date(timeIntervalSince1970: 1_767_225_600)) { self.start = start }

  public var now: Instant { state.withLock { $0.now } }

  public var minimumResolution: Swift.Duration { .nanoseconds(1) }

  /// The date that the clock shows.
  public var date: Date { start.addingTimeInterval(now.offset / .seconds(1)) }

  public func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    let (isBroken, isRefused) = state.withLock { ($0.isBroken, $0.refusesSleep) }
    if isRefused { fail("Something sleeps until \(deadline.offset) where nobody may sleep.") }
    guard !isBroken, !isRefused else { throw CancellationError() }
    let id = UUID()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let woken = state.withLock { state -> [Watcher]? in
          if state.cancelled.remove(id) != nil || deadline <= state.now { return nil }
          state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
          return state.takeWatchers()
        }
        guard let woken else {
          continuation.resume(with: Result { try Task.checkCancellation() })
          return
        }
        for watcher in woken { watcher.continuation.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        if let sleeper = state.sleepers.removeValue(forKey: id) { return sleeper }
        state.cancelled.insert(id)
        return nil
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// From now on sleeping fails the test.
  public func refuseSleep() { state.withLock { $0.refusesSleep = true } }

  /// Moves the clock, and wakes the sleepers that are due, earliest first.
  public func advance(by duration: Swift.Duration) { _ = move(by: duration) }

  /// Moves the clock; how many it has woken.
  private func move(by duration: Swift.Duration) -> Int {
    let woken = state.withLock { state -> [Sleeper] in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in woken { sleeper.continuation.resume() }
    return woken.count
  }

  /// How long those who sleep still have to, shortest first.
  public var pending: [Swift.Duration] {
    state.withLock { state in
      state.sleepers.values.map { state.now.duration(to: $0.deadline) }.sorted()
    }
  }

  /// Waits for a sleeper, then moves the clock, which must wake one.
  public func wake(after duration: Swift.Duration) async {
    await sleepers()
    guard move(by: duration) == 0, !state.withLock({ $0.isBroken }) else { return }
    fail("Nobody wakes after \(duration); those who sleep have \(pending) left.")
  }

  /// Waits for a sleeper, then moves the clock to the moment at which the first wakes.
  ///
  /// For tests that let time go on until something has happened, however many sleep meanwhile.
  ///
  /// - Throws: `CancellationError` if the clock is broken, so that no such test continues forever.
  public func wakeNext() async throws {
    await sleepers()
    let (deadline, isBroken) = state.withLock { state in
      (state.sleepers.values.map(\.deadline).min(), state.isBroken)
    }
    guard !isBroken else { throw CancellationError() }
    // There are no sleepers left if they were cancelled meanwhile.
    if let deadline { advance(by: max(now.duration(to: deadline), .zero)) }
  }

  /// Waits until so many tasks sleep, so that moving the clock is sure to meet them.
  public func sleepers(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let watcher = Watcher(count: count, continuation: continuation)
      let isThere = state.withLock { state -> Bool in
        if state.sleepers.count >= count || state.isBroken { return true }
        state.watchers.append(watcher)
        return false
      }
      if isThere { return continuation.resume() }
      Task {
        guard await self.staysAlone(watcher.id) else { return }
        self.fail("\(count) were to sleep, and \(self.pending.count) do.")
      }
    }
  }

  /// Whether there was no new sleeper for a while.
  ///
  /// Counted in turns of this task, which come as late as those of the tasks that are waited for
  /// when all threads are busy.
  private func staysAlone(_ watcher: UUID) async -> Bool {
    for _ in 0..<Self.patience {
      guard state.withLock({ $0.watchers.contains { $0.id == watcher } }) else { return false }
      // This task is not cancelled; if it were, it would only look sooner.
      try? await Task.sleep(for: .milliseconds(25))
    }
    return state.withLock { $0.watchers.contains { $0.id == watcher } }
  }

  /// Fails the test, and ends all waiting.
  private func fail(_ reason: String) {
    Issue.record("\(reason)")
    let (sleepers, watchers) = state.withLock { state in
      state.isBroken = true
      let sleepers = Array(state.sleepers.values)
      state.sleepers = [:]
      return (sleepers, state.takeWatchers())
    }
    for sleeper in sleepers { sleeper.continuation.resume(throwing: CancellationError()) }
    for watcher in watchers { watcher.continuation.resume() }
  }
}
