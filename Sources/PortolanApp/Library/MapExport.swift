/// A stored map that was written into a file.
public struct MapExport: Hashable, Sendable, Codable, Identifiable {
  /// The id of the map.
  public let id: String
  /// Its title.
  public let title: String
  /// The path of the file.
  public let file: String
  /// The bytes in the file.
  public let byteCount: Int
  /// The damage to it, a sentence each; `nil` if the map is as it was stored.
  public var damage: String?
  /// The number of unsent edits in it; `nil` where they cannot be counted.
  public var unsentEdits: Int? = 0
}
