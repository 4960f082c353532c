public import Foundation
internal import PortolanJSON
public import PortolanTiles

/// A region in a cache: its definition, and its progress.
public struct CachedRegion: Hashable, Sendable, Identifiable {
  /// How far a region is.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// Some of its tiles are still to be loaded; no process is working on it, or one that has died
    /// was.
    case paused
    /// It is being loaded, or was when its process died.
    case downloading
    /// All of it is there, but for what failed.
    case finished
    /// It is being checked for changes, or was when its process died.
    case updating
    /// A file is being read into it, or was when its process died; then it goes.
    case importing
    /// It is being deleted, or was when its process died.
    case deleting
  }

  /// Its number in the cache.
  public let id: Int64
  /// Its name.
  public var name: String
  /// The name of its source; "unknown source" and its number where that is no longer known.
  public var source: String
  /// Which tiles it takes.
  public var plan: RegionPlan
  /// Whether tiles that are blank, such as sea, are left out.
  public var skipsBlank: Bool
  /// Which tile of the source counts as blank; that of the Arctic Ocean at the antimeridian if `nil`.
  public var blankTile: TileID?
  /// Whether it is what a file held, or its source is no longer known, so that there is no server
  /// for more.
  public var isImported = false
  /// Whether it is what a file held: it takes what it has, and more with each file that is merged into it.
  var isOfFile = false
  /// How far it is.
  public var state: State
  /// When it was made.
  public var created: Date
  /// When it was complete last, or was found to be unchanged.
  public var updated: Date?
  /// How many of its tiles are in which state.
  public var progress: RegionProgress
  /// Why it was paused, unless the user did so.
  public var reason: String?

  /// Whether it is being made or removed, or was when its process died: then it goes.
  var isHalfThere: Bool { state == .importing || state == .deleting }
}

/// The numbers of a region's tiles by state.
///
/// The figures always add up to the plan.
public struct RegionProgress: Hashable, Sendable {
  /// How many tiles it takes.
  public var planned: Int
  /// How many are in the cache.
  public var stored = 0
  /// How many the server does not have.
  public var absent = 0
  /// How many are blank, and were left out.
  public var blank = 0
  /// How many are not there and failed last time.
  public var failed = 0
  /// How many are there, and could not be asked whether they have changed.
  public var failedUpdates = 0
  /// The bytes of those in the cache.
  public var byteCount = 0
  /// The bytes of blank tiles that were left out.
  public var savedByteCount = 0
  /// How many tiles of an update were looked at; `nil` outside of one.
  public var checked: Int?

  /// Creates the figures of a region of which nothing is there.
  public init(planned: Int) { self.planned = planned }

  /// How many tiles are done.
  public var done: Int { stored + absent + blank }

  /// How many tiles have not been tried yet.
  public var remaining: Int { max(0, planned - done - failed) }

  /// The part that is done, from 0 to 1.
  public var fraction: Double {
    guard planned > 0 else { return 1 }
    return Double(checked ?? done) / Double(planned)
  }

  /// Whether the server has none of its tiles: rather is something wrong with the address or the levels
  /// than that nothing lies there.
  public var isEmpty: Bool { planned > 0 && absent == planned }

  /// Whether all is done.
  public var isComplete: Bool { done == planned }
}
