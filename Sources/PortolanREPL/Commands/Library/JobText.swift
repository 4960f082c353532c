internal import Foundation
internal import PortolanApp
internal import PortolanJobs

/// Where jobs stand, as people read it.
enum JobText {
  /// Where a job stands, and what it waits for.
  static func sentence(_ job: Job) -> String {
    switch job.state {
    case .waiting(.retry(let date, let attempt)):
      let pause = max(date.timeIntervalSince(job.updated), 0)
      return "trying again in \(TransferText.time(pause)), attempt \(attempt)"
    case .failed(let failure): return "failed: \(failure.message)"
    default: return phrase(job.state)
    }
  }

  /// Where a job stands, in a few words.
  static func phrase(_ state: JobState) -> String {
    switch state {
    case .waiting(.slot(let ahead)):
      switch ahead {
      case 0: "waiting for its turn"
      case 1: "waiting for another one"
      default: "waiting for \(ahead) others"
      }
    case .waiting(.network): "waiting for a network"
    case .waiting(.signIn(let host)): "waiting for a sign-in to \(host)"
    case .waiting(.space(let missing)):
      missing > 0
        ? "waiting for \(ByteCount.text(missing)) more of free space" : "waiting for free space"
    case .waiting(.retry(_, let attempt)): "waiting to try again, attempt \(attempt)"
    case .running, .paused, .cancelling, .cancelled, .succeeded, .succeededInPart, .failed:
      state.word
    }
  }

  /// What a job could not bring, a line each.
  static func failures(of job: Job) -> [TextDocument.Block] {
    job.failedItems.map { item in
      let status = item.status.map { " (HTTP \($0))" } ?? ""
      let tries = item.attempts > 1 ? ", tried \(item.attempts) times" : ""
      return .paragraph("\(item.name)\(status)\(tries): \(item.failure.message)", indent: 4)
    }
  }
}
