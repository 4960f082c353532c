internal import Foundation
internal import Synchronization

/// Kills children in several homes side by side, each with a seed of its own.
public struct CrashRuns: Sendable {
  private let settings: CrashSettings
  private let count: Int
  private let tell: @Sendable (Int) -> Void

  /// Prepares runs.
  ///
  /// - Parameters:
  ///   - settings: What is to be done in all; the homes have the seeds from that one on.
  ///   - count: How many homes.
  ///   - tell: Called after each kill with how many there have been.
  public init(
    _ settings: CrashSettings, homes count: Int, tell: @escaping @Sendable (Int) -> Void
  ) {
    self.settings = settings
    self.count = max(count, 1)
    self.tell = tell
  }

  /// Kills as often as wanted; a home in which something must not be so is left as it is.
  ///
  /// - Throws: An error if a portal does not start, or a file cannot be written.
  public func run() async throws -> CrashReport {
    let start = ContinuousClock.now
    let kills = KillCounter()
    var report = CrashReport()
    try await withThrowingTaskGroup(of: CrashReport.self) { group in
      for index in 0..<count {
        group.addTask {
          var run = try await CrashRun(settings(of: index)) { tell(kills.next()) }
          return try await run.run()
        }
      }
      for try await part in group { report.add(part) }
    }
    report.seeds = (0..<count).map { settings(of: $0).seed }
    report.judge()
    report.seconds = (ContinuousClock.now - start) / .seconds(1)
    return report
  }

  private func settings(of index: Int) -> CrashSettings {
    var part = settings
    part.seed = settings.seed &+ UInt64(index)
    part.kills = settings.kills * (index + 1) / count - settings.kills * index / count
    part.folder = settings.folder.appending(path: "seed-\(part.seed)")
    return part
  }
}

/// Counts the kills in all homes.
private final class KillCounter: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
