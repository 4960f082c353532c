public import Foundation

/// A cache's knowledge of a tile.
public struct StoredTile: Hashable, Sendable {
  /// The bytes; `nil` where the server has said that there is no such tile.
  public var data: Data?
  /// What identifies its version to the server.
  public var entityTag: String?
  /// When the server says that it was changed last, in the server's words.
  public var lastModified: String?
  /// When it was fetched, or found to be unchanged.
  public var fetched: Date
  /// For how many seconds it is fresh, if the server has said so.
  public var lifetime: Double?
  /// Whether a region keeps it.
  public var isPinned = false

  /// Creates a record.
  public init(
    data: Data?, entityTag: String? = nil, lastModified: String? = nil, fetched: Date,
    lifetime: Double? = nil
  ) {
    self.data = data
    self.entityTag = entityTag
    self.lastModified = lastModified
    self.fetched = fetched
    self.lifetime = lifetime
  }

  /// The tile once the server has answered that it has not changed.
  func refreshed(by answer: StoredTile) -> StoredTile {
    var tile = self
    tile.fetched = answer.fetched
    tile.lifetime = answer.lifetime ?? lifetime
    return tile
  }
}
