public import Foundation

/// A host that a running job waits for: it asks clients to back off for a while, or did not answer.
public struct JobHostWait: Hashable, Sendable, Codable {
  /// The host.
  public var host: String
  /// Since when the job waits.
  public var since: Date
  /// When it continues.
  public var until: Date

  /// Creates a wait.
  public init(host: String, since: Date, until: Date) {
    self.host = host
    self.since = since
    self.until = until
  }

  /// How long it waits, in seconds.
  public var seconds: Double { max(until.timeIntervalSince(since), 0) }
}
