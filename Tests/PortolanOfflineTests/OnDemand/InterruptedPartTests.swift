import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanOffline

/// Parts of a map of which something was there when a job went on.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct InterruptedPartTests {
  private func order(
    _ bed: OfflineJobBed, _ change: (inout GenerateOfflineMapParameters) -> Void = { _ in }
  ) async throws -> OfflineJobOrder {
    var parameters = try await bed.bed.parameters()
    change(&parameters)
    return try OfflineJobOrder(
      GenerateOfflineMapJobParameters(parameters: parameters, overrides: nil), title: "Casco")
  }

  /// The names of the files that a job has staged.
  private func staged(_ bed: OfflineJobBed) -> [String] {
    let folder = bed.bed.library.layout.staging(OfflineJobBed.jobName)
    return FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
  }

  private static let busy = DemoFailure(code: 500, "Try again.", details: [])
  private static let refusal = DemoFailure(code: 403, "Not permitted.", details: [])

  @Test func `The file of an abandoned copy is not part of the next attempt`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let order = try await order(bed) { parameters in
      parameters.continuesOnErrors = false
      parameters.onlineOnlyServicesOption = .include
    }
    // The copy is here by then.
    let fault = await bed.bed.state.add(
      DemoFault(.failure(Self.refusal), path: "*/MapServer*/jobs/*"))
    let journal = OfflineJobBed.Journal()
    await #expect(throws: JobInterruption.self) { try await bed.run(order, journal) }
    #expect(await bed.bed.transport.log.count(of: "/createReplica") == 1)
    #expect(!staged(bed).contains { $0.contains("replica_") })
    await bed.bed.state.removeFaults(fault)
    _ = try await bed.run(order, journal)
    #expect(await bed.bed.transport.log.count(of: "/createReplica") == 2)
  }

  @Test func `A part that was damaged between two runs is fetched again`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let order = try await order(bed)
    let fault = await bed.bed.state.add(
      DemoFault(.failure(Self.busy), path: "*/MapServer*/jobs/*"))
    let library = bed.bed.library
    let surroundings = bed.bed.environment.surroundings
    let environment = OfflineEnvironment(
      library: library, connect: bed.bed.environment.connect,
      check: { url in
        guard url.pathExtension == "geodatabase" else { return url.lastPathComponent }
        do { _ = try await Geodatabase.open(at: url).schemas() } catch {
          throw OfflineMapError.damaged(file: url.lastPathComponent, reason: "it does not open.")
        }
        return url.lastPathComponent
      }, surroundings: surroundings)
    let journal = OfflineJobBed.Journal()
    let reporter = JobReporter(
      progress: { _ in }, message: { _, _ in }, checkpoint: { await journal.keep($0) })
    var job = Job(
      id: try #require(JobID(OfflineJobBed.jobName)), kind: order.kind, subject: order.subject,
      title: order.title, parameters: order.parameters, created: DemoBed.day, position: 0)
    let runner = OfflineJobRunner(environment)
    await #expect(throws: JobInterruption.self) {
      _ = try await runner.run(job, reporter: reporter)
    }
    let name = try #require(staged(bed).first { $0.hasSuffix(".geodatabase") })
    let file = library.layout.staging(OfflineJobBed.jobName).appending(path: name)
    try Data("no database".utf8).write(to: file)
    await bed.bed.state.removeFaults(fault)
    job.checkpoint = await journal.checkpoint
    _ = try await runner.run(job, reporter: reporter)
    let map = try #require(try await library.maps().first)
    let stored = library.layout.place(of: map).appending(path: name)
    #expect(try await !Geodatabase.open(at: stored).schemas().isEmpty)
  }

  @Test func `A copy that lacks a layer is fetched again even if the process fetching it died`()
    async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let parameters = try await bed.parameters(operational: [
      OfflineJobBed.layer(1, "Lighthouses"), OfflineJobBed.layer(0, "Towns"),
    ])
    let sources = try await MapSources.load(
      PortalItem.ID(parameters.webMap), from: bed.bed.portal)
    let part = try #require(
      OnDemandPlan(sources, parameters, nil).parts.first { !$0.layerIDs.isEmpty })
    let service = try #require(sources.features[part.serviceName])
    let layer = try #require(service.layer(1))
    var schema = try #require(layer.schema)
    schema.relationships = []
    let file = bed.bed.library.layout.staging(OfflineJobBed.jobName).appending(path: part.path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let half = GeodatabaseDefinition(name: "Half", tables: [service.table(layer, schema)])
    try GeodatabaseWriter(at: file, half, now: DemoBed.day) { UUID() }.finish()
    let made = try await bed.make(parameters)
    let there = try await made.geodatabase()?.schemas().compactMap(\.serviceLayerID) ?? []
    #expect(Set(there).isSuperset(of: [0, 1]))
    #expect(await bed.bed.transport.log.count(of: "/createReplica") == 1)
  }

  @Test func `A file of queries that lacks a layer is made again`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory).bed
    let url = try #require(URL(string: OfflineJobBed.service("ExploreMaine")))
    let service = FeatureService(url: url, client: bed.portal.client)
    let source = MapSources.Features(
      service: service, info: try await service.info(), layers: try await service.layers())
    let job = Job(
      id: try #require(JobID("job")), kind: "k", subject: "s", title: "S", parameters: Data(),
      created: DemoBed.day, position: 0)
    let book = OnDemandBook(
      job, JobReporter(progress: { _ in }, message: { _, _ in }, checkpoint: { _ in }))
    func work(_ layers: [Int]) -> PartWork {
      let options = GenerateGeodatabaseParameters(
        layerOptions: layers.map { GenerateLayerOption(layerID: $0) }, extent: DemoBed.casco,
        returnsAttachments: false, attachmentSyncDirection: .none, syncModel: .none)
      return PartWork(
        part: OnDemandPart(id: "features:a", url: url, work: .query(options), affects: ["A"]),
        features: source, tiles: nil, client: bed.portal.client, book: book, job: job,
        environment: bed.environment, portal: bed.portal.url)
    }
    try FileManager.default.createDirectory(
      at: work([1]).target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try await work([1]).finish()
    #expect(try await work([1]).isThere())
    #expect(try await !work([1, 0]).isThere())
    try await work([1, 0]).finish()
    #expect(try await work([1, 0]).isThere())
  }

  @Test func `The beginning of a part that could not be fetched is no part of the map`()
    async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let order = try await order(bed)
    let journal = OfflineJobBed.Journal()
    let busy = await bed.bed.state.add(
      DemoFault(.failure(Self.busy), path: "*/MapServer*/jobs/*"))
    await #expect(throws: JobInterruption.self) { try await bed.run(order, journal) }
    await bed.bed.state.removeFaults(busy)
    // As a download leaves it that breaks off.
    let data = try #require(await journal.checkpoint)
    let checkpoint = try JSONDecoder().decode(OnDemandCheckpoint.self, from: data)
    let exports = checkpoint.serverJobs.values.filter { $0.jobID != nil }
    try #require(!exports.isEmpty)
    let folder = bed.bed.library.layout.staging(OfflineJobBed.jobName).appending(path: "p13")
    for export in exports {
      try Data("half".utf8).write(
        to: folder.appending(path: "tiles_\(export.address.digest).tpkx.part"))
    }
    await bed.bed.state.add(DemoFault(.failure(Self.refusal), path: "*/MapServer*/jobs/*"))
    let outcome = try await bed.run(order, journal).outcome
    #expect(!outcome.isComplete)
    let map = try #require(try await bed.bed.library.maps().first)
    let place = bed.bed.library.layout.place(of: map)
    let names = FileManager.default.enumerator(atPath: place.path)?.compactMap { $0 as? String }
    #expect(names?.contains { $0.contains(".part") } == false)
  }

  @Test func `An export that the service has forgotten is requested again`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let order = try await order(bed)
    let gone = DemoFailure(code: 404, "Not found.", details: [])
    let fault = await bed.bed.state.add(DemoFault(.failure(gone), path: "*/MapServer*/jobs/*"))
    let journal = OfflineJobBed.Journal()
    await #expect(throws: JobInterruption.self) { try await bed.run(order, journal) }
    let data = try #require(await journal.checkpoint)
    let checkpoint = try JSONDecoder().decode(OnDemandCheckpoint.self, from: data)
    #expect(checkpoint.serverJobs.values.allSatisfy { $0.jobID == nil })
    await bed.bed.state.removeFaults(fault)
    #expect(try await bed.run(order, journal).outcome.failedItems.allSatisfy { !$0.name.isEmpty })
  }

  /// The web map of a job that has met a busy server of tiles, once its copy of features was here.
  private func interrupted(
    _ bed: OfflineJobBed, _ journal: OfflineJobBed.Journal, _ layers: [JSONValue]
  ) async throws -> (order: OfflineJobOrder, webMap: String) {
    let basemap = [OfflineJobBed.pictures]
    let parameters = try await bed.parameters(operational: layers, basemap: basemap)
    let order = try OfflineJobOrder(
      GenerateOfflineMapJobParameters(parameters: parameters), title: "Casco")
    let fault = await bed.bed.state.add(
      DemoFault(.failure(Self.busy), path: "*/MapServer*/jobs/*"))
    await #expect(throws: JobInterruption.self) { try await bed.run(order, journal) }
    await bed.bed.state.removeFaults(fault)
    try #require(staged(bed).contains { $0.hasSuffix(".geodatabase") })
    return (order, parameters.webMap)
  }

  private static let lights = OfflineJobBed.layer(1, "Lighthouses")
  private static let oneLight = OfflineJobBed.layer(
    1, "Lighthouses", where: "NAME = 'Portland Head Light'")

  @Test(arguments: [true, false])
  func `A copy is requested again only if the map now wants other rows`(
    _ isChanged: Bool
  ) async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let journal = OfflineJobBed.Journal()
    let (order, webMap) = try await interrupted(bed, journal, [Self.lights])
    await bed.put(
      webMap, operational: [isChanged ? Self.oneLight : Self.lights],
      basemap: [OfflineJobBed.pictures])
    #expect(try await bed.run(order, journal).outcome.isComplete)
    #expect(await bed.bed.transport.log.count(of: "/createReplica") == (isChanged ? 2 : 1))
    // The service hears that nobody needs the first one.
    let messages = try await bed.bed.storage.outgoingMessages()
    #expect(messages.count == (isChanged ? 1 : 0))
    let map = try #require(try await bed.bed.library.maps().first)
    let data = bed.bed.library.layout.place(of: map).appending(path: "p13")
    let names = try FileManager.default.contentsOfDirectory(atPath: data.path)
    let files = names.filter { $0.hasSuffix(".geodatabase") }
    #expect(files.count == 1)
    let store = try Geodatabase.open(at: data.appending(path: try #require(files.first)))
    let count = try await store.count(in: "Lighthouses", matching: QueryParameters())
    #expect((count == 1) == isChanged)
  }

  @Test func `The copy of a service that the map does not show any more is no part of it`()
    async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let journal = OfflineJobBed.Journal()
    let (order, webMap) = try await interrupted(bed, journal, [Self.lights])
    await bed.put(webMap, operational: [], basemap: [OfflineJobBed.pictures])
    #expect(try await bed.run(order, journal).outcome.isComplete)
    #expect(try await bed.bed.storage.outgoingMessages().count == 1)
    let map = try #require(try await bed.bed.library.maps().first)
    let place = bed.bed.library.layout.place(of: map)
    let names = FileManager.default.enumerator(atPath: place.path)?.compactMap { $0 as? String }
    #expect(names?.contains { $0.hasSuffix(".geodatabase") } == false)
  }

  @Test func `A copy that the service no longer has is requested again`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let order = try await order(bed)
    let gone = DemoFailure(code: 404, "Not found.", details: [])
    // Its job is known and ended well, but the file was cleared away since.
    let fault = await bed.bed.state.add(DemoFault(.failure(gone), path: "*/replicafilescache/*"))
    let journal = OfflineJobBed.Journal()
    await #expect(throws: JobInterruption.self) { try await bed.run(order, journal) }
    #expect(await bed.bed.transport.log.count(of: "/createReplica") == 1)
    await bed.bed.state.removeFaults(fault)
    let outcome = try await bed.run(order, journal).outcome
    #expect(outcome.failedItems.filter(\.isFailure).map(\.name) == ["Harbor lights"])
    #expect(await bed.bed.transport.log.count(of: "/createReplica") == 2)
  }

  private static let errors: [(any Error & Sendable, JobFailureKind?)] = [
    (LibraryError.unwritable(file: "a", reason: "b"), nil), (LibraryError.diskFull(file: "a"), nil),
    (JobError.journal(file: "a", reason: "b"), nil), (PortalError.cancelled, nil),
    (PortalError.signInNeeded(host: "a"), nil),
    (OfflineMapError.damaged(file: "a", reason: "b"), .damaged),
    (OfflineMapError.serverJobFailed(service: "a", reason: "b"), .refused),
    (OfflineMapError.serverJobForgotten(service: "a"), .transient),
  ]

  @Test(arguments: errors.indices)
  func `Only what is wrong with a part itself leaves it out of the map`(_ index: Int) throws {
    let (error, kind) = Self.errors[index]
    let job = Job(
      id: try #require(JobID("job")), kind: "k", subject: "s", title: "S", parameters: Data(),
      created: DemoBed.day, position: 0)
    let part = OnDemandPart(
      id: "a", url: URL(filePath: "/a"),
      work: .query(
        GenerateGeodatabaseParameters(
          layerOptions: [], extent: DemoBed.casco, returnsAttachments: false,
          attachmentSyncDirection: .none, syncModel: .none)), affects: ["A"])
    var ledger = OnDemandLedger(job, continuesOnErrors: true)
    if let kind {
      #expect(try ledger.add(part, error).kind == kind)
    } else {
      #expect(throws: JobInterruption.self) { try ledger.add(part, error) }
    }
    #expect(ledger.items.count == (kind == nil ? 0 : 1))
    var strict = OnDemandLedger(job, continuesOnErrors: false)
    #expect(throws: JobInterruption.self) { try strict.add(part, error) }
  }
}
