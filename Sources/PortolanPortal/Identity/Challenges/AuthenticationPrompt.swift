/// A question to the person: sign in, or let the requests fail.
public struct AuthenticationPrompt: Hashable, Sendable {
  /// Why it is asked.
  public enum Reason: Hashable, Sendable, Codable {
    /// Nobody is signed in there, and something needs it.
    case signInNeeded
    /// The sign-in has run out, or the portal takes its token back.
    case expired
  }

  /// Where to sign in.
  public let portal: PortalURL
  /// The host of the request that waits, which may be another server of the portal.
  public let host: String
  /// Who was signed in there.
  public let username: String?
  /// Why it is asked.
  public let reason: Reason

  /// Creates a prompt.
  public init(portal: PortalURL, host: String, username: String?, reason: Reason) {
    self.portal = portal
    self.host = host
    self.username = username
    self.reason = reason
  }
}

/// What the person, or the app for them, does about a prompt.
public enum AuthenticationAnswer: Hashable, Sendable {
  /// They have signed in at the prompt's portal.
  case signedIn
  /// The user cancelled.
  case cancelled
}

/// An app that can ask the person to sign in while requests wait.
public protocol AuthenticationPrompting: Sendable {
  /// Asks, and returns when the person has signed in through ``AuthenticationManager`` or does not
  /// want to.
  ///
  /// The task is cancelled when no request waits any more.
  func answer(_ prompt: AuthenticationPrompt) async -> AuthenticationAnswer
}

/// There is no user who could be asked.
public struct NoAuthenticationPrompts: AuthenticationPrompting {
  /// Creates it.
  public init() {}

  public func answer(_ prompt: AuthenticationPrompt) async -> AuthenticationAnswer { .cancelled }
}
