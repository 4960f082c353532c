/// Answers every prompt with a cancellation, where no user can be asked.
public struct NoAuthenticationPrompts: AuthenticationPrompting {
  /// Creates it.
  public init() {}

  public func answer(_ prompt: AuthenticationPrompt) async -> AuthenticationAnswer { .cancelled }
}
