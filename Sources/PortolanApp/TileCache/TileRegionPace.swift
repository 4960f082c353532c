internal import Foundation
internal import PortolanJobs
internal import PortolanTileCache

/// The speed of a region's download.
struct TileRegionPace: Sendable {
  private var tiles = JobPace()
  private var bytes = JobPace()

  /// Takes in how far it is at a time.
  mutating func add(_ progress: RegionProgress, at time: Date) {
    tiles.add(
      JobProgress(
        bytes: progress.checked ?? progress.done, totalBytes: progress.planned - progress.failed,
        isTotalExact: true), at: time)
    bytes.add(JobProgress(bytes: progress.byteCount), at: time)
  }

  /// The current pace.
  var pace: TileRegionSummary.Pace {
    TileRegionSummary.Pace(
      tilesPerSecond: tiles.bytesPerSecond, bytesPerSecond: bytes.bytesPerSecond,
      remainingSeconds: tiles.remainingSeconds)
  }
}
