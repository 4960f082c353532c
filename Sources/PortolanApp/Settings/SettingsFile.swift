public import Foundation

/// Stores settings between runs.
public protocol SettingsFile: Sendable {
  /// The path, for messages.
  var place: String { get }

  /// The contents; `nil` if nothing was ever stored.
  func read() throws -> Data?

  /// Replaces the contents, whole or not at all.
  func write(_ data: Data) throws

  /// Reads and writes the contents while nobody else does, in this process or another one.
  ///
  /// - Throws: What `change` throws, and a problem if somebody else does so all the time.
  @concurrent func exclusively(_ change: @Sendable () throws -> Void) async throws
}
