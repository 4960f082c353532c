public import Foundation

/// A host that a request waits for: it asks clients to back off for a while, or did not answer.
public struct HostWait: Hashable, Sendable {
  /// The host, with its port where it is not the default one.
  public var host: String
  /// Since when the request waits.
  public var since: Date
  /// When it goes.
  public var until: Date
  /// Since when the host is asked again and again, with pauses of which this is the latest; otherwise the
  /// same as ``since``.
  public var begun: Date

  /// Creates a wait.
  public init(host: String, since: Date, until: Date, begun: Date? = nil) {
    self.host = host
    self.since = since
    self.until = until
    self.begun = begun ?? since
  }

  /// Whether both have the same wording for people.
  func isLike(_ other: HostWait) -> Bool {
    host == other.host && abs(until.timeIntervalSince(other.until)) < 1
  }
}
