/// Whether this machine can reach others.
public enum NetworkStatus: Hashable, Sendable, Codable {
  /// There is a network, or nothing is known that says otherwise.
  ///
  /// `isMetered` tells whether bytes cost money there, as on a mobile network; `nil` where that
  /// is not known.
  case online(isMetered: Bool?)

  /// There is none.
  case offline(Reason)

  /// Why there is no network.
  public enum Reason: String, Hashable, Sendable, Codable {
    /// No interface is up that leads to other machines. This machine itself can be reached.
    case notConnected
    /// Portolan was asked to behave as if there were none, for this machine too.
    case asked
  }

  /// Whether others may be reached.
  public var isOnline: Bool {
    switch self {
    case .online: true
    case .offline: false
    }
  }
}
