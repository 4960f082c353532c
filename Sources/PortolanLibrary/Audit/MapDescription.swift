public import Foundation

/// The description of a map that its files contain, for a record that has to be rebuilt.
public struct MapDescription: Hashable, Sendable {
  /// The origin.
  public var origin: StoredMap.Origin
  /// One or two sentences on it.
  public var summary: String?
  /// The portal that it came from.
  public var portal: URL?

  /// Creates a description.
  public init(origin: StoredMap.Origin, summary: String? = nil, portal: URL? = nil) {
    self.origin = origin
    self.summary = summary
    self.portal = portal
  }
}
