public import Foundation

/// What the files of a map say about it, for a record that has to be rebuilt.
public struct MapDescription: Hashable, Sendable {
  /// Where it came from.
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
