/// What people want of a job; the last one they said counts.
public enum JobIntent: String, Hashable, Sendable, Codable, CaseIterable {
  /// It should run as soon as it can.
  case run
  /// It should stand still and keep what it has.
  case pause
  /// It should end, and what it has should go.
  case cancel
}
