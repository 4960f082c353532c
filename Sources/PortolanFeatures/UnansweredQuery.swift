/// Why a query was not answered, for stores that ask a service.
public struct UnansweredQuery: Hashable, Sendable {
  /// The kind of remedy.
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

  /// The kind of remedy.
  public var cause: Cause
  /// The reason, in a sentence.
  public var reason: String
  /// The advice, in a sentence.
  public var suggestion: String?

  /// Creates a reason.
  public init(cause: Cause, reason: String, suggestion: String? = nil) {
    self.cause = cause
    self.reason = reason
    self.suggestion = suggestion
  }
}
