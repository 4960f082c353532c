public import PortolanJobs

/// Does the jobs that take maps offline, each by its kind.
public struct OfflineJobRunner: JobRunner {
  private let environment: OfflineEnvironment
  private let kinds: [String: OfflineJobKind]

  /// Creates a runner for the kinds there are.
  public init(_ environment: OfflineEnvironment) { self.init(environment, OfflineJobKind.all) }

  init(_ environment: OfflineEnvironment, _ kinds: [OfflineJobKind]) {
    self.environment = environment
    self.kinds = Dictionary(kinds.map { ($0.id, $0) }) { first, _ in first }
  }

  public func run(
    _ job: Job, reporter: JobReporter
  ) async throws(JobInterruption) -> JobOutcome {
    do {
      guard let kind = kinds[job.kind] else { throw OfflineMapError.unknownJobKind(job.kind) }
      return try await HostWaitReport.reporting(reporter) {
        try await kind.run(job, reporter, environment)
      }
    } catch {
      throw JobInterruption(error)
    }
  }

  /// Maps are synchronized one after the other: what one sends, the next of the same service gets.
  public func turn(of job: Job) -> String? { job.isSync ? job.kind : nil }

  /// Removes what a job has left; a kind that is not known here has files of its own only.
  public func discard(_ job: Job) async throws(JobFailure) {
    do {
      guard let kind = kinds[job.kind] else {
        return try await OfflineJobKind.removeStaged(job, in: environment)
      }
      try await kind.discard(job, environment)
    } catch {
      throw JobFailure(error, kind: .device)
    }
  }
}
