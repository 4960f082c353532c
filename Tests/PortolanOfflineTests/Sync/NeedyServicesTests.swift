import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// Services that want something first, and copies that were asked for before.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct NeedyServicesTests {
  private static func url(_ root: String) -> String {
    "https://demo.test/\(root)/rest/services/ExploreMaine/FeatureServer"
  }

  /// A map of lighthouses of two services, one of which was renamed in each.
  private func make(_ bed: OfflineJobBed) async throws -> OfflineJobBed.Made {
    let made = try await bed.make(
      try await bed.parameters(
        operational: ["server102", "arcgis"].map { root -> JSONValue in
          [
            "id": .string(root), "title": .string(root), "layerType": "ArcGISFeatureLayer",
            "url": .string("\(Self.url(root))/1"),
          ]
        }))
    for path in try OfflineMapSyncTask.geodatabases(in: made.url) {
      _ = try await rename(made.url.appending(path: path), bed)
    }
    return made
  }

  /// Renames the first lighthouse of a copy.
  private func rename(_ file: URL, _ bed: OfflineJobBed) async throws -> Feature {
    try await OfflineMapSyncTask.using(file, bed.bed.environment.surroundings) { store in
      let feature = try #require(
        try await store.features(in: "Lighthouses", matching: QueryParameters(limit: 1)).collect()
          .first)
      _ = try await store.apply([
        .update(
          .objectID(feature.objectID), table: "Lighthouses", attributes: ["NAME": .text("Mine")],
          geometry: .keep)
      ])
      return feature
    }
  }

  @Test func `A service that asks for a sign-in keeps no other from synchronizing`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let made = try await make(bed)
    let fault = await bed.bed.state.add(
      DemoFault(
        .failure(DemoFailure(code: 499, "Token Required", details: [])), path: "*/server102/*"))
    let task = OfflineMapSyncTask(bed.bed.environment)
    func synchronize() async throws -> [Int?] {
      let parts = try await task.synchronize(
        made.lease.map.id, .bidirectional, portal: bed.bed.portal, folder: temporaryDirectory)
      // A part without a result was kept waiting.
      return parts.map { try? $0.result.get().sent }
    }
    let sent = try await synchronize()
    #expect(sent.count == 2 && sent.compactMap(\.self) == [1])
    await bed.bed.state.removeFaults(fault)
    #expect(try await synchronize().compactMap(\.self).reduce(0, +) == 1)
  }

  @Test func `A job whose other services are synchronized lists layers that need a sign-in`()
    async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let made = try await make(bed)
    let fault = await bed.bed.state.add(
      DemoFault(
        .failure(DemoFailure(code: 499, "Token Required", details: [])), path: "*/server102/*"))
    let order = try OfflineJobOrder(
      SyncOfflineMapParameters(
        portal: bed.bed.portal.url, map: made.lease.map.id.text), title: "Casco")
    let journal = OfflineJobBed.Journal()
    let (outcome, job) = try await bed.run(order, journal)
    #expect(OfflineMapSyncResult(of: job)?.sent == 1)
    let item = try #require(outcome.failedItems.first)
    #expect(outcome.failedItems.count == 1 && item.affects == ["server102"])
    #expect(item.failure.kind == .signIn && item.failure.signInHost == "demo.test")
    await bed.bed.state.removeFaults(fault)
    let (rest, whole) = try await bed.run(order, journal)
    #expect(rest.isComplete && OfflineMapSyncResult(of: whole)?.sent == 2)
  }

  @Test func `A busy service is asked again, and what was exchanged before is reported`()
    async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let made = try await make(bed)
    let order = try OfflineJobOrder(
      SyncOfflineMapParameters(
        portal: bed.bed.portal.url, map: made.lease.map.id.text), title: "Casco")
    let fault = await bed.bed.state.add(
      DemoFault(
        .failure(DemoFailure(code: 503, "Service unavailable.", details: [])),
        path: "*/server102/*"))
    let journal = OfflineJobBed.Journal()
    var job = Job(
      id: try #require(JobID("sync")), kind: order.kind, subject: order.subject, title: "Casco",
      parameters: order.parameters, created: DemoBed.day, position: 0)
    let reporter = JobReporter(
      progress: { _ in }, message: { _, _ in }, checkpoint: { await journal.keep($0) })
    let runner = OfflineJobRunner(bed.bed.environment)
    let interruption = await #expect(throws: JobInterruption.self) {
      _ = try await runner.run(job, reporter: reporter)
    }
    guard case .failed(let failure)? = interruption else {
      Issue.record("\(String(describing: interruption))")
      return
    }
    #expect(failure.kind == .transient)
    await bed.bed.state.removeFaults(fault)
    job.checkpoint = await journal.checkpoint
    #expect(OfflineMapSyncResult(of: job)?.sent == 1)
    let outcome = try await runner.run(job, reporter: reporter)
    job.checkpoint = outcome.summary
    #expect(outcome.isComplete && OfflineMapSyncResult(of: job)?.sent == 2)
  }

  @Test func `Only the holder of the right to edit a map resolves its conflicts`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let made = try await bed.make(
      try await bed.parameters(operational: [
        [
          "id": "a", "title": "a", "layerType": "ArcGISFeatureLayer",
          "url": .string("\(Self.url("arcgis"))/1"),
        ]
      ]))
    let path = try #require(try OfflineMapSyncTask.geodatabases(in: made.url).first)
    let feature = try await rename(made.url.appending(path: path), bed)
    let service = FeatureService(
      url: try #require(URL(string: Self.url("arcgis"))), client: bed.bed.portal.client)
    let id = try #require(SyncCopy.text("GlobalID", feature))
    let there = try #require(
      try await service.table(1).objectIDs(ofGlobalIDs: [id]).values.first)
    let theirs = #"[{"attributes": {"OBJECTID": \#(there), "NAME": "Theirs"}}]"#
    _ = try await bed.bed.portal.client.json(
      service.url.appending(path: "1/applyEdits"), ["updates": theirs], method: .post)
    let (task, library) = (OfflineMapSyncTask(bed.bed.environment), bed.bed.library)
    let map = made.lease.map.id
    _ = try await task.synchronize(
      map, .bidirectional, portal: bed.bed.portal, folder: temporaryDirectory)
    let conflict = try #require(try await task.conflicts(of: map).first)
    let other = try await library.open(map)
    try await library.beginEditing(other)
    await #expect(throws: LibraryError.self) {
      try await task.resolve(conflict, of: map, as: .theirs)
    }
    #expect(try await task.conflicts(of: map).count == 1)
    other.endEditing()
    try await task.resolve(conflict, of: map, as: .theirs)
    #expect(try await task.conflicts(of: map).isEmpty)
  }

  @Test func `The copies of the previous version are unregistered with the map`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let made = try await bed.make(try await bed.bed.parameters())
    let (task, library) = (OfflineMapSyncTask(bed.bed.environment), bed.bed.library)
    let own = try await task.releases(of: made.lease.map)
    #expect(own.count == 1)
    let folder = library.layout.staging("update")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("{}".utf8).write(to: folder.appending(path: "package.info"))
    let next = try await library.install(folder, as: made.lease.map)
    #expect(try await task.releases(of: next).map(\.id) == own.map(\.id))
  }

  @Test func `A copy that another home has asked for is left to it`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("other")
    try await copy.using { store in
      try await store.setRequestedCopy(RequestedCopy(name: "portolan_lost", home: "one"))
    }
    let folder = temporaryDirectory.appending(path: "map")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: copy.file, to: folder.appending(path: "a.geodatabase"))
    let map = StoredMap(
      id: try #require(MapID("a")), origin: .onDemandArea(webMap: "w"), form: .folder,
      title: "Casco", portal: URL(filePath: "/portal"), installed: DemoBed.day, byteCount: 1)
    let surroundings = OfflineSurroundings(
      freeSpace: { _ in nil }, clock: ImmediateClock(), now: { DemoBed.day }, chance: { 0 },
      makeID: { UUID() })
    for (home, count) in [("one", 1), ("two", 0)] {
      let messages = try await CopyReleases(surroundings, home: home).messages(of: map, at: folder)
      #expect(messages.count { $0.fields[ReplicaRelease.nameField] == "portolan_lost" } == count)
    }
  }

  @Test func `A copy whose response was lost is unregistered when the next one is requested`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("portolan_first")
    try await bed.forgetReplicas()
    _ = try await bed.copy("portolan_lost")
    try await copy.using { store in
      try await store.setRequestedCopy(RequestedCopy(name: "portolan_lost"))
    }
    #expect(try await copy.sync().isRegisteredAgain)
    let replicas = try await ReplicaTask(service: bed.service).replicas()
    #expect(replicas.count == 1 && !replicas.contains { $0.name.contains("portolan_lost") })
  }

  @Test func `A map counts as synchronized only after everything was sent and received`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    func last() async throws -> Date? {
      try await Geodatabase.open(at: copy.file).localChanges().lastSync
    }
    _ = try await copy.sync()
    let before = try await last()
    let later = DemoBed.day.addingTimeInterval(3_600)
    for direction in [GeodatabaseSyncTask.Direction.download, .upload] {
      _ = try await copy.sync(direction, at: later)
      #expect(try await last() == before)
    }
    _ = try await copy.sync(at: later)
    #expect(try await last() == later)
  }
}
