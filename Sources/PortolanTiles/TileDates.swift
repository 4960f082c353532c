public import Foundation

/// The dates on which the tiles of a source were fetched: each date counts from a tile on, in the
/// order of their addresses, until the next.
///
/// Dates are kept to the minute, rounded up, and where there are very many different ones to the hour, to the day or as one:
/// no tile is said to be older than it is.
public struct TileDates: Hashable, Sendable {
  /// The name of the entry that files of tiles have for it in their metadata.
  public static let entryName = "portolan_tile_dates"
  /// How many dates there are at most.
  private static let mostRuns = 50_000
  /// The minutes that dates are rounded to, the finest first.
  private static let steps = [1, 60, 1_440]
  /// Dates further from 1970 are none, in minutes: some thousand years.
  private static let greatestMinutes = 1_000_000_000

  private struct Run: Hashable, Sendable {
    let start: TileID
    var minutes: Int
  }

  private var runs: [Run] = []
  /// Which of the steps dates are rounded to; beyond the last there is one for all.
  private var step = 0

  /// Creates no dates.
  public init() {}

  /// Whether there are none.
  public var isEmpty: Bool { runs.isEmpty }

  /// The earliest; `nil` if there is none.
  public var oldest: Date? { runs.map(\.minutes).min().map(Self.date) }

  /// Adds the date of a tile, which follows all before.
  public mutating func append(_ id: TileID, _ date: Date) {
    let exact = (date.timeIntervalSince1970 / 60).rounded(.up)
    guard exact.isFinite, abs(exact) < Double(Self.greatestMinutes) else { return }
    guard step < Self.steps.count else {
      runs[0].minutes = max(runs[0].minutes, Int(exact))
      return
    }
    let minutes = Self.rounded(Int(exact), to: Self.steps[step])
    if let last = runs.last {
      guard last.start < id, last.minutes != minutes else { return }
    }
    runs.append(Run(start: id, minutes: minutes))
    while runs.count > Self.mostRuns { coarsen() }
  }

  private mutating func coarsen() {
    step += 1
    guard step < Self.steps.count else {
      runs = [Run(start: runs[0].start, minutes: runs.map(\.minutes).max() ?? 0)]
      return
    }
    var coarse: [Run] = []
    for run in runs {
      let minutes = Self.rounded(run.minutes, to: Self.steps[step])
      if coarse.last?.minutes != minutes { coarse.append(Run(start: run.start, minutes: minutes)) }
    }
    runs = coarse
  }

  private static func rounded(_ minutes: Int, to step: Int) -> Int {
    let rest = minutes % step
    return rest == 0 ? minutes : minutes - rest + (rest > 0 ? step : 0)
  }

  private static func date(_ minutes: Int) -> Date {
    Date(timeIntervalSince1970: Double(minutes) * 60)
  }

  /// When a tile was fetched at the latest; `nil` if that is not known.
  public func date(of id: TileID) -> Date? {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if id < runs[middle].start { high = middle } else { low = middle + 1 }
    }
    return low > 0 ? Self.date(runs[low - 1].minutes) : nil
  }

  // MARK: - As a text

  /// The dates as a text: `level/column/row:minutes` for each, with the minutes since 1970, and a comma between them.
  public var text: String {
    runs.map { "\($0.start.address):\($0.minutes)" }.joined(separator: ",")
  }

  /// The tiles at which dates change.
  public var starts: [TileID] { runs.map(\.start) }

  /// Reads a text; `nil` if it is none of dates.
  public init?(_ text: String) {
    for part in text.split(separator: ",") {
      let numbers = part.split { $0 == "/" || $0 == ":" }.compactMap { Int($0) }
      guard numbers.count == 4, runs.count < Self.mostRuns,
        (-Self.greatestMinutes...Self.greatestMinutes).contains(numbers[3])
      else { return nil }
      let start = TileID(level: numbers[0], row: numbers[2], column: numbers[1])
      if let last = runs.last, start <= last.start { return nil }
      runs.append(Run(start: start, minutes: numbers[3]))
    }
    guard !runs.isEmpty else { return nil }
  }
}

/// A source that knows when its tiles were fetched.
public protocol DatedTileSource: TileSource {
  /// The dates; `nil` if none is known.
  @concurrent func tileDates() async throws(TileError) -> TileDates?
}
