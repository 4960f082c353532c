/// A map that was brought back: from the trash, or to its version before the last update.
public struct RestoredMap: Hashable, Sendable, Codable, Identifiable {
  /// What it was brought back from.
  public enum Origin: Hashable, Sendable, Codable {
    /// It was deleted.
    case trash
    /// It was updated.
    case update
  }

  /// The id.
  public let id: String
  /// The title for people.
  public let title: String
  /// What it was brought back from.
  public let origin: Origin
}
