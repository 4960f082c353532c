internal import Foundation

/// Refuses requests at once while there is no network.
public struct OfflineGate: HTTPTransport {
  private let base: any HTTPTransport
  private let monitor: any NetworkMonitor

  /// Wraps `base`, which is asked only while `monitor` says that the host may be reached.
  public init(_ base: any HTTPTransport, monitor: any NetworkMonitor) {
    self.base = base
    self.monitor = monitor
  }

  public func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    switch monitor.status {
    case .online: break
    case .offline(.asked): throw .offline
    case .offline(.notConnected): guard request.url.isOnThisMachine else { throw .offline }
    }
    return try await base.send(request, into: sink)
  }
}
