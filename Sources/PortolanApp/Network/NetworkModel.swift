public import Observation
public import PortolanTransport

/// Whether there is a network, for every screen that shows it.
@MainActor
@Observable
public final class NetworkModel {
  /// The current state; observe this.
  public private(set) var state: NetworkStatus

  /// Whether there is a network.
  public var isOnline: Bool { state.isOnline }

  @ObservationIgnored private let monitor: any NetworkMonitor

  /// Creates the model with what the monitor says now.
  public init(monitor: any NetworkMonitor) {
    self.monitor = monitor
    state = monitor.status
  }

  /// Looks once more.
  public func refresh() { state = monitor.status }

  /// Follows every change until the task is cancelled.
  ///
  /// - Parameter report: Called with the status now, then with each change.
  public func watch(_ report: (NetworkStatus) -> Void = { _ in }) async {
    for await status in monitor.updates() {
      state = status
      report(status)
    }
  }
}
