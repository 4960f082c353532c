/// What the user, or the app for them, does about a prompt.
public enum AuthenticationAnswer: Hashable, Sendable {
  /// They have signed in at the prompt's portal.
  case signedIn
  /// The user cancelled.
  case cancelled
}
