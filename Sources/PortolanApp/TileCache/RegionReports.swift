internal import PortolanJobs
internal import PortolanLocks
internal import PortolanTileCache
internal import PortolanTransport

/// The latest report of a region's download: its progress, and which host it waits for.
final class RegionReports: Sendable {
  /// Observes its requests.
  let observer: HostWaitObserver

  private let progress = Locked<RegionProgress?>(nil)
  private let hasChanged: @Sendable () -> Void

  /// Creates reports of which there is nothing yet; `hasChanged` is called with each.
  init(_ hasChanged: @escaping @Sendable () -> Void) {
    self.hasChanged = hasChanged
    observer = HostWaitObserver(hasChanged)
  }

  /// Takes in how far it is.
  func note(_ latest: RegionProgress) {
    progress.withLock { $0 = latest }
    hasChanged()
  }

  /// The progress, once; `nil` without a report since.
  func takeProgress() -> RegionProgress? { progress.withLock { $0.take() } }

  /// The host that it waits for.
  var hostWait: JobHostWait? {
    observer.wait.map { JobHostWait(host: $0.host, since: $0.since, until: $0.until) }
  }
}
