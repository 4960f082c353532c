public import Foundation

extension URL {
  /// The host as people type it, an address of IPv6 between brackets; `nil` where there is none.
  public var shownHost: String? {
    host().map { $0.contains(":") && !$0.hasPrefix("[") ? "[\($0)]" : $0 }
  }

  /// The host as people type it, with the port where one is given.
  public var shownHostAndPort: String? {
    shownHost.map { host in port.map { "\(host):\($0)" } ?? host }
  }
}
