internal import Foundation
internal import PortolanLocks

/// Knows whether requests of a piece of work wait for a host, so that people see why nothing moves.
///
/// ```swift
/// let observer = HostWaitObserver { wakeUp.yield() }
/// try await observer.observe { try await download() }
/// ```
///
/// It sees the requests of ``observe(_:)``'s task and of the tasks that this one makes. Pauses that are
/// shorter than a second are not reported, unless a host is asked again and again for some seconds.
public final class HostWaitObserver: Sendable {
  /// The observer of the requests of this task.
  @TaskLocal private static var current: HostWaitObserver?

  /// Shorter pauses are over before anyone has read of them.
  private static let shortest = Duration.seconds(1)
  /// From so many seconds on a host is asked again for long enough to be reported.
  private static let longSeries = 3.0
  /// A host that is asked so many seconds after a pause is not asked again because of what was before.
  private static let longestGap = 2.0

  private struct State {
    var waits: [Int: HostWait] = [:]
    var nextNumber = 0
    var shown: HostWait?
    /// Since when hosts are asked again and again, and when the last pause ends.
    var series: [String: (begun: Date, until: Date)] = [:]

    /// Shows the wait that ends last; `true` if that is news.
    mutating func choose() -> Bool {
      let last = waits.values.max { $0.until < $1.until }
      if let last, let shown, last.isLike(shown) { return false }
      defer { shown = last }
      return shown != last
    }
  }

  private let state = Locked(State())
  private let hasChanged: @Sendable () -> Void

  /// Creates an observer; `hasChanged` is called whenever ``wait`` is another.
  public init(_ hasChanged: @escaping @Sendable () -> Void) { self.hasChanged = hasChanged }

  /// The current wait: of several the one that ends last; `nil` if no request waits.
  public var wait: HostWait? { state.withLock { $0.shown } }

  /// Does a piece of work, whose requests are observed.
  ///
  /// - Parameter body: The work.
  /// - Returns: What it returns.
  /// - Throws: What it throws.
  public func observe<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    try await Self.$current.withValue(self, operation: body)
  }

  /// Waits until a request may go, for the first time or again, and notifies its observer.
  static func sleep<C: Clock>(
    until deadline: C.Instant, on clock: C, before request: HTTPRequest, isRepeated: Bool = false,
    now: @Sendable () -> Date
  ) async throws(TransportError) where C.Duration == Duration {
    let end = begin(
      until: deadline, on: clock, before: request, isRepeated: isRepeated, now: now)
    defer { end?() }
    // Cancelling is the only way in which a clock fails.
    do { try await clock.sleep(until: deadline, tolerance: nil) } catch { throw .cancelled }
  }

  /// Notifies the observer of a request that it waits.
  ///
  /// - Returns: What to call once it waits no longer; `nil` without an observer, or for a short
  ///   pause.
  static func begin<C: Clock>(
    until deadline: C.Instant, on clock: C, before request: HTTPRequest, isRepeated: Bool = false,
    now: @Sendable () -> Date
  ) -> (() -> Void)? where C.Duration == Duration {
    guard let observer = current else { return nil }
    let pause = clock.now.duration(to: deadline)
    var wait = HostWait(before: request, since: now(), for: pause)
    if isRepeated { wait.begun = observer.beginOfSeries(with: wait) }
    guard pause >= shortest || wait.until.timeIntervalSince(wait.begun) >= longSeries else {
      return nil
    }
    let number = observer.begin(wait)
    return { observer.end(number) }
  }

  /// Since when the host of a pause is asked again and again.
  private func beginOfSeries(with wait: HostWait) -> Date {
    state.withLock { state in
      let known = state.series[wait.host].flatMap { series in
        wait.since.timeIntervalSince(series.until) <= Self.longestGap ? series : nil
      }
      let begun = known?.begun ?? wait.since
      state.series[wait.host] = (begun, max(wait.until, known?.until ?? wait.until))
      return begun
    }
  }

  private func begin(_ wait: HostWait) -> Int {
    let (number, isNews) = state.withLock { state in
      defer { state.nextNumber += 1 }
      state.waits[state.nextNumber] = wait
      return (state.nextNumber, state.choose())
    }
    if isNews { hasChanged() }
    return number
  }

  private func end(_ number: Int) {
    let isNews = state.withLock { state in
      state.waits[number] = nil
      return state.choose()
    }
    if isNews { hasChanged() }
  }
}

extension HostWait {
  fileprivate init(before request: HTTPRequest, since: Date, for pause: Duration) {
    self.init(
      host: request.url.shownHostAndPort ?? request.address, since: since,
      until: since.addingTimeInterval(pause / .seconds(1)))
  }
}
