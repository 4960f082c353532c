internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanPortal

/// One run of the synchronization of a stored map.
struct SyncRun {
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
    let done = AccumulatedSyncResult(OfflineMapSyncResult(of: job) ?? OfflineMapSyncResult())
    let parts = try await OfflineMapSyncTask(environment).synchronize(
      id, parameters.direction, portal: portal, folder: folder
    ) { [reporter] part in
      // Nothing that comes after it takes back what was exchanged.
      try await reporter.checkpoint(try await done.add(part))
      guard let partial = part.partial else { return }
      for notice in Self.exchangeNotices(partial) {
        await reporter.message(notice.text, notice.severity)
      }
    }
    guard !parts.isEmpty else { throw OfflineMapError.notSynchronized(file: job.title) }
    let summary = await done.summary
    var failed: [JobFailedItem] = []
    let isDone = parts.contains(where: \.isSynchronized)
    for part in parts { failed += try await report(part, besidesOthers: isDone) }
    // Where nothing was exchanged, the job has failed and is not done in part.
    if !isDone, let failure = failed.first?.failure { throw JobInterruption.failed(failure) }
    // What stays behind is found by the audit; all that was to be exchanged is.
    try? await environment.library.removeStaged(job.id.text)
    await reporter.progress(
      JobProgress(items: parts.count, totalItems: parts.count, isVerified: failed.isEmpty))
    return JobOutcome(failedItems: failed, summary: summary)
  }

  /// Logs what became of a geodatabase.
  ///
  /// - Parameters:
  ///   - part: The geodatabase.
  ///   - hasOthers: Whether the services of others have answered.
  /// - Returns: What of it was not exchanged.
  /// - Throws: What the job waits for, or is to be tried again after.
  private func report(
    _ part: OfflineMapSyncTask.Part, besidesOthers hasOthers: Bool
  ) async throws -> [JobFailedItem] {
    switch part.result {
    case .success(let result):
      for notice in notices(result, of: part) {
        await reporter.message(notice.text, notice.severity)
      }
      let stopped = result.received.changedFields.filter(\.stopsExchange)
      // One that was removed at the service is listed once, as that.
      let leftOut = result.unsynchronized
        .filter { table in !stopped.contains { $0.table == table.table } }
        .map { table in
          var titled = table
          titled.table = part.title(of: table.table)
          return refused(titled.table, of: part, titled)
        }
      return leftOut
        + stopped.map { table in
          let titled = table.titled(in: part)
          return refused(titled.table, of: part, titled)
        }
    case .failure(let error):
      let interruption = JobInterruption(error)
      var failure: JobFailure
      switch interruption {
      // What passes is tried again as a whole; what was exchanged is not exchanged twice. One service that
      // fails for long does not make all of the job fail.
      case .failed(let own) where own.kind != .transient || hasOthers && isLastRun: failure = own
      // There is a network, and nothing to wait for.
      case .waiting(.network) where hasOthers:
        failure = JobFailure(error, kind: .absent)
        failure.isUnanswered = true
      // What the others have exchanged is done, whether or not anybody signs in.
      case .waiting(.signIn(let host)) where hasOthers:
        failure = JobFailure(error, kind: .signIn)
        failure.signInHost = host
      default: throw interruption
      }
      let layers = part.layers.map(part.title)
      return [
        JobFailedItem(
          name: layers.isEmpty ? part.path : layers.joined(separator: ", "), attempts: 1,
          affects: layers, failure: failure)
      ]
    }
  }

  /// Whether the job is not tried again by itself.
  private var isLastRun: Bool { JobRetryPolicy.standard.pause(after: job.attempts + 1) == nil }

  /// A layer or table that was left out of the exchange.
  private func refused(
    _ title: String, of part: OfflineMapSyncTask.Part, _ error: any Error
  ) -> JobFailedItem {
    JobFailedItem(
      name: "\(part.path), \(title)", attempts: 1, affects: [title],
      failure: JobFailure(error, kind: .refused))
  }

  /// A line of the log.
  private struct Notice {
    var text: String
    var severity = JobMessage.Severity.info
  }

  /// Whether a replica was registered, and how much was exchanged, also before a failure.
  private static func exchangeNotices(_ result: GeodatabaseSyncTask.Result) -> [Notice] {
    var notices: [Notice] = []
    if result.isRegisteredAgain {
      notices.append(
        Notice(
          text: "The service no longer had this replica; it was registered again.",
          severity: .warning))
    }
    if result.isRegisteredForCopy {
      notices.append(
        Notice(
          text: "This map, or its home, is a copy of another or was restored; it was registered "
            + "for itself."))
    }
    let received = result.received
    let attachments =
      received.attachments == 0 ? "" : " (attachments among them: \(received.attachments))"
    notices.append(
      Notice(
        text: "Sent \(result.sentCount.text); received \(received.adds) new, \(received.updates) "
          + "changed and \(received.deletes) removed\(attachments)."))
    return notices
  }

  /// The line of the log about a geodatabase that no service was asked about.
  private static func stayingNotice(_ edits: Int) -> Notice {
    let count = edits == 1 ? "1 edit stays" : "\(edits) edits stay"
    return Notice(text: "\(count) here, since this part of the map is kept without updates.")
  }

  /// The lines of the log about an exchange.
  private func notices(
    _ result: GeodatabaseSyncTask.Result, of part: OfflineMapSyncTask.Part
  ) -> [Notice] {
    guard !part.isKept else { return [Self.stayingNotice(result.staying)] }
    var notices = Self.exchangeNotices(result)
    func warn(_ text: String) { notices.append(Notice(text: text, severity: .warning)) }
    if result.withheld > 0 {
      let (features, they) =
        result.withheld == 1 ? ("1 feature", "it is") : ("\(result.withheld) features", "they are")
      warn(
        "\(features) of others cannot be stored in this copy; \(they) kept beside it, and tried "
          + "again next time.")
    }
    if result.waiting > 0 {
      let (edits, them) =
        result.waiting == 1 ? ("1 edit waits", "it") : ("\(result.waiting) edits wait", "them")
      warn(
        "\(edits) for a decision, since others have changed the same or the service refuses "
          + "\(them).")
    }
    for fields in result.received.changedFields {
      if let notice = fields.titled(in: part).notice { warn(notice) }
    }
    return notices
  }
}

extension ChangedFields {
  /// The same with what people call the table.
  fileprivate func titled(in part: OfflineMapSyncTask.Part) -> ChangedFields {
    var titled = self
    titled.table = part.title(of: table)
    return titled
  }
}

/// The combined results of a job's runs so far.
private actor AccumulatedSyncResult {
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
    if let done { result.add(done, path: part.path, layers: part.layers, titles: part.titles) }
    let data = try JSONEncoder().encode(result)
    summary = data
    return data
  }
}
