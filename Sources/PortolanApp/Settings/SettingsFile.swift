public import Foundation

/// Stores settings between runs.
public protocol SettingsFile: Sendable {
  /// Where that is, for messages.
  var place: String { get }

  /// The contents; `nil` if nothing was ever stored.
  func read() throws -> Data?

  /// Replaces the contents, whole or not at all.
  func write(_ data: Data) throws
}
