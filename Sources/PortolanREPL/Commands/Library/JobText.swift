internal import Foundation
internal import PortolanApp
internal import PortolanFiles
internal import PortolanJobs

/// The states of jobs, as text.
enum JobText {
  /// The state of a job, what it waits for, and the other process that works on it; see
  /// ``phrase(_:isAttended:)``.
  static func sentence(_ job: Job, isAttended: Bool = true) -> String {
    let worker = job.worker.map { ", with \($0.name) working on it" } ?? ""
    return state(of: job, isAttended) + worker
  }

  private static func state(of job: Job, _ isAttended: Bool) -> String {
    switch job.state {
    case .waiting(.retry(let date, let attempt)):
      let pause = max(date.timeIntervalSince(job.updated), 0)
      return "trying again in \(TransferText.time(pause)), attempt \(attempt)"
    case .failed(let failure): return "failed: \(failure.message)"
    case .running where job.hostWait != nil:
      return job.hostWait.map(TransferText.waiting) ?? job.state.word
    default: return phrase(job.state, isAttended: isAttended)
    }
  }

  /// The state of a job, in a few words.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - isAttended: Whether a worker runs jobs, so that they start by themselves.
  /// - Returns: The words.
  static func phrase(_ state: JobState, isAttended: Bool = true) -> String {
    switch state {
    case .waiting(.slot) where !isAttended: "stopped"
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
    case .waiting(.editing(_, let holder)):
      "waiting until it is no longer edited"
        + (holder.map { " by \(FileLockHolder.asSeenHere($0))" } ?? "")
    case .waiting(.retry(_, let attempt)): "waiting to try again, attempt \(attempt)"
    case .running, .paused, .cancelling, .cancelled, .succeeded, .succeededInPart, .failed:
      state.word
    }
  }

  /// The advice on a job that is done in part; a retry only where that may help.
  static func settling(_ job: Job) -> String {
    let id = JobPage.shortID(job)
    let accept = "\"accept \(id)\" does without it."
    guard job.canRetryFailures else { return accept }
    let does = job.isSynchronization ? "tries it again" : "downloads what is missing"
    return "\"retry \(id)\" \(does), \(accept)"
  }

  /// The instructions for signing in where a job lacks access; nothing where no server asks for it.
  static func signingIn(for job: Job) -> [TextDocument.Block] {
    guard job.failedItems.contains(where: { $0.failure.kind == .signIn }) else { return [] }
    return [
      .line("Sign in first, with \(signIn)."),
      .line("\"sign-in --server URL\" signs in to a server that has accounts of its own."),
    ]
  }

  /// The commands that sign in, whichever portal has the accounts.
  static let signIn = "\"sign-in\", or \"sign-in --portal PORTAL\" for another portal"

  /// The failed items of a job, a line each.
  static func failures(of job: Job) -> [TextDocument.Block] { lines(job.failedItems) }

  /// The parts that were left out by their nature, which no retry can fetch; empty if there are
  /// none.
  static func leftOut(of job: Job) -> [TextDocument.Block] {
    let items = job.failedItems.filter { !$0.isFailure }
    return items.isEmpty ? [] : [.line("Left out:")] + lines(items)
  }

  /// The missing parts, a line each.
  static func lines(_ items: [JobFailedItem]) -> [TextDocument.Block] {
    items.map { item in
      let status = item.status.map { " (HTTP \($0))" } ?? ""
      let tries = item.attempts > 1 ? ", tried \(item.attempts) times" : ""
      return .paragraph("\(item.name)\(status)\(tries): \(item.reason)", indent: 4)
    }
  }
}

extension Session {
  /// Whether some process works on jobs: this one at its prompt, or another one.
  func attends(to jobs: [Job]) -> Bool {
    worksBesidePrompt || jobs.contains { $0.state == .running || $0.worker != nil }
  }

  /// Whether some process works on the jobs of these transfers.
  func attends(to transfers: [MapTransfer]) -> Bool {
    worksBesidePrompt || transfers.contains { $0.state == .running || $0.worker != nil }
  }
}
