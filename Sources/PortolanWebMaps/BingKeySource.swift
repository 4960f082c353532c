/// The source of the Bing Maps key for maps with such layers.
public protocol BingKeySource: Sendable {
  /// The key, or `nil` if there is none.
  func bingKey() async -> String?
}

/// The key that settings hold, or none.
public struct FixedBingKey: BingKeySource {
  private let key: String?

  /// Creates a source that always gives `key`.
  public init(_ key: String?) { self.key = key }

  public func bingKey() -> String? { key }
}
