internal import Foundation
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanPortal

/// A kind of job that takes maps offline: everything that distinguishes it from other kinds, in one value.
///
/// What a job excludes follows from the subject of its parameters; what it must know after a crash
/// is its checkpoint, which its run writes with the job's reporter.
public struct OfflineJobKind: Sendable, Identifiable {
  /// Every kind that this version knows.
  public static let all: [OfflineJobKind] = [
    .preplannedArea, .mobileMapPackage, .onDemandMap, .offlineMapSync, .tileExport,
  ]

  /// The name of the kind in the journal.
  public let id: String
  /// Asks the portal what a job would need; writes nothing.
  let estimate: @Sendable (Data, OfflineEnvironment) async throws -> DownloadEstimate
  /// Works on a job.
  let run: @Sendable (Job, JobReporter, OfflineEnvironment) async throws -> JobOutcome
  /// Removes what a job has left.
  let discard: @Sendable (Job, OfflineEnvironment) async throws -> Void

  /// Describes a kind.
  ///
  /// - Parameters:
  ///   - id: The name of the kind in the journal.
  ///   - type: The type of its parameters.
  ///   - plan: What is to be fetched, as the portal says.
  ///   - run: Works on a job, continuing from what earlier runs have left.
  ///   - discard: Removes what a job has left; also called twice.
  init<Parameters: OfflineJobParameters>(
    _ id: String, for type: Parameters.Type,
    plan: @escaping @Sendable (Parameters, Portal) async throws -> DownloadPlan,
    run:
      @escaping @Sendable (Parameters, Job, JobReporter, OfflineEnvironment) async throws ->
      JobOutcome,
    discard: @escaping @Sendable (Job, OfflineEnvironment) async throws -> Void = {
      try await OfflineJobKind.removeStaged($0, in: $1)
    }
  ) {
    self.init(
      id, for: type,
      estimate: { parameters, environment in
        let portal = try await environment.connect(parameters.portal)
        return try await environment.estimate(plan(parameters, portal), job: nil)
      }, run: run, discard: discard)
  }

  /// Describes a kind whose needs follow from more than a list of files.
  ///
  /// - Parameters:
  ///   - id: The name of the kind in the journal.
  ///   - type: The type of its parameters.
  ///   - estimate: Asks what a job would need; writes nothing.
  ///   - run: Works on a job, continuing from what earlier runs have left.
  ///   - discard: Removes what a job has left; also called twice.
  init<Parameters: OfflineJobParameters>(
    _ id: String, for type: Parameters.Type,
    estimate: @escaping @Sendable (Parameters, OfflineEnvironment) async throws -> DownloadEstimate,
    run:
      @escaping @Sendable (Parameters, Job, JobReporter, OfflineEnvironment) async throws ->
      JobOutcome,
    discard: @escaping @Sendable (Job, OfflineEnvironment) async throws -> Void
  ) {
    self.id = id
    self.estimate = { data, environment in
      try await estimate(Self.parameters(type, from: data), environment)
    }
    self.run = { job, reporter, environment in
      try await run(Self.parameters(type, from: job.parameters), job, reporter, environment)
    }
    self.discard = discard
  }

  static func parameters<Parameters: OfflineJobParameters>(
    _ type: Parameters.Type, from data: Data
  ) throws(OfflineMapError) -> Parameters {
    // What cannot be read was written by another version; the user is told.
    guard let parameters = try? JSONDecoder().decode(type, from: data) else { throw .badParameters }
    return parameters
  }

  /// Removes what a job has written.
  static func removeStaged(_ job: Job, in environment: OfflineEnvironment) async throws {
    try await environment.library.discardStaged(job.id.text)
  }
}
