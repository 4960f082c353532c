/// What the user, or the app for them, does about a prompt.
public enum AuthenticationAnswer: Hashable, Sendable {
  /// They have signed in at the prompt's portal.
  case signedIn
  /// The user cancelled.
  case cancelled
}

/// An app that can ask the user to sign in while requests wait.
public protocol AuthenticationPrompting: Sendable {
  /// Asks, and returns when the user has signed in through ``AuthenticationManager`` or does not
  /// want to.
  ///
  /// The task is cancelled when no request waits any more.
  func answer(_ prompt: AuthenticationPrompt) async -> AuthenticationAnswer
}

/// Answers every prompt with a cancellation, where no user can be asked.
public struct NoAuthenticationPrompts: AuthenticationPrompting {
  /// Creates it.
  public init() {}

  public func answer(_ prompt: AuthenticationPrompt) async -> AuthenticationAnswer { .cancelled }
}
