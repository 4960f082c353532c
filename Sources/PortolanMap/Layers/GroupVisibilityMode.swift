/// The relation between the visibility of a group and that of its layers.
public enum GroupVisibilityMode: String, Hashable, Sendable {
  /// Each layer is switched on its own, and shown if the group is.
  case independent
  /// The layers are shown and hidden with the group.
  case inherited
  /// One layer at a time is switched on.
  case exclusive
}
