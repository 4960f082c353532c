public import Foundation

/// Why a job cannot be requested, changed or kept.
public enum JobError: Error, Hashable, Sendable {
  /// There is no such job.
  case unknown(String)
  /// The request is not possible in the state that the job is in.
  case notPossible(job: String, action: String, state: String)
  /// The journal cannot be read or written.
  case journal(file: String, reason: String)
  /// Another process holds the journal; `by` names it where that is known.
  case busyJournal(file: String, by: String?)
}

extension JobError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .unknown(let name): "There is no job \"\(name)\"."
    case .notPossible(let job, let action, let state):
      "\"\(job)\" cannot be \(action): it is \(state)."
    case .journal(let file, let reason): "\(file) cannot be used: \(reason)."
    case .busyJournal(let file, let holder):
      "The catalogue \(file) is busy: \(holder ?? "another process") is writing to it."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .unknown: "Check the list of jobs."
    case .notPossible: nil
    case .busyJournal: "Try again when that process is done, or end it."
    case .journal: "Check that the disk has free space and that you may write there."
    }
  }
}
