internal import Foundation

/// Refuses requests at once while there is no network, and says so of those that it ends.
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
    guard mayReach(request.url) else { throw .offline }
    do throws(TransportError) {
      return try await base.send(request, into: sink)
    } catch {
      // If the network went down, an interrupted request is not the fault of the server; but one
      // that must not be sent twice may have been carried out.
      let isWithoutEffect = request.isRepeatable || error.isBeforeArrival
      guard error.isTransient, isWithoutEffect, !mayReach(request.url) else { throw error }
      throw .offline
    }
  }

  private func mayReach(_ url: URL) -> Bool {
    switch monitor.status {
    case .online: true
    case .offline(.asked): false
    case .offline(.notConnected): url.isOnThisMachine
    }
  }
}

extension TransportError {
  /// Whether the request has certainly not arrived.
  fileprivate var isBeforeArrival: Bool {
    switch self {
    case .offline, .unknownHost, .unreachable, .timedOut(_, phase: .connect): true
    default: false
    }
  }
}
