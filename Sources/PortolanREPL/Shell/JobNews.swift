internal import Foundation
internal import PortolanApp
internal import PortolanJobs

/// Tells what of downloads that go on beside a prompt is worth a line.
struct JobNews {
  /// What was told of a job last.
  private struct Told: Equatable {
    var phrase: String
    var quarter: Int
  }

  private var told: [JobID: Told]?
  private var paces: [JobID: JobPace] = [:]

  /// Takes note of the jobs, and answers what is new of them since the last time.
  ///
  /// What was over before the first time is not told of.
  mutating func lines(_ jobs: [Job]) -> [String] {
    let isFirst = told == nil
    var lines: [String] = []
    var now: [JobID: Told] = [:]
    for job in jobs {
      paces[job.id] = job.pace(after: paces[job.id])
      let before = told?[job.id]
      let current = Told(
        phrase: Self.phrase(job), quarter: Int((job.progress.fraction ?? 0) * 4))
      now[job.id] = current
      if isFirst {
        if !job.state.isFinal, job.state != .paused { lines.append(Self.goingOn(job)) }
      } else if let line = line(job, before, current) {
        lines.append(line)
      }
    }
    told = now
    return lines
  }

  private func line(_ job: Job, _ before: Told?, _ now: Told) -> String? {
    guard before?.phrase == now.phrase else { return Self.news(job, isNew: before == nil) }
    guard job.state == .running, let before, now.quarter > before.quarter else { return nil }
    return TransferText.line(job, pace: paces[job.id] ?? JobPace())
  }

  /// A word for the state that stays the same while nothing is worth telling.
  private static func phrase(_ job: Job) -> String {
    switch job.state {
    case .waiting(.slot): "queued"
    case .waiting(.retry(_, let attempt)): "attempt \(attempt)"
    case .failed: "failed"
    default: JobText.phrase(job.state)
    }
  }

  private static func goingOn(_ job: Job) -> String {
    let extent = TransferText.extent(job.progress)
    return "\"\(job.title)\" was interrupted and goes on" + (extent.isEmpty ? "." : ", \(extent).")
  }

  /// What has become of a job whose state has changed; `nil` if whoever changed it knows.
  private static func news(_ job: Job, isNew: Bool) -> String? {
    switch job.state {
    case .succeeded where job.isSynchronization, .succeededInPart where job.isSynchronization:
      SyncText.sentence(job)
    case .failed(let failure) where job.isSynchronization:
      "\"\(job.title)\" could not be synchronized: \(failure.message)"
    case .succeeded:
      "\"\(job.title)\" is on this device, \(ByteCount.text(job.progress.bytes))."
    case .succeededInPart:
      "\"\(job.title)\" is on this device, but incomplete; \"jobs\" tells what is missing."
    case .failed(let failure): "\"\(job.title)\" could not be downloaded: \(failure.message)"
    case .waiting(.slot), .paused, .cancelling, .cancelled: nil
    case .waiting: "\"\(job.title)\" is \(JobText.sentence(job))."
    case .running:
      isNew || job.progress.bytes == 0
        ? nil : "\"\(job.title)\" goes on, \(TransferText.extent(job.progress))."
    }
  }
}
