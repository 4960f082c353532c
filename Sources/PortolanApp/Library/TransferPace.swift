public import Foundation
public import PortolanJobs

/// How fast a job gets on, measured from what it reports.
public struct TransferPace: Hashable, Sendable {
  private struct Sample: Hashable {
    var time: Date
    var bytes: Int
  }

  /// What is older says little about how it goes now, in seconds.
  private static let window: TimeInterval = 10

  private var samples: [Sample] = []

  /// Creates a pace that nothing is known of.
  public init() {}

  /// Takes note of how far a job is; only running jobs have a pace.
  public mutating func note(_ job: Job) {
    guard job.state == .running else {
      samples = []
      return
    }
    let sample = Sample(time: job.updated, bytes: job.progress.bytes)
    // Clocks may be set back.
    if let last = samples.last, last.time > sample.time { samples = [] }
    if samples.last != sample { samples.append(sample) }
    let start = sample.time.addingTimeInterval(-Self.window)
    while samples.count > 2, samples[1].time < start { samples.removeFirst() }
  }

  /// Bytes a second; `nil` before there is something to tell.
  public var bytesPerSecond: Double? {
    guard let first = samples.first, let last = samples.last else { return nil }
    let seconds = last.time.timeIntervalSince(first.time)
    guard seconds >= 0.2, last.bytes > first.bytes else { return nil }
    return Double(last.bytes - first.bytes) / seconds
  }

  /// How many seconds are left at this pace; `nil` while nobody can tell.
  public func secondsLeft(of progress: JobProgress) -> TimeInterval? {
    guard let rate = bytesPerSecond, progress.isTotalExact, let total = progress.totalBytes,
      total > progress.bytes
    else { return nil }
    return Double(total - progress.bytes) / rate
  }
}
