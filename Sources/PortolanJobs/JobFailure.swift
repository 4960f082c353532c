/// Why a job ended without its result.
public struct JobFailure: Error, Hashable, Sendable, Codable {
  /// The description, a sentence for people.
  public var message: String
  /// The advice, a sentence for people.
  public var advice: String?
  /// The kind of the failure.
  public var kind: JobFailureKind

  /// How many seconds the server asks clients to wait, if it says so.
  public var retryAfter: Double?

  /// Whether no server answered; `nil` if that was not noted.
  public var isUnanswered: Bool?

  /// The host that asks for a sign-in; `nil` if none does, or that was not noted.
  public var signInHost: String?

  /// Creates a failure.
  public init(
    message: String, advice: String? = nil, kind: JobFailureKind, retryAfter: Double? = nil
  ) {
    self.message = message
    self.advice = advice
    self.kind = kind
    self.retryAfter = retryAfter
  }
}

/// Kinds of failure, by their remedy.
public enum JobFailureKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// The thing is not there: 404.
  case absent
  /// Signing in, or another account, is needed: 401, 403, 498, 499.
  case signIn = "sign-in"
  /// The network or the server did not do; trying again later can help.
  case transient
  /// The data received are damaged, or not those requested.
  case damaged
  /// This device refuses: no free space, no right to write.
  case device
  /// The server refuses what was requested; the job does not ask again by itself.
  case refused
  /// Nothing has gone wrong: it is of a kind that is not taken.
  case excluded
}
