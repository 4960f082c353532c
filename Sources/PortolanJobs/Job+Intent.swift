public import Foundation

extension Job {
  /// Does what the user has asked of the job, as far as its state allows; what it does not allow
  /// changes nothing.
  ///
  /// - Parameters:
  ///   - intent: What they want.
  ///   - date: When they said so.
  ///   - isWorkedOn: Whether it is running, and will stop by the intent alone.
  public mutating func follow(_ intent: JobIntent, at date: Date, isWorkedOn: Bool = false) {
    switch intent {
    case .pause:
      guard state.canPause || state == .paused else { return }
      self.intent = .pause
      if !isWorkedOn { state = .paused }
    case .run:
      guard state.canResume || (self.intent == .pause && !state.isFinal) else { return }
      self.intent = .run
      attempts = 0
      if !isWorkedOn { state = .waiting(.slot(ahead: 0)) }
    case .cancel:
      guard state.canCancel else { return }
      self.intent = .cancel
      state = .cancelling
    }
    updated = date
  }

  /// Whether asking for another job finds this one instead: it does the same and is unfinished, and
  /// it is not to end.
  ///
  /// - Parameters:
  ///   - other: What is requested.
  ///   - requests: What was asked for and not answered yet, of any job.
  /// - Returns: Whether it is found.
  package func covers(_ other: Job, despite requests: [JobRequest]) -> Bool {
    kind == other.kind && subject == other.subject && !state.isFinal && state != .cancelling
      && intent != .cancel && !requests.contains { $0.job == id && $0.intent == .cancel }
  }
}
