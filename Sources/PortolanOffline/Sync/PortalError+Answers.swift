internal import PortolanPortal

extension PortalError {
  /// Whether a service has answered, if only that its job has failed, or in a way that cannot be
  /// understood.
  var isAnswer: Bool {
    switch self {
    case .server, .notJSON, .unexpected: true
    default: false
    }
  }

  /// Whether something came that answers nothing, such as a page for people or JSON of another shape: it
  /// proves neither that something exists nor that it does not.
  var isUnreadable: Bool {
    switch self {
    case .notJSON, .unexpected: true
    case .part(_, let cause): cause.isUnreadable
    default: false
    }
  }

  /// Whether an answer says nothing of the job that was asked after: the server is started again, or
  /// something unintelligible has come in its place, as in a network that wants people to sign in.
  var leavesJobOpen: Bool { isUnreadable || isTransient }

  /// What a service says that will not do what it was asked for; `nil` where it may do so a little later, as
  /// one that is started again.
  var refusal: ErrorEnvelope? {
    guard case .server(_, let envelope) = self, !isTransient else { return nil }
    return envelope
  }

  /// Whether a question is left open, by a service that does not tell or an answer that cannot be read.
  var leavesQuestionOpen: Bool { refusesQuestion || isUnreadable }

  /// Whether a service has answered that it does not tell, now or later; what cannot be read is no answer.
  var refusesQuestion: Bool {
    switch self {
    case .notFound, .notPermitted: true
    case .server: !isTransient
    case .part(_, let cause): cause.refusesQuestion
    default: false
    }
  }
}
