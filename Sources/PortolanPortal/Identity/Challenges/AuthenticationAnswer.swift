/// The response of the user, or of the app for them, to a prompt.
public enum AuthenticationAnswer: Hashable, Sendable {
  /// They have signed in at the prompt's portal.
  case signedIn
  /// The user cancelled.
  case cancelled
}
