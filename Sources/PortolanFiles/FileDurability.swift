/// The failures that a finished file must survive.
public enum FileDurability: Hashable, Sendable {
  /// A power cut: the file is synced before it takes its name, and its folder afterwards.
  case durable
  /// Nothing: the file is scratch, which this process reads and then removes.
  case scratch
}
