/// The user's latest request for a job.
public enum JobIntent: String, Hashable, Sendable, Codable, CaseIterable {
  /// It should run as soon as it can.
  case run
  /// It should pause and keep what it has.
  case pause
  /// It should end, and what it has should go.
  case cancel
}
