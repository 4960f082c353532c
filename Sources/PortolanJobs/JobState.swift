/// The state of a job.
public enum JobState: Hashable, Sendable, Codable {
  /// It will run when what it waits for has come.
  case waiting(JobWait)
  case running
  case paused
  /// It was cancelled, and is still clearing up.
  case cancelling
  case cancelled
  case succeeded
  /// It is done but for what its ledger lists.
  case succeededInPart
  case failed(JobFailure)
}

// MARK: - What may be done

extension JobState {
  /// Whether nothing more happens unless people ask for it.
  public var isFinal: Bool {
    switch self {
    case .cancelled, .succeeded, .succeededInPart, .failed: true
    case .waiting, .running, .paused, .cancelling: false
    }
  }

  /// Whether pausing changes anything.
  public var canPause: Bool {
    switch self {
    case .waiting, .running: true
    case .paused, .cancelling, .cancelled, .succeeded, .succeededInPart, .failed: false
    }
  }

  /// Whether it can be resumed, or asked to look again whether it can continue.
  ///
  /// Whatever made it fail is asked again: a server that refused once may have been mistaken.
  public var canResume: Bool {
    switch self {
    case .paused, .waiting(.network), .waiting(.signIn), .waiting(.space): true
    case .waiting(.editing), .waiting(.retry): true
    case .failed: true
    case .waiting(.slot), .running, .cancelling, .cancelled, .succeeded, .succeededInPart: false
    }
  }

  /// Whether it can be cancelled.
  public var canCancel: Bool {
    switch self {
    case .waiting, .running, .paused, .failed, .succeededInPart: true
    case .cancelling, .cancelled, .succeeded: false
    }
  }

  /// Whether what failed can be tried again alone, or left out.
  public var canSettleFailures: Bool { self == .succeededInPart }
}

extension JobState {
  /// The state in a word or two.
  public var word: String {
    switch self {
    case .waiting: "waiting"
    case .running: "running"
    case .paused: "paused"
    case .cancelling: "cancelling"
    case .cancelled: "cancelled"
    case .succeeded: "done"
    case .succeededInPart: "done in part"
    case .failed: "failed"
    }
  }
}
