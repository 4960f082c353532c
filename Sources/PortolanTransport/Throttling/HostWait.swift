public import Foundation

/// A host that a request waits for: it asks clients to back off for a while, or did not answer.
public struct HostWait: Hashable, Sendable {
  /// The host, with its port where it is not the default one.
  public var host: String
  /// Since when the request waits.
  public var since: Date
  /// When it goes.
  public var until: Date

  /// Creates a wait.
  public init(host: String, since: Date, until: Date) {
    self.host = host
    self.since = since
    self.until = until
  }

  /// Whether both have the same wording for people.
  func isLike(_ other: HostWait) -> Bool {
    host == other.host && abs(until.timeIntervalSince(other.until)) < 1
  }
}
