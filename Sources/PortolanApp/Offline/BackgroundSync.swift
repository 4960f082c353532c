public import PortolanTransport

/// The condition under which stored maps are synchronized in the background.
public enum BackgroundSync: String, Hashable, Sendable, Codable, CaseIterable {
  /// Never.
  case off
  /// Whenever a network returns.
  case on
  /// On the return of a network that is not known to cost money, as a mobile one does.
  case unmetered

  /// Whether stored maps are synchronized when one thing is known of the network and then another.
  public func begins(from before: NetworkStatus, to now: NetworkStatus) -> Bool {
    !allows(before) && allows(now)
  }

  private func allows(_ status: NetworkStatus) -> Bool {
    guard case .online(let isMetered) = status else { return false }
    return switch self {
    case .off: false
    case .on: true
    case .unmetered: isMetered != true
    }
  }
}
