/// Why a query was not answered, for stores that ask a service.
public struct UnansweredQuery: Hashable, Sendable {
  /// What would help.
  public enum Cause: Hashable, Sendable {
    /// A sign-in.
    case signIn
    /// A network.
    case network
    /// A server that answers: there is a network, but no answer came over it.
    case silence
    /// Nothing: there is no such thing.
    case absence
    /// Something else.
    case failure
  }

  /// What would help.
  public var cause: Cause
  /// What happened, in a sentence.
  public var reason: String
  /// What to do about it, in a sentence.
  public var suggestion: String?

  /// Creates a reason.
  public init(cause: Cause, reason: String, suggestion: String? = nil) {
    self.cause = cause
    self.reason = reason
    self.suggestion = suggestion
  }
}
