/// The layers of a group.
public struct GroupContent: Hashable, Sendable {
  /// The layers, bottom first.
  public let layers: [Layer]
  /// The way in which visibility is handed down.
  public let visibilityMode: GroupVisibilityMode
}
