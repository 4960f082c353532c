internal import PortolanPortal

extension PortalError {
  /// Whether a service has answered, if only that its job has failed, or what nobody understands.
  var isAnswer: Bool {
    switch self {
    case .server, .notJSON, .unexpected: true
    default: false
    }
  }

  /// Whether a service has answered that it does not tell, now or later.
  var refusesQuestion: Bool {
    switch self {
    case .notFound, .notPermitted, .notJSON, .unexpected: true
    case .server: !isTransient
    case .part(_, let cause): cause.refusesQuestion
    default: false
    }
  }
}
