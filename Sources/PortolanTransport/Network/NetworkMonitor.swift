/// Watches whether there is a network.
public protocol NetworkMonitor: Sendable {
  /// The current status.
  var status: NetworkStatus { get }

  /// The status now, then each change; every call gives a stream of its own.
  ///
  /// A slow reader misses what has passed, never the last.
  func updates() -> AsyncStream<NetworkStatus>
}

/// A network that never changes, such as one that is to be left alone.
public struct FixedNetworkMonitor: NetworkMonitor {
  public let status: NetworkStatus

  /// Creates a monitor that always says `status`.
  public init(_ status: NetworkStatus) { self.status = status }

  public func updates() -> AsyncStream<NetworkStatus> {
    let status = status
    return AsyncStream { continuation in
      // It stays open: who waits for a network must not take the end for one.
      continuation.yield(status)
    }
  }
}
