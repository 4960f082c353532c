public import Foundation

/// The rate and the time left of a job, computed from its reported progress.
///
/// A value: give it each progress with its time. Only the last seconds count, so that a pause or a
/// faster network shows soon; a clock that is put back starts over.
public struct JobPace: Hashable, Sendable {
  private struct Sample: Hashable, Sendable {
    let time: Date
    let bytes: Int
  }

  /// The seconds that count.
  private static let window = 10.0

  /// The least seconds between two samples that say something.
  private static let least = 0.5

  private var samples: [Sample] = []
  private var last: JobProgress?

  /// Creates a pace of which nothing is known.
  public init() {}

  /// Records the job's progress at a time.
  public mutating func add(_ progress: JobProgress, at time: Date) {
    // After a pause or a resume, what was before says nothing of the pace now.
    if let newest = samples.last,
      time < newest.time || progress.bytes < newest.bytes
        || time.timeIntervalSince(newest.time) > Self.window
    {
      samples = []
    }
    last = progress
    // Reports in quick succession are one.
    if let newest = samples.last, samples.count > 1,
      time.timeIntervalSince(newest.time) < Self.least / 2
    {
      samples.removeLast()
    }
    samples.append(Sample(time: time, bytes: progress.bytes))
    while samples.count > 2, time.timeIntervalSince(samples[1].time) >= Self.window {
      samples.removeFirst()
    }
  }

  /// Bytes in a second; `nil` until enough is known.
  public var bytesPerSecond: Double? {
    guard let first = samples.first, let newest = samples.last else { return nil }
    let seconds = newest.time.timeIntervalSince(first.time)
    guard seconds >= Self.least else { return nil }
    return Double(newest.bytes - first.bytes) / seconds
  }

  /// Seconds until all bytes are here; `nil` while the whole or the rate is not known, and when
  /// nothing moves.
  public var remainingSeconds: Double? {
    guard let last, last.isTotalExact, let total = last.totalBytes, let rate = bytesPerSecond,
      rate > 0
    else { return nil }
    return Double(max(total - last.bytes, 0)) / rate
  }
}
