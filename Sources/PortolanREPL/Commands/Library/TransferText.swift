internal import Foundation
internal import PortolanApp
internal import PortolanJobs

/// The progress of a job, as text.
enum TransferText {
  /// The extent of the progress: `45 %, 4.5 of 10 MB`.
  static func extent(_ progress: JobProgress) -> String {
    let share = progress.fraction.map { "\(Int($0 * 100)) %" }
    return [share, bytes(progress)].compactMap(\.self).joined(separator: ", ")
  }

  /// The bytes that are here, and all of them where that is known.
  private static func bytes(_ progress: JobProgress) -> String? {
    let done = ByteCount.text(progress.bytes)
    guard let total = progress.totalBytes, total > 0 else {
      return progress.bytes > 0 ? done : nil
    }
    let all = ByteCount.text(total)
    if progress.isVerified { return all }
    return progress.isTotalExact ? "\(done) of \(all)" : "\(done) of at least \(all)"
  }

  /// A passing line with a bar, the bytes, the rate and the time that is left.
  static func line(_ job: Job, pace: JobListModel.Pace?) -> String {
    let bar = job.progress.fraction.map { Self.bar($0) + " " } ?? ""
    var parts = [extent(job.progress)]
    if let wait = job.hostWait {
      parts.append(waiting(for: wait))
    } else if job.state == .running {
      if let rate = pace?.bytesPerSecond, rate >= 1 {
        parts.append("\(ByteCount.text(Int(rate)))/s")
      }
      if let seconds = pace?.secondsLeft { parts.append("\(time(seconds)) left") }
    } else {
      parts.append(JobText.sentence(job))
    }
    let text = parts.filter { !$0.isEmpty }.joined(separator: ", ")
    return "\(job.title)  \(bar)\(text.isEmpty ? "starting" : text)"
  }

  /// The host that is waited for, and how long: `waiting for tiles.example.com, 12 s`.
  static func waiting(for wait: JobHostWait) -> String {
    "waiting for \(wait.host), \(time(wait.seconds))"
  }

  private static func bar(_ fraction: Double) -> String {
    let width = 20
    let filled = min(max(Int(fraction * Double(width)), 0), width)
    return "[" + String(repeating: "=", count: filled)
      + String(repeating: " ", count: width - filled) + "]"
  }

  /// A time as people say it: `40 s`, `3 min`, `2 h 5 min`.
  static func time(_ seconds: TimeInterval) -> String {
    guard let whole = Int(exactly: seconds.rounded(.up)), whole < 100 * 3600 else {
      return "more than 4 days"
    }
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\((whole + 59) / 60) min" }
    let (hours, minutes) = (whole / 3600, whole % 3600 / 60)
    return minutes == 0 ? "\(hours) h" : "\(hours) h \(minutes) min"
  }
}
