/// A condition outside the queue that has changed, so that waiting jobs check again.
public enum JobCondition: Hashable, Sendable, CaseIterable {
  /// A network is there, or another one than before.
  case network
  /// The user has signed in.
  case signIn
  /// There is more free space.
  case space
  /// A map is no longer being edited.
  case editing
}
