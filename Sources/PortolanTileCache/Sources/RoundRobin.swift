internal import PortolanLocks

/// Sub-domains in turn, for as many callers at a time as there are.
///
/// The order is MapCache's, which begins with the second.
public final class RoundRobin: Sendable {
  private let subdomains: [String]
  private let index = Locked(0)

  /// Hands out `subdomains`.
  public init(_ subdomains: [String]) { self.subdomains = subdomains }

  /// The next sub-domain; `nil` if there is none.
  public func roundRobinSubdomain() -> String? {
    guard !subdomains.isEmpty else { return nil }
    let next = index.withLock { index in
      index = (index + 1) % subdomains.count
      return index
    }
    return subdomains[next]
  }
}
