internal import Foundation

extension Job {
  /// Takes over how a run has ended.
  mutating func apply(
    _ result: Result<JobOutcome, JobInterruption>, at now: Date, _ policy: JobRetryPolicy
  ) {
    switch result {
    case .success(let outcome):
      failedItems = outcome.failedItems
      attempts = 0
      checkpoint = outcome.summary
      // The request to stop came too late.
      intent = .run
      state = outcome.isComplete ? .succeeded : .succeededInPart
    case .failure where intent == .cancel: state = .cancelling
    case .failure where intent == .pause: state = .paused
    case .failure(.stopped): state = .waiting(.slot(ahead: 0))
    case .failure(.waiting(let wait)): state = .waiting(wait)
    case .failure(.failed(let failure)): fail(failure, at: now, policy)
    }
  }

  private mutating func fail(_ failure: JobFailure, at now: Date, _ policy: JobRetryPolicy) {
    attempts += 1
    guard failure.kind == .transient, let pause = policy.pause(after: attempts) else {
      state = .failed(failure)
      return
    }
    let seconds = max(pause / .seconds(1), failure.retryAfter ?? 0)
    state = .waiting(.retry(at: now.addingTimeInterval(seconds), attempt: attempts + 1))
  }

  /// The log message about the end of a run; `nil` if there is more to come.
  func message(
    after result: Result<JobOutcome, JobInterruption>, at now: Date
  ) -> JobMessage? {
    let (severity, text): (JobMessage.Severity, String) =
      switch (state, result) {
      case (.succeeded, _): (.info, "Done.")
      case (.succeededInPart, _):
        (.warning, "Done, but for \(failedItems.filter(\.isFailure).count) that failed.")
      case (.paused, _): (.info, "Paused.")
      case (.waiting(.network), _): (.warning, "Stopped: there is no network.")
      case (.waiting(.signIn(let host)), _): (.warning, "Stopped: \(host) asks for a sign-in.")
      case (.waiting(.space(let missing)), _):
        (
          .warning,
          "Stopped: there is not enough free space (it needs \(Self.number(missing, "byte")) more)."
        )
      case (.waiting(.editing(let map, let holder)), _):
        (
          .warning,
          "Stopped until \"\(map)\" is no longer edited\(holder.map { " by \($0)" } ?? "")."
        )
      case (.waiting(.retry(let date, _)), .failure(.failed(let failure))):
        (
          .warning,
          "\(failure.message) Trying again in \(Self.number(Int(date.timeIntervalSince(now)), "second"))."
        )
      case (.failed(let failure), _):
        (.error, [failure.message, failure.advice].compactMap(\.self).joined(separator: " "))
      default: (.info, "Stopped; it continues with the next run.")
      }
    return state == .cancelling ? nil : JobMessage(time: now, severity: severity, text: text)
  }

  private static func number(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }
}
