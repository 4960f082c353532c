internal import Foundation
internal import PortolanFeatures
internal import PortolanTransport

extension FeatureStoreError {
  /// The error of a store whose service did not answer.
  init(_ error: PortalError) {
    self =
      error.isCancellation
      ? .cancelled
      : .unanswered(UnansweredQuery(error))
  }
}

extension UnansweredQuery {
  /// The error for a service that did not answer.
  init(_ error: PortalError) {
    self.init(
      cause: Cause(error), reason: error.errorDescription ?? "\(error)",
      suggestion: error.recoverySuggestion)
  }
}

extension UnansweredQuery.Cause {
  fileprivate init(_ error: PortalError) {
    self =
      switch error {
      case .signInNeeded: .signIn
      case .notFound: .absence
      case .transport(.offline): .network
      case .part(_, let error): Self(error)
      default: error.isWithoutAnswer ? .silence : .failure
      }
  }
}

extension PortalError {
  fileprivate var isCancellation: Bool {
    if case .part(_, let error) = self { error.isCancellation } else { self == .cancelled }
  }
}
