public import Foundation
public import PortolanJobs

/// A region of tiles: its size, and its progress.
public struct TileRegionSummary: Hashable, Sendable, Codable, Identifiable {
  /// The status of a region.
  public enum Status: String, Hashable, Sendable, Codable, CaseIterable {
    /// It is being downloaded, here or by another process.
    case downloading
    /// It is being asked for changes.
    case updating
    /// The process that worked on it has ended before it was done.
    case interrupted
    /// It was paused, or something keeps it from continuing.
    case paused
    /// All of it is there.
    case complete
    /// All of it is there but for what failed.
    case partlyComplete
    /// The source has said of every tile that there is none.
    case empty
    /// A file is being read into it.
    case importing
    /// It is being deleted, or was when its process ended.
    case deleting
  }

  /// The numbers of its tiles by their state; the figures always add up to the plan.
  public struct Counts: Hashable, Sendable, Codable {
    /// The number of tiles that it takes.
    public var planned: Int
    /// The number of tiles that are here.
    public var stored: Int
    /// The number of tiles that the server does not have.
    public var absent: Int
    /// The number of tiles that are blank, and were left out.
    public var blank: Int
    /// The number of tiles that failed.
    public var failed: Int
    /// The number of tiles that are still to come.
    public var remaining: Int
    /// The number of tiles that are here, and could not be checked for changes.
    public var failedUpdates: Int
    /// The number of tiles that the current update has checked; `nil` outside of one.
    public var checked: Int?

    /// The number of tiles that are done.
    public var done: Int { stored + absent + blank }
  }

  /// The pace of a download.
  public struct Pace: Hashable, Sendable, Codable {
    /// Tiles in a second.
    public var tilesPerSecond: Double?
    /// Bytes in a second.
    public var bytesPerSecond: Double?
    /// Seconds until all is here.
    public var remainingSeconds: Double?
  }

  /// Its number in the cache.
  public let id: Int64
  /// Its name.
  public var name: String
  /// The name of its source.
  public var source: String
  /// The extent.
  public var extent: TileRegionExtent
  /// The levels.
  public var levels: ClosedRange<Int>
  /// The status of the region.
  public var status: Status
  /// The numbers of its tiles by their state.
  public var counts: Counts
  /// The bytes of its tiles that are here.
  public var byteCount: Int
  /// The bytes of blank tiles that were left out.
  public var savedByteCount: Int
  /// Whether it came from a file, so that there is no server to ask for more.
  public var isImported: Bool
  /// Whether blank tiles are left out.
  public var skipsBlank: Bool
  /// The date of creation.
  public var created: Date
  /// The date at which it was complete last, or was found to be unchanged.
  public var updated: Date?
  /// The reason why it is paused, unless the user did so.
  public var reason: String?
  /// The pace of its download; `nil` where this process does not work on it.
  public var pace: Pace?
  /// The host that its requests wait for, as far as this process works on it.
  public var hostWait: JobHostWait?

  /// The part that is done, from 0 to 1.
  public var fraction: Double {
    guard counts.planned > 0 else { return 1 }
    return Double(counts.checked ?? counts.done) / Double(counts.planned)
  }

  /// Whether it is being downloaded or updated.
  public var isUnderWay: Bool { status == .downloading || status == .updating }

  /// Whether it can be paused.
  public var canPause: Bool { isUnderWay }

  /// Whether what is missing can be requested.
  public var canResume: Bool {
    !isImported && (status == .paused || status == .interrupted) && counts.remaining > 0
  }

  /// Whether what failed can be asked for again.
  public var canRetry: Bool {
    !isImported && isAtRest && counts.failed + counts.failedUpdates > 0
  }

  /// Whether it can be asked whether its tiles have changed.
  public var canUpdate: Bool { !isImported && isAtRest }

  /// Whether it can be deleted.
  public var canDelete: Bool { !isUnderWay && status != .importing }

  /// Whether it can be written to a file.
  public var canExport: Bool {
    counts.stored > 0 && isAtRest
  }

  /// Whether it is not being changed.
  private var isAtRest: Bool { !isUnderWay && status != .deleting && status != .importing }
}
