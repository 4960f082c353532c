import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanLocks
import PortolanPortal
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// The report of a job that synchronizes a map.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct SyncReportTests {
  private static let table = "Lighthouses"

  /// A sentence in the log, and how much it matters.
  private struct Sentence: Hashable {
    let text: String
    var severity = JobMessage.Severity.info
  }

  /// The report on a run.
  private struct Report {
    let result: Result<JobOutcome, JobInterruption>
    let sentences: [Sentence]
    let progress: [JobProgress]
    let checkpoint: Data?
  }

  private func run(
    _ map: String, _ bed: OfflineJobBed, checkpoint: Data? = nil
  ) async throws -> Report {
    let order = try OfflineJobOrder(
      SyncOfflineMapParameters(portal: bed.bed.portal.url, map: map), title: "Casco")
    var job = Job(
      id: try #require(JobID(OfflineJobBed.jobName)), kind: order.kind, subject: order.subject,
      title: order.title, parameters: order.parameters, created: DemoBed.day, position: 0)
    job.checkpoint = checkpoint
    let (sentences, progress) = (Locked<[Sentence]>([]), Locked<[JobProgress]>([]))
    let kept = Locked(checkpoint)
    let reporter = JobReporter(
      progress: { report in progress.withLock { $0.append(report) } },
      message: { text, severity in
        sentences.withLock { $0.append(Sentence(text: text, severity: severity)) }
      }, checkpoint: { data in kept.withLock { $0 = data } })
    let result: Result<JobOutcome, JobInterruption>
    do throws(JobInterruption) {
      result = .success(
        try await OfflineJobRunner(bed.bed.environment).run(job, reporter: reporter))
    } catch {
      result = .failure(error)
    }
    return Report(
      result: result, sentences: sentences.withLock(\.self), progress: progress.withLock(\.self),
      checkpoint: kept.withLock(\.self))
  }

  private func made(_ bed: OfflineJobBed) async throws -> OfflineJobBed.Made {
    try await bed.make(try await bed.parameters(operational: [OfflineJobBed.layer(1, Self.table)]))
  }

  private func file(_ made: OfflineJobBed.Made) throws -> URL {
    made.url.appending(
      path: try #require(try OfflineMapSyncTask.geodatabases(in: made.url).first))
  }

  private func features(_ made: OfflineJobBed.Made) async throws -> [Feature] {
    try await Geodatabase.open(at: file(made))
      .features(in: Self.table, matching: QueryParameters()).collect()
  }

  /// Renames a feature here.
  private func rename(
    _ feature: Feature, _ name: String, _ made: OfflineJobBed.Made, _ bed: OfflineJobBed
  ) async throws {
    let edit = FeatureEdit.update(
      .objectID(feature.objectID), table: Self.table, attributes: ["NAME": .text(name)],
      geometry: .keep)
    try await OfflineMapSyncTask.using(file(made), bed.bed.environment.surroundings) { store in
      _ = try await store.apply([edit])
    }
  }

  private func service(_ bed: OfflineJobBed) throws -> FeatureService {
    FeatureService(
      url: try #require(URL(string: OfflineJobBed.service("ExploreMaine"))),
      client: bed.bed.portal.client)
  }

  /// Others rename a feature at the service.
  private func renameThere(
    _ feature: Feature, _ name: String, _ bed: OfflineJobBed
  ) async throws {
    let service = try service(bed)
    let id = try #require(SyncCopy.text("GlobalID", feature))
    let there = try #require(
      try await service.table(1).objectIDs(ofGlobalIDs: [id]).values.first)
    _ = try await bed.bed.portal.client.json(
      service.url.appending(path: "1/applyEdits"),
      ["updates": #"[{"attributes": {"OBJECTID": \#(there), "NAME": "\#(name)"}}]"#],
      method: .post)
  }

  private static func sent(_ edits: String, changed: Int = 0) -> Sentence {
    Sentence(text: "Sent \(edits); received 0 new, \(changed) changed and 0 removed.")
  }

  // MARK: - The log

  @Test func `The log says what was sent, what came in and what waits for a decision`()
    async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let made = try await made(bed)
    let (map, features) = (made.lease.map.id.text, try await features(made))
    try await rename(features[0], "Mine", made, bed)
    try await renameThere(features[1], "Theirs", bed)
    let first = try await run(map, bed)
    #expect(first.sentences == [Self.sent("1 edit", changed: 1)])
    #expect(first.progress == [JobProgress(items: 1, totalItems: 1, isVerified: true)])
    #expect(try first.result.get().isComplete)
    #expect(try first.result.get().summary == first.checkpoint)
    let staging = bed.bed.library.layout.staging(OfflineJobBed.jobName)
    #expect(!FileManager.default.fileExists(atPath: staging.path(percentEncoded: false)))
    for feature in features[0...1] {
      try await rename(feature, "Mine too", made, bed)
      try await renameThere(feature, "Theirs too", bed)
    }
    let second = try await run(map, bed)
    let two = Sentence(
      text: "2 edits wait for a decision, since others have changed the same or the service "
        + "refuses them.", severity: .warning)
    #expect(second.sentences == [Self.sent("0 edits"), two])
    let task = OfflineMapSyncTask(bed.bed.environment)
    let conflict = try #require(try await task.conflicts(of: made.lease.map.id).first)
    try await task.resolve(conflict, of: made.lease.map.id, as: .theirs)
    let third = try await run(map, bed)
    let one = Sentence(
      text: "1 edit waits for a decision, since others have changed the same or the service "
        + "refuses it.", severity: .warning)
    #expect(third.sentences == [Self.sent("0 edits"), one])
  }

  @Test func `The log says that a copy was registered again, or for itself`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let made = try await made(bed)
    let task = ReplicaTask(service: try service(bed))
    for replica in try await task.replicas() {
      _ = try await bed.bed.portal.client.json(
        task.unregisterURL, ["replicaID": replica.id], method: .post)
    }
    let again = Sentence(
      text: "The service no longer had this replica; it was registered again.",
      severity: .warning)
    let map = made.lease.map.id.text
    #expect(try await run(map, bed).sentences == [again, Self.sent("0 edits")])
    try await OfflineMapSyncTask.using(file(made), bed.bed.environment.surroundings) { store in
      try await store.setHome("another")
    }
    let own = Sentence(
      text: "This map, or its home, is a copy of another or was restored; it was registered for "
        + "itself.")
    #expect(try await run(map, bed).sentences == [own, Self.sent("0 edits")])
    #expect(try await run(map, bed).sentences == [Self.sent("0 edits")])
  }

  @Test func `The log says which features of others the copy cannot hold`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let made = try await made(bed)
    let features = try await features(made)
    // No other program asks whether that suits the service.
    try Connection(at: file(made), access: .edit)
      .execute("CREATE UNIQUE INDEX one_name ON \(Self.table) (NAME, gdb_to_date)")
    try await renameThere(features[0], try #require(SyncCopy.text("NAME", features[1])), bed)
    let held = Sentence(
      text: "1 feature of others cannot be stored in this copy; it is kept beside it, and tried "
        + "again next time.", severity: .warning)
    let report = try await run(made.lease.map.id.text, bed)
    #expect(report.sentences == [Self.sent("0 edits"), held])
    var job = Job(
      id: try #require(JobID("a")), kind: OfflineJobKind.offlineMapSync.id, subject: "s",
      title: "S", parameters: Data(), created: DemoBed.day, position: 0)
    job.checkpoint = report.checkpoint
    let result = try #require(OfflineMapSyncResult(of: job))
    #expect(result.withheld == 1 && result.waiting == 0 && result.updated == 0)
    #expect(result.layers.map(\.withheld) == [1])
  }

  // MARK: - Failures

  @Test func `A table that has lost a field at its service fails, and its edits stay`() async throws
  {
    let isLying = Locked(false)
    let bed = try await OfflineJobBed(in: temporaryDirectory) { inner in
      LyingTransport(
        inner,
        answering: { answer in
          guard isLying.withLock(\.self), answer["type"]?.string == "Feature Layer" else {
            return nil
          }
          var layer = answer
          layer["fields"] = .array(
            (answer["fields"]?.array ?? []).map { field in
              guard field["name"]?.string == "NAME", var members = field.object else {
                return field
              }
              members["name"] = "NEW_NAME"
              return .object(members)
            })
          return layer
        })
    }
    let made = try await made(bed)
    try await rename(try await features(made)[0], "Mine", made, bed)
    isLying.withLock { $0 = true }
    let report = try await run(made.lease.map.id.text, bed)
    #expect(report.sentences.count == 2 && report.sentences.first == Self.sent("0 edits"))
    #expect(report.sentences.last?.severity == .warning)
    #expect(report.sentences.last?.text.contains("NEW_NAME") == true)
    let path = try #require(try OfflineMapSyncTask.geodatabases(in: made.url).first)
    let item = try #require(try report.result.get().failedItems.first)
    #expect(item.name == "\(path), \(Self.table)" && item.affects == [Self.table])
    #expect(item.attempts == 1 && item.failure.kind == .refused)
    #expect(item.failure.message.hasPrefix("\"\(Self.table)\" is not synchronized, since"))
    #expect(try report.result.get().failedItems.count == 1)
    #expect(report.progress == [JobProgress(items: 1, totalItems: 1)])
    #expect(try await UnsentEdits.count(in: made.url) == 1)
  }

  private static let refusal = DemoFailure(code: 400, "Not today.", details: [])

  @Test func `A service that refuses is listed, and what the others have done counts`()
    async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let layers = ["server102", "arcgis"].map { root -> JSONValue in
      [
        "id": .string(root), "title": .string(root), "layerType": "ArcGISFeatureLayer",
        "url": .string("https://demo.test/\(root)/rest/services/ExploreMaine/FeatureServer/1"),
      ]
    }
    let made = try await bed.make(try await bed.parameters(operational: layers))
    let fault = await bed.bed.state.add(
      DemoFault(.failure(Self.refusal), path: "/server102/*/synchronizeReplica"))
    let first = try await run(made.lease.map.id.text, bed)
    let items = try first.result.get().failedItems
    // The map calls the table of each service as the service.
    #expect(items.map(\.name) == ["server102"] && items.map(\.affects) == [["server102"]])
    #expect(items.map(\.attempts) == [1] && items.map(\.failure.kind) == [.refused])
    #expect(items.first?.failure.message.contains("Not today") == true)
    #expect(first.sentences == [Self.sent("0 edits")])
    #expect(first.progress == [JobProgress(items: 2, totalItems: 2)])
    await bed.bed.state.removeFaults(fault)
    let second = try await run(made.lease.map.id.text, bed, checkpoint: first.checkpoint)
    #expect(try second.result.get().isComplete && second.sentences.count == 2)
    // Nothing is exchanged where every service refuses: the job has failed.
    await bed.bed.state.add(DemoFault(.failure(Self.refusal), path: "*/synchronizeReplica"))
    guard case .failure(.failed(let failure)) = try await run(made.lease.map.id.text, bed).result
    else {
      Issue.record("it is done")
      return
    }
    #expect(failure.kind == .refused && failure.message.contains("Not today"))
  }

  @Test(arguments: [DemoFault.Kind.failure(refusal), .drop])
  func `What came in before something was in the way is told, and counted once`(
    _ kind: DemoFault.Kind
  ) async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let made = try await made(bed)
    let (map, features) = (made.lease.map.id.text, try await features(made))
    try await rename(features[0], "Mine", made, bed)
    try await renameThere(features[1], "Theirs", bed)
    let fault = await bed.bed.state.add(DemoFault(kind, path: "*/uploads/upload"))
    let first = try await run(map, bed)
    #expect(throws: JobInterruption.self) { _ = try first.result.get() }
    #expect(first.sentences == [Self.sent("0 edits", changed: 1)])
    func summary(_ report: Report) throws -> OfflineMapSyncResult {
      try JSONDecoder().decode(OfflineMapSyncResult.self, from: try #require(report.checkpoint))
    }
    let before = try summary(first)
    #expect(before.updated == 1 && before.sent == 0 && before.layers.map(\.updated) == [1])
    await bed.bed.state.removeFaults(fault)
    let second = try await run(map, bed, checkpoint: first.checkpoint)
    #expect(second.sentences == [Self.sent("1 edit")])
    let after = try summary(second)
    #expect(after.updated == 1 && after.sent == 1)
  }

  @Test func `A job without a map, or of one that no service knows, is refused`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let requests = await bed.bed.transport.log.paths.count
    let bad = try await run("../a", bed)
    #expect(
      bad.result == .failure(.failed(JobFailure(OfflineMapError.badParameters, kind: .refused))))
    #expect(await bed.bed.transport.log.paths.count == requests)
    var parameters = try await bed.parameters(operational: [OfflineJobBed.layer(1, Self.table)])
    parameters.updateMode = .noUpdates
    let unknown = try await run(try await bed.make(parameters).lease.map.id.text, bed)
    let error = OfflineMapError.notSynchronized(file: "Casco")
    #expect(unknown.result == .failure(.failed(JobFailure(error, kind: .refused))))
    #expect(unknown.sentences.isEmpty && unknown.checkpoint == nil)
  }

  // MARK: - The kind of job

  @Test func `A synchronization needs no room, and leaves nothing once it is discarded`()
    async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let order = try OfflineJobOrder(
      SyncOfflineMapParameters(portal: bed.bed.portal.url, map: "m"), title: "Casco")
    #expect(order.kind == "sync-offline-map" && order.subject == "m" && order.title == "Casco")
    let requests = await bed.bed.transport.log.paths.count
    let estimate = try await bed.bed.environment.estimate(order)
    #expect(estimate == DownloadEstimate(files: [], freeBytes: nil, replacedBytes: 0))
    #expect(await bed.bed.transport.log.paths.count == requests)
    let job = Job(
      id: try #require(JobID(OfflineJobBed.jobName)), kind: order.kind, subject: order.subject,
      title: order.title, parameters: order.parameters, created: DemoBed.day, position: 0)
    let staging = bed.bed.library.layout.staging(OfflineJobBed.jobName)
    try FileManager.default.createDirectory(at: staging, withIntermediateDirectories: true)
    let runner = OfflineJobRunner(bed.bed.environment)
    try await runner.discard(job)
    #expect(!FileManager.default.fileExists(atPath: staging.path(percentEncoded: false)))
    // Of the kinds, only these are done one after the other.
    #expect(runner.turn(of: job) == "sync-offline-map")
    for kind in OfflineJobKind.all where kind.id != job.kind {
      let other = Job(
        id: job.id, kind: kind.id, subject: "m", title: "M", parameters: Data(),
        created: DemoBed.day, position: 0)
      #expect(runner.turn(of: other) == nil && !other.isSync)
    }
  }
}
