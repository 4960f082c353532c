/// Something outside of the queue that has changed, so that jobs that wait for it look again.
public enum JobCondition: Hashable, Sendable, CaseIterable {
  /// A network is there, or another one than before.
  case network
  /// Somebody has signed in.
  case signIn
  /// There is more free space.
  case space
  /// Nobody edits a map any more.
  case editing
}
