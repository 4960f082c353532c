public import Foundation

extension Job {
  /// Does what people want of the job, as far as its state allows; what it does not allow changes
  /// nothing.
  ///
  /// - Parameters:
  ///   - intent: What they want.
  ///   - date: When they said so.
  ///   - isWorkedOn: Whether somebody works on it, and will stop by the intent alone.
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
}
