/// A question to the user: sign in, or let the requests fail.
public struct AuthenticationPrompt: Hashable, Sendable {
  /// The reason for a prompt.
  public enum Reason: Hashable, Sendable, Codable {
    /// No user is signed in there, and a request needs it.
    case signInNeeded
    /// The session has expired, or the portal has revoked its token.
    case expired
  }

  /// The portal to sign in to.
  public let portal: PortalURL
  /// The host of the request that waits, which may be another server of the portal.
  public let host: String
  /// The user who was signed in there.
  public let username: String?
  /// The reason for the prompt.
  public let reason: Reason

  /// Creates a prompt.
  public init(portal: PortalURL, host: String, username: String?, reason: Reason) {
    self.portal = portal
    self.host = host
    self.username = username
    self.reason = reason
  }
}
