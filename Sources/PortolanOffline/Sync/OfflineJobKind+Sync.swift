public import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanPortal

/// The parameters of a job that synchronizes a stored map.
public struct SyncOfflineMapParameters: Hashable, Sendable, Codable {
  /// The root of the portal whose credentials are used: that of the map, or the one in use if it was
  /// imported.
  public var portal: URL
  /// The id of the stored map.
  public var map: String
  /// In which directions changes go.
  public var direction: GeodatabaseSyncTask.Direction

  /// Creates parameters.
  public init(
    portal: URL, map: String, direction: GeodatabaseSyncTask.Direction = .bidirectional
  ) {
    self.portal = portal
    self.map = map
    self.direction = direction
  }
}

extension SyncOfflineMapParameters: OfflineJobParameters {
  public static var kind: OfflineJobKind { .offlineMapSync }

  public var subject: String { map }
}

extension OfflineJobKind {
  /// Synchronizes a stored map with the services that it was made from.
  ///
  /// The map stays in its place; what a run has done is kept in its geodatabases, so that another
  /// run goes on from there. Nothing is left to be removed but files of the moment.
  public static let offlineMapSync = OfflineJobKind(
    "sync-offline-map", for: SyncOfflineMapParameters.self,
    estimate: { _, environment in
      DownloadEstimate(
        files: [], freeBytes: environment.surroundings.freeSpace(environment.library.layout.home),
        replacedBytes: 0)
    },
    run: { parameters, job, reporter, environment in
      try await SyncRun(
        parameters: parameters, job: job, reporter: reporter, environment: environment
      ).run()
    }, discard: { try await removeStaged($0, in: $1) })
}

/// What the runs of a job have done so far.
private actor DoneSoFar {
  private var result: OfflineMapSyncResult
  /// What was done, as it is kept; `nil` before anything was.
  private(set) var summary: Data?

  init(_ result: OfflineMapSyncResult) { self.result = result }

  /// Adds what became of a geodatabase.
  ///
  /// - Returns: What was done, as it is kept.
  func add(_ part: OfflineMapSyncTask.Part) throws -> Data {
    // Of one that failed it is what came before that.
    let done: GeodatabaseSyncTask.Result? =
      if case .success(let done) = part.result { done } else { part.partial }
    if let done { result.add(done, path: part.path, layers: part.layers) }
    let data = try JSONEncoder().encode(result)
    summary = data
    return data
  }
}

/// One run of the synchronization of a stored map.
private struct SyncRun {
  let parameters: SyncOfflineMapParameters
  let job: Job
  let reporter: JobReporter
  let environment: OfflineEnvironment

  func run() async throws -> JobOutcome {
    guard let id = MapID(parameters.map) else { throw OfflineMapError.badParameters }
    let portal = try await environment.connect(parameters.portal)
    let folder = environment.library.layout.staging(job.id.text)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw LibraryError(writing: folder, error)
    }
    let done = DoneSoFar(OfflineMapSyncResult(of: job) ?? OfflineMapSyncResult())
    let parts = try await OfflineMapSyncTask(environment).synchronize(
      id, parameters.direction, portal: portal, folder: folder
    ) { [reporter] part in
      // Nothing that comes after it takes back what was exchanged.
      try await reporter.checkpoint(try await done.add(part))
      if let partial = part.partial { await Self.tell(partial, reporter) }
    }
    guard !parts.isEmpty else { throw OfflineMapError.notSynchronized(file: job.title) }
    let summary = await done.summary
    var failed: [JobFailedItem] = []
    for part in parts { failed += try await report(part) }
    // Where nothing was exchanged, the job has failed and is not done in part.
    let isDone = parts.contains { if case .success = $0.result { true } else { false } }
    if !isDone, let failure = failed.first?.failure { throw JobInterruption.failed(failure) }
    // What stays behind is found by the audit; all that was to be exchanged is.
    try? await environment.library.removeStaged(job.id.text)
    await reporter.progress(
      JobProgress(items: parts.count, totalItems: parts.count, isVerified: failed.isEmpty))
    return JobOutcome(failedItems: failed, summary: summary)
  }

  /// Says whether a replica was registered, and how much was exchanged.
  private static func tell(
    _ result: GeodatabaseSyncTask.Result, _ reporter: JobReporter
  ) async {
    if result.isRegisteredAgain {
      await reporter.message(
        "The service no longer had this replica; it was registered again.", .warning)
    }
    if result.isRegisteredForCopy {
      await reporter.message(
        "This map, or its home, is a copy of another or was restored; it was registered for "
          + "itself.")
    }
    let received = result.received
    await reporter.message(
      "Sent \(result.sentCount.text); received \(received.adds) new, \(received.updates) changed and "
        + "\(received.deletes) removed.")
  }

  private func report(_ part: OfflineMapSyncTask.Part) async throws -> [JobFailedItem] {
    switch part.result {
    case .success(let result):
      let received = result.received
      await Self.tell(result, reporter)
      if result.withheld > 0 {
        let (features, they) =
          result.withheld == 1
          ? ("1 feature", "it is") : ("\(result.withheld) features", "they are")
        await reporter.message(
          "\(features) of others cannot be stored in this copy; \(they) kept beside it, and tried "
            + "again next time.", .warning)
      }
      if result.waiting > 0 {
        let (edits, them) =
          result.waiting == 1 ? ("1 edit waits", "it") : ("\(result.waiting) edits wait", "them")
        await reporter.message(
          "\(edits) for a decision, since others have changed the same or the service refuses "
            + "\(them).", .warning)
      }
      for table in received.changedFields {
        if let notice = table.notice { await reporter.message(notice, .warning) }
      }
      return result.unsynchronized.map { table in
        JobFailedItem(
          name: "\(part.path), \(table.table)", attempts: 1, affects: [table.table],
          failure: JobFailure(table, kind: .refused))
      }
        + received.changedFields.filter(\.stopsExchange).map { table in
          JobFailedItem(
            name: "\(part.path), \(table.table)", attempts: 1, affects: [table.table],
            failure: JobFailure(table, kind: .refused))
        }
    case .failure(let error):
      let interruption = JobInterruption(error)
      guard case .failed(let failure) = interruption else { throw interruption }
      // What passes is tried again as a whole; what was exchanged is not exchanged twice.
      guard failure.kind != .transient else { throw interruption }
      return [
        JobFailedItem(
          name: part.layers.isEmpty ? part.path : part.layers.joined(separator: ", "), attempts: 1,
          affects: part.layers,
          failure: failure)
      ]
    }
  }
}
