/// The layers of a group.
public struct GroupContent: Hashable, Sendable {
  /// The layers, bottom first.
  public let layers: [Layer]
  /// How visibility is handed down.
  public let visibilityMode: GroupVisibilityMode
}
