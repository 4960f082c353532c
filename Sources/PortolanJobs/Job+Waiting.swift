internal import Foundation

extension Job {
  /// When it is looked at again by itself; `nil` if it waits for nothing that comes with time.
  func nextLook(_ policy: JobRetryPolicy) -> Date? {
    switch state {
    case .waiting(.retry(let date, _)): date
    case .waiting(.editing):
      policy.recheck.map { updated.addingTimeInterval(min($0, .seconds(60)) / .seconds(1)) }
    case .waiting(.network), .waiting(.space):
      policy.recheck.map { updated.addingTimeInterval($0 / .seconds(1)) }
    default: nil
    }
  }

  /// Whether it is to be tried again, but not yet.
  func isLater(than now: Date) -> Bool {
    guard case .waiting(.retry(let date, _)) = state else { return false }
    return isBefore(date, now)
  }

  /// Whether nothing but a place is missing.
  func isReady(at now: Date, _ policy: JobRetryPolicy) -> Bool {
    guard case .waiting(let wait) = state else { return false }
    return switch wait {
    case .slot: true
    case .retry, .network, .space, .editing: nextLook(policy).map { !isBefore($0, now) } ?? false
    case .signIn: false
    }
  }

  /// A date before the one at which the other was written comes of a clock that was put back; then
  /// that is unknown, and the job is tried.
  private func isBefore(_ date: Date, _ now: Date) -> Bool { date > now && now >= updated }

  /// Whether it looks again when something has changed.
  ///
  /// A network that returns ends the pauses after failures too, but for those that a server asked for.
  func isConcerned(by condition: JobCondition, _ policy: JobRetryPolicy) -> Bool {
    guard case .waiting(let wait) = state else { return false }
    switch (wait, condition) {
    case (.network, .network), (.signIn, .signIn), (.space, .space),
      (.editing, .editing):
      return true
    case (.retry(let date, _), .network):
      return date.timeIntervalSince(updated) <= policy.longest / .seconds(1)
    default: return false
    }
  }
}
