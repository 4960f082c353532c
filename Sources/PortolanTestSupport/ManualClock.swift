public import Foundation
internal import Synchronization

/// A clock that only moves when a test moves it.
public final class ManualClock: Clock, Sendable {
  /// A point in time, counted from when the clock was made.
  public struct Instant: InstantProtocol {
    /// The time since then.
    public var offset: Swift.Duration

    public func advanced(by duration: Swift.Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    public func duration(to other: Instant) -> Swift.Duration { other.offset - offset }

    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var sleepers: [UUID: Sleeper] = [:]
    var cancelled: Set<UUID> = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    /// The watchers that have waited long enough.
    mutating func takeWatchers() -> [CheckedContinuation<Void, Never>] {
      let count = sleepers.count
      let due = watchers.filter { $0.count <= count }
      watchers.removeAll { $0.count <= count }
      return due.map(\.continuation)
    }
  }

  private let state = Mutex(State())
  private let start: Date

  /// Creates a clock that stands at `start`, the first second of 2026 unless told otherwise.
  public init(start: Date = Date(timeIntervalSince1970: 1_767_225_600)) { self.start = start }

  public var now: Instant { state.withLock { $0.now } }

  public var minimumResolution: Swift.Duration { .nanoseconds(1) }

  /// The date that the clock stands at.
  public var date: Date { start.addingTimeInterval(now.offset / .seconds(1)) }

  public func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    let id = UUID()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let woken = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
          if state.cancelled.remove(id) != nil || deadline <= state.now { return nil }
          state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
          return state.takeWatchers()
        }
        guard let woken else {
          continuation.resume(with: Result { try Task.checkCancellation() })
          return
        }
        for watcher in woken { watcher.resume() }
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

  /// Moves the clock, and wakes whoever has slept long enough, earliest first.
  public func advance(by duration: Swift.Duration) {
    let woken = state.withLock { state -> [Sleeper] in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  /// How long those who sleep still have to, shortest first.
  public var pending: [Swift.Duration] {
    state.withLock { state in
      state.sleepers.values.map { state.now.duration(to: $0.deadline) }.sorted()
    }
  }

  /// Waits until somebody sleeps, then moves the clock.
  public func wake(after duration: Swift.Duration) async {
    await sleepers()
    advance(by: duration)
  }

  /// Waits until so many tasks sleep, so that moving the clock is sure to meet them.
  public func sleepers(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state -> Bool in
        if state.sleepers.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}
