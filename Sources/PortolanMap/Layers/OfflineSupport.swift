/// Whether a layer can be used without a network.
public enum OfflineSupport: Hashable, Sendable {
  /// The layer is in a package, or of a kind that services hand out; whether its own service does
  /// so is for the service to say.
  case supported
  /// The layer cannot be used; the reason is a sentence for people.
  case unsupported(reason: String)

  /// Whether the layer can be used.
  public var isSupported: Bool { self == .supported }

  /// The reason why the layer cannot be used, if so.
  public var reason: String? {
    if case .unsupported(let reason) = self { reason } else { nil }
  }
}
