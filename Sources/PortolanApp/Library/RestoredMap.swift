/// A map that was restored: from the trash, from what was set aside, to its version before the last
/// update, or to that update.
public struct RestoredMap: Hashable, Sendable, Codable, Identifiable {
  /// The place from which it was restored.
  public enum Origin: Hashable, Sendable, Codable {
    /// It was deleted.
    case trash
    /// It was set aside.
    case kept
    /// It was updated.
    case update
    /// It was rolled back: its update is the one that is used again.
    case rollback
  }

  /// The id.
  public let id: String
  /// The title for people.
  public let title: String
  /// The place from which it was restored.
  public let origin: Origin
}
