public import Foundation

/// Something that happened in a job, for its log.
public struct JobMessage: Hashable, Sendable, Codable {
  /// How much it matters.
  public enum Severity: String, Hashable, Sendable, Codable, CaseIterable {
    case info
    case warning
    case error
  }

  /// When it happened.
  public var time: Date
  /// How much it matters.
  public var severity: Severity
  /// What happened, a sentence for people, without secrets.
  public var text: String

  /// Creates a message.
  public init(time: Date, severity: Severity = .info, text: String) {
    self.time = time
    self.severity = severity
    self.text = text
  }
}
