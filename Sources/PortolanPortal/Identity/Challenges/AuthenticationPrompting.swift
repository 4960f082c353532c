/// An app that can ask the user to sign in while requests wait.
public protocol AuthenticationPrompting: Sendable {
  /// Asks, and returns when the user has signed in through ``AuthenticationManager`` or does not
  /// want to.
  ///
  /// The task is cancelled when no request waits any more.
  func answer(_ prompt: AuthenticationPrompt) async -> AuthenticationAnswer
}
