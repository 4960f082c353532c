/// The party whose tokens are valid at an address.
public enum DemoRealm: Hashable, Sendable, CaseIterable {
  /// The portal and the servers federated with it.
  case portal
  /// The server that keeps users of its own, under `/secured`.
  case secured
}
