public import Foundation
public import PortolanJobs
internal import PortolanOffline

/// The purpose of a job, as users distinguish jobs.
public enum JobPurpose: String, Hashable, Sendable, Codable, CaseIterable {
  /// A map that was not on this device is downloaded.
  case download
  /// A map that is on this device is downloaded once more.
  case update
  /// An area that the user drew is taken offline.
  case takeOffline = "take offline"
  /// A map is synchronized with its services.
  case synchronization = "sync"
  /// Tiles of a service are exported into a file.
  case tileExport = "export tiles"
  /// Something that only another version of Portolan knows.
  case unknown
}

extension Job {
  /// The purpose of the job.
  ///
  /// - Parameter installed: When the map that it is about was stored on this device; `nil` if it is not.
  /// - Returns: What it is for; an update that is over counts as the download that it was.
  public func purpose(ofMapStored installed: Date?) -> JobPurpose {
    if isSync { return .synchronization }
    if isTileExport { return .tileExport }
    guard OfflineJobKind.all.contains(where: { $0.id == kind }) else { return .unknown }
    if let installed, installed < created { return .update }
    return kind == OfflineJobKind.onDemandMap.id ? .takeOffline : .download
  }
}

extension Job {
  /// Whether it is done in part, and a retry may fetch something of what it lacks: not what is left
  /// out by its nature, nor what a service refuses to synchronize.
  public var canRetryFailures: Bool {
    state.canSettleFailures
      && failedItems.contains { $0.isFailure && !(isSync && $0.failure.kind == .refused) }
  }
}
