/// What a child is told to do to a home until it is killed.
public enum CrashAct: String, Sendable, CaseIterable {
  /// Take an area offline that is not there.
  case download
  /// Take a newer version of an area offline.
  case update
  /// Delete a map.
  case delete
  /// Take a map back from the trash.
  case undo
  /// Remove for good what is in the trash.
  case empty
  /// Look for what is not as it should be, and repair it.
  case repair
}
