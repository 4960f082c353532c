internal import Foundation
public import PortolanJobs

/// An event of a job that is worth reporting to users who do something else.
public struct JobNotification: Hashable, Sendable, Codable {
  /// The event that is reported.
  public enum Event: String, Hashable, Sendable, Codable, CaseIterable {
    /// It was under way when the app was started, and continues.
    case interrupted
    /// It continues after it has waited or was paused.
    case resumed
    /// It has come another quarter of its way.
    case advanced
    /// It waits for something; the state of the job says for what.
    case waiting
    /// It is complete.
    case succeeded
    /// It is done but for some items.
    case succeededInPart
    /// It has failed; the state of the job says why.
    case failed
  }

  /// The event that is reported.
  public var event: Event
  /// The job in its current state.
  public var job: Job

  /// Creates a notification.
  public init(_ event: Event, of job: Job) {
    self.event = event
    self.job = job
  }
}

/// Finds out what is worth reporting of background jobs to users who do something else.
///
/// A value: give it the jobs whenever they change. What was over before the first time is not
/// reported of, and neither are changes that the user has made, such as a pause.
public struct JobNews: Sendable {
  /// The facts about a job that its notification depends on.
  fileprivate struct Told: Hashable {
    var state: JobState
    var quarter: Int
  }

  private var told: [JobID: Told]?

  /// Creates news without any report.
  public init() {}

  /// Takes note of the jobs.
  ///
  /// - Parameter jobs: All jobs as they are now.
  /// - Returns: What is new of them since the last time, in their order.
  public mutating func notifications(_ jobs: [Job]) -> [JobNotification] {
    let before = told
    told = Dictionary(jobs.map { ($0.id, Told($0)) }, uniquingKeysWith: { first, _ in first })
    return jobs.compactMap { job in
      guard let before else {
        return job.state.isFinal || job.state == .paused
          ? nil : JobNotification(.interrupted, of: job)
      }
      return Self.event(of: job, after: before[job.id]).map { JobNotification($0, of: job) }
    }
  }

  private static func event(of job: Job, after before: Told?) -> JobNotification.Event? {
    let now = Told(job)
    if before?.state == now.state {
      let isFurther = now.quarter > before?.quarter ?? 0
      return job.state == .running && isFurther ? .advanced : nil
    }
    switch job.state {
    case .succeeded: return .succeeded
    case .succeededInPart: return .succeededInPart
    case .failed: return .failed
    case .waiting(.slot), .paused, .cancelling, .cancelled: return nil
    case .waiting: return .waiting
    case .running: return before == nil || job.progress.bytes == 0 ? nil : .resumed
    }
  }
}

extension JobNews.Told {
  fileprivate init(_ job: Job) {
    quarter = Int((job.progress.fraction ?? 0) * 4)
    // Changes that are not worth a notification are left out.
    state =
      switch job.state {
      case .waiting(.slot): .waiting(.slot(ahead: 0))
      case .waiting(.space): .waiting(.space(missing: 0))
      case .waiting(.retry(_, let attempt)): .waiting(.retry(at: .distantPast, attempt: attempt))
      case .failed: .failed(JobFailure(message: "", kind: .absent))
      default: job.state
      }
  }
}
