/// The consequences of deleting a map.
public struct MapDeletion: Hashable, Sendable, Codable {
  /// The id.
  public let id: String
  /// The title for people.
  public let title: String
  /// The bytes that are free once the trash is emptied.
  public let byteCount: Int
  /// The number of unsent edits that are deleted; `nil` where they cannot be counted.
  public let unsentEdits: Int?
}
