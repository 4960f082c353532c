import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanGeometry
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanLocks
import PortolanMap
import PortolanPackages
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanOffline

/// Making offline maps from the demo portal, with faults.
@Suite(.temporaryDirectory) struct OnDemandJobTests {
  private static let service = "/arcgis/rest/services/ExploreMaine/FeatureServer"

  /// Keeps what a job wrote down, as the journal does.
  private actor Journal {
    private(set) var checkpoint: Data?
    func keep(_ data: Data?) { checkpoint = data }
  }

  /// As long as the ids of jobs are.
  private static let jobName = "7e4a1d3c-5b60-4f0e-9a51-0c2d8f6b1e90"

  private let journal = Journal()

  private func job(
    _ parameters: GenerateOfflineMapParameters, attempts: Int = 0
  ) async throws
    -> Job
  {
    let order = try OfflineJobOrder(
      GenerateOfflineMapJobParameters(parameters: parameters), title: "Casco")
    var job = Job(
      id: try #require(JobID(Self.jobName)), kind: order.kind, subject: order.subject,
      title: order.title, parameters: order.parameters, created: DemoBed.day, position: 0)
    job.checkpoint = await journal.checkpoint
    job.attempts = attempts
    return job
  }

  private func run(_ job: Job, _ bed: DemoBed) async -> Result<JobOutcome, JobInterruption> {
    let reporter = JobReporter(
      progress: { _ in }, message: { _, _ in }, checkpoint: { await journal.keep($0) })
    do throws(JobInterruption) {
      return .success(try await OfflineJobRunner(bed.environment).run(job, reporter: reporter))
    } catch {
      return .failure(error)
    }
  }

  private func replicas(_ bed: DemoBed) async throws -> Int {
    try await replicaTask(bed).replicas().count
  }

  private func replicaTask(_ bed: DemoBed) throws -> ReplicaTask {
    ReplicaTask(
      service: FeatureService(
        url: bed.portal.url.appending(path: Self.service), client: bed.portal.client))
  }

  private func deliverAll(_ bed: DemoBed) async throws {
    let portal = bed.portal
    let delivery = PortalOutboxDelivery(connect: { _ in portal }, now: { DemoBed.day })
    // A copy that is still being made is given up once it is there.
    for _ in 1...3 {
      for message in try await bed.storage.outgoingMessages() {
        do throws(JobInterruption) { try await delivery.deliver(message) } catch {
          guard case .failed(let failure) = error, failure.kind == .transient else { throw error }
          continue
        }
        try await bed.storage.remove(message.id)
      }
    }
    #expect(try await bed.storage.outgoingMessages().isEmpty)
  }

  @Test func `An area becomes a map that opens, with features, tiles and a registered copy`()
    async throws
  {
    let bed = try await DemoBed(in: temporaryDirectory, looksPerJob: 2)
    let parameters = try await bed.parameters()
    let outcome = try await run(try await job(parameters), bed).get()
    #expect(
      outcome.failedItems.map(\.name) == ["Land and water of the counties", "Harbor lights"])
    #expect(outcome.failedItems.map(\.failure.kind) == [.excluded, .signIn])
    let id = try #require(MapID(parameters.mapID))
    let lease = try await bed.library.open(id)
    #expect(lease.map.title == "Explore Maine")
    let package = try await MobileMapPackage.open(
      at: lease.url, unpackingInto: temporaryDirectory.appending(path: "u"), now: DemoBed.day)
    let map = try #require(package.maps.first?.webMap)
    #expect(map.layer(withID: "harbor-lights") == nil)
    let paths =
      map.allLayers.compactMap { $0.path?.text } + map.basemap.layers.compactMap { $0.path?.text }
    #expect(paths.contains { $0.contains(".geodatabase?itemId=") })
    #expect(paths.contains { $0.contains(".tpkx") })
    #expect(try await replicas(bed) == 1)
    #expect(await bed.transport.log.count(of: "/createReplica") == 1)
    let file = try geodatabase(in: lease.url)
    let store = try Geodatabase.open(at: file)
    #expect(try await store.count(in: "Lighthouses", matching: QueryParameters()) > 0)
  }

  @Test func `What cannot be taken by its nature is listed with its reason, and is no failure`()
    async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let imagery: JSONValue = [
      "id": "imagery", "title": "Imagery", "layerType": "ArcGISImageServiceLayer",
      "url": .string(OfflineJobBed.service("MaineImagery", "ImageServer")),
    ]
    let parameters = try await bed.parameters(operational: [
      OfflineJobBed.layer(1, "first"), OfflineJobBed.layer(1, "again"), imagery,
    ])
    let order = try OfflineJobOrder(
      GenerateOfflineMapJobParameters(parameters: parameters), title: "Casco")
    let journal = OfflineJobBed.Journal()
    let outcome = try await bed.run(order, journal).outcome
    #expect(outcome.isComplete)
    let sentences = [
      "again: The map has duplicate layers of this service layer; the first one is taken.",
      "Imagery: Export tiles is not enabled.",
    ]
    #expect(outcome.failedItems.map(\.sentence) == sentences)
    #expect(await journal.messages.filter(sentences.contains) == sentences)
    let lease = try await bed.bed.library.open(try #require(MapID(parameters.mapID)))
    #expect(lease.map.omissions == sentences)
  }

  @Test func `A map of which nothing comes fails for that, not for what is left out by its nature`()
    async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let parameters = try await bed.parameters(operational: [
      OfflineJobBed.layer(1, "first"), OfflineJobBed.layer(1, "again"),
    ])
    let order = try OfflineJobOrder(
      GenerateOfflineMapJobParameters(parameters: parameters), title: "Casco")
    let refusal = DemoFailure(code: 400, "Unable to complete operation.", details: [])
    await bed.bed.state.add(DemoFault(.failure(refusal), path: "*/createReplica"))
    do {
      _ = try await bed.run(order)
      Issue.record("The map was made without a layer.")
    } catch JobInterruption.failed(let failure) {
      #expect(failure.kind == .refused && !failure.message.contains("duplicate"))
    }
  }

  private func geodatabase(in folder: URL) throws -> URL {
    let data = folder.appending(path: "p13")
    let names = try FileManager.default.contentsOfDirectory(atPath: data.plainPath)
    return data.appending(path: try #require(names.first { $0.hasSuffix(".geodatabase") }))
  }

  @Test
  func `After a crash the jobs of the servers are asked for again, and none is started twice`()
    async throws
  {
    let bed = try await DemoBed(in: temporaryDirectory)
    let parameters = try await bed.parameters()
    let fault = await bed.state.add(
      DemoFault(.drop, path: "*/replicafilescache/*"))
    guard case .failure(.failed(let failure)) = await run(try await job(parameters), bed) else {
      Issue.record("the first run has not failed")
      return
    }
    #expect(failure.kind == .transient)
    await bed.state.removeFaults(fault)
    _ = try await run(try await job(parameters, attempts: 1), bed).get()
    #expect(await bed.transport.log.count(of: "/createReplica") == 1)
    #expect(await bed.transport.log.count(of: "/exportTiles") == 1)
    #expect(try await replicas(bed) == 1)
  }

  @Test func `A copy whose response was lost is unregistered, and another one is requested`()
    async throws
  {
    let bed = try await DemoBed(in: temporaryDirectory)
    let parameters = try await bed.parameters()
    let fault = await bed.state.add(DemoFault(.cut(after: 1), path: "*/createReplica"))
    guard case .failure = await run(try await job(parameters), bed) else {
      Issue.record("the first run has not failed")
      return
    }
    await bed.state.removeFaults(fault)
    _ = try await run(try await job(parameters, attempts: 1), bed).get()
    #expect(try await replicas(bed) > 1)
    try await deliverAll(bed)
    #expect(try await replicas(bed) == 1)
  }

  @Test func `A map that the disk did not confirm keeps the copies that services know`()
    async throws
  {
    let container = Locked<String?>(nil)
    let bed = try await DemoBed(
      in: temporaryDirectory, files: DemoBed.disk(unconfirming: container))
    guard case .failure = await run(try await job(bed.parameters()), bed) else {
      Issue.record("it was confirmed")
      return
    }
    #expect(try await bed.storage.outgoingMessages().isEmpty)
    #expect(try await replicas(bed) == 1)
    container.withLock { $0 = nil }
    try await bed.library.recover()
    #expect(try await bed.library.maps().count == 1)
  }

  /// The last run of a job whose map was stored although the disk did not confirm it, and was rolled back.
  private func takeBack(_ bed: DemoBed, _ container: Locked<String?>) async throws -> Job {
    let parameters = try await bed.parameters()
    let id = try #require(MapID(parameters.mapID))
    let library = MapLibrary(
      layout: bed.library.layout, storage: bed.storage, now: { DemoBed.day },
      unsentEdits: { _ in 0 })
    let first = library.layout.staging("first")
    try FileManager.default.createDirectory(at: first, withIntermediateDirectories: true)
    try Data("{}".utf8).write(to: first.appending(path: "package.info"))
    try await library.install(
      first,
      as: StoredMap(
        id: id, origin: .imported("first"), form: .folder, title: "Casco", installed: DemoBed.day,
        byteCount: 2))
    guard case .failure = await run(try await job(parameters), bed) else {
      Issue.record("it was confirmed")
      return try await job(parameters)
    }
    container.withLock { $0 = nil }
    try await bed.library.recover()
    #expect(try await bed.library.rollBack(id).version == 1)
    #expect(try await replicas(bed) == 1)
    return try await job(parameters)
  }

  @Test func `A failed job that is forgotten leaves its copies to an update that was taken back`()
    async throws
  {
    let container = Locked<String?>(nil)
    let bed = try await DemoBed(
      in: temporaryDirectory, files: DemoBed.disk(unconfirming: container))
    let job = try await takeBack(bed, container)
    try await OfflineJobRunner(bed.environment).discard(job)
    #expect(try await bed.storage.outgoingMessages().isEmpty)
    let id = try #require(MapID(job.subject))
    #expect(try await bed.library.rollBack(id).version == 2)
  }

  @Test func `A failed job that is begun again leaves the copies of an update that was taken back`()
    async throws
  {
    let container = Locked<String?>(nil)
    let bed = try await DemoBed(
      in: temporaryDirectory, files: DemoBed.disk(unconfirming: container))
    let job = try await takeBack(bed, container)
    _ = await run(job, bed)
    #expect(try await bed.storage.outgoingMessages().isEmpty)
    #expect(try await replicas(bed) == 2)
  }

  @Test func `A map that is stored without a part leaves no copy of it registered`()
    async throws
  {
    let bed = try await DemoBed(in: temporaryDirectory)
    let parameters = try await bed.parameters()
    await bed.state.add(DemoFault(.cut(after: 1), path: "*/createReplica"))
    for attempts in 0...1 { _ = await run(try await job(parameters, attempts: attempts), bed) }
    let outcome = try await run(try await job(parameters, attempts: 2), bed).get()
    #expect(outcome.failedItems.contains { $0.failure.kind == .transient })
    #expect(try await replicas(bed) > 2)
    try await deliverAll(bed)
    #expect(try await replicas(bed) == 0)
  }

  @Test func `A copy that a service has refused is looked for nowhere`()
    async throws
  {
    let bed = try await DemoBed(in: temporaryDirectory)
    let parameters = try await bed.parameters()
    let refusal = DemoFailure(code: 400, "Unable to complete operation.", details: [])
    await bed.state.add(DemoFault(.failure(refusal), path: "*/createReplica"))
    _ = await run(try await job(parameters), bed)
    try await OfflineJobRunner(bed.environment).discard(try await job(parameters))
    #expect(try await !bed.storage.outgoingMessages().contains { $0.id.text.hasPrefix("copy-") })
  }

  @Test func `A cancelled job leaves no copy registered`() async throws {
    let bed = try await DemoBed(in: temporaryDirectory)
    let parameters = try await bed.parameters()
    await bed.state.add(DemoFault(.drop, path: "*/replicafilescache/*"))
    _ = await run(try await job(parameters), bed)
    #expect(try await replicas(bed) == 1)
    try await OfflineJobRunner(bed.environment).discard(try await job(parameters))
    try await deliverAll(bed)
    #expect(try await replicas(bed) == 0)
    #expect(try await bed.library.maps().isEmpty)
  }

  @Test(arguments: ["another", nil])
  func `A copied home that cancels a job leaves the copy to the home in which it began`(
    _ home: String?
  ) async throws {
    let bed = try await DemoBed(in: temporaryDirectory)
    let parameters = try await bed.parameters()
    await bed.state.add(DemoFault(.drop, path: "*/replicafilescache/*"))
    _ = await run(try await job(parameters), bed)
    let folder = bed.library.layout.staging(try await job(parameters).id.text)
    var checkpoint = OnDemandCheckpoint(of: try await job(parameters))
    for part in Array(checkpoint.serverJobs.keys) { checkpoint.serverJobs[part]?.home = home }
    await journal.keep(try JSONEncoder().encode(checkpoint))
    // An older Portolan has noted it there alone.
    let beginning = folder.appending(path: ".portolan-home")
    if home == nil { try Data("another".utf8).write(to: beginning) }
    try await OfflineJobRunner(bed.environment).discard(try await job(parameters))
    try await deliverAll(bed)
    #expect(try await replicas(bed) == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test
  func `A copy that is still being made is cancelled at the service, once there is a network`()
    async throws
  {
    let bed = try await DemoBed(in: temporaryDirectory, looksPerJob: 1_000)
    let parameters = try await bed.parameters()
    let polls = await bed.state.add(DemoFault(.drop, path: "*/jobs/*"))
    _ = await run(try await job(parameters), bed)
    await bed.state.removeFaults(polls)
    let network = await bed.state.add(DemoFault(.drop))
    try await OfflineJobRunner(bed.environment).discard(try await job(parameters))
    let portal = bed.portal
    let delivery = PortalOutboxDelivery(connect: { _ in portal }, now: { DemoBed.day })
    for message in try await bed.storage.outgoingMessages() {
      await #expect(throws: JobInterruption.self) { try await delivery.deliver(message) }
    }
    #expect(try await bed.storage.outgoingMessages().count == 2)
    await bed.state.removeFaults(network)
    try await deliverAll(bed)
    #expect(
      await bed.transport.log.paths.contains {
        $0.contains("FeatureServer/jobs/") && $0.hasSuffix("/cancel")
      })
    #expect(try await replicas(bed) == 0)
  }

  @Test
  func `A copy is unregistered once it is made if its job cannot be cancelled at the service`()
    async throws
  {
    let bed = try await DemoBed(in: temporaryDirectory, looksPerJob: 3)
    let parameters = try await bed.parameters()
    let polls = await bed.state.add(DemoFault(.drop, path: "*/jobs/*"))
    _ = await run(try await job(parameters), bed)
    await bed.state.removeFaults(polls)
    let refusal = DemoFailure(code: 400, "Unable to complete operation.", details: [])
    await bed.state.add(DemoFault(.failure(refusal), path: "*/FeatureServer/jobs/*/cancel"))
    try await OfflineJobRunner(bed.environment).discard(try await job(parameters))
    try await deliverAll(bed)
    #expect(try await replicas(bed) == 0)
  }

  @Test(arguments: [(3, 1), (4, 0)])
  func `A copy is unregistered after the last transient failure, not before`(
    _ attempts: Int, _ count: Int
  ) async throws {
    let bed = try await DemoBed(in: temporaryDirectory)
    var parameters = try await bed.parameters()
    parameters.continuesOnErrors = false
    parameters.onlineOnlyServicesOption = .include
    let failure = DemoFailure(code: 503, "Service unavailable.", details: [])
    await bed.state.add(DemoFault(.failure(failure), path: "*/replicafilescache/*"))
    let result = await run(try await job(parameters, attempts: attempts), bed)
    guard case .failure(.failed(let failure)) = result else {
      Issue.record("the copy was fetched")
      return
    }
    #expect(failure.kind == .transient)
    try await deliverAll(bed)
    #expect(try await replicas(bed) == count)
  }

  @Test func `A job that fails as a whole leaves no copy registered`() async throws {
    let bed = try await DemoBed(in: temporaryDirectory)
    var parameters = try await bed.parameters()
    parameters.continuesOnErrors = false
    parameters.onlineOnlyServicesOption = .include
    let refusal = DemoFailure(code: 400, "Unable to complete operation.", details: [])
    await bed.state.add(DemoFault(.failure(refusal), path: "*/exportTiles"))
    guard case .failure(.failed(let failure)) = await run(try await job(parameters), bed) else {
      Issue.record("the tiles were exported")
      return
    }
    #expect(failure.kind == .refused)
    try await deliverAll(bed)
    #expect(try await replicas(bed) == 0)
  }

  @Test func `A job that fails as a whole keeps what it has taken over from the version before`()
    async throws
  {
    let bed = try await DemoBed(in: temporaryDirectory)
    var parameters = try await bed.parameters()
    let refusal = DemoFailure(code: 400, "Unable to complete operation.", details: [])
    let fault = await bed.state.add(DemoFault(.failure(refusal), path: "*/exportTiles"))
    _ = try await run(try await job(parameters), bed).get()
    await journal.keep(nil)
    (parameters.continuesOnErrors, parameters.onlineOnlyServicesOption) = (false, .include)
    guard case .failure(.failed) = await run(try await job(parameters), bed) else {
      Issue.record("the tiles were exported")
      return
    }
    let staged = bed.library.layout.staging(Self.jobName)
    _ = try geodatabase(in: staged)
    await bed.state.removeFaults(fault)
    (parameters.continuesOnErrors, parameters.onlineOnlyServicesOption) = (true, .exclude)
    _ = try await run(try await job(parameters), bed).get()
    #expect(await bed.transport.log.count(of: "/createReplica") == 1)
    try await deliverAll(bed)
    #expect(try await replicas(bed) == 1)
  }

  @Test func `A part that fails leaves the others, and is retried alone`() async throws {
    let bed = try await DemoBed(in: temporaryDirectory)
    let parameters = try await bed.parameters()
    let fault = await bed.state.add(
      DemoFault(
        .failure(DemoFailure(code: 400, "Unable to complete operation.", details: [])),
        path: "*/exportTiles"))
    let outcome = try await run(try await job(parameters), bed).get()
    #expect(outcome.failedItems.filter(\.isFailure).count == 2)
    await bed.state.removeFaults(fault)
    await journal.keep(nil)
    let second = try await run(try await job(parameters), bed).get()
    #expect(second.failedItems.filter(\.isFailure).map(\.name) == ["Harbor lights"])
    #expect(await bed.transport.log.count(of: "/createReplica") == 1)
  }

  @Test func `A part that is retried in vain makes no version of what is stored already`()
    async throws
  {
    let bed = try await DemoBed(in: temporaryDirectory)
    let parameters = try await bed.parameters()
    _ = try await run(try await job(parameters), bed).get()
    let map = try #require(try await bed.library.maps().first)
    await journal.keep(nil)
    let outcome = try await run(try await job(parameters), bed).get()
    #expect(outcome.failedItems.filter(\.isFailure).map(\.name) == ["Harbor lights"])
    #expect(try await bed.library.maps() == [map])
    #expect(try await bed.library.earlierVersions(of: map.id).isEmpty)
    #expect(bed.library.layout.contents(of: .staging).isEmpty)
  }

  @Test func `Without updates the service keeps nothing of the copy`() async throws {
    let bed = try await DemoBed(in: temporaryDirectory)
    var parameters = try await bed.parameters()
    parameters.updateMode = .noUpdates
    _ = try await run(try await job(parameters), bed).get()
    #expect(try await replicas(bed) == 0)
  }

  @Test func `An estimate counts features and tiles, and says what the service will not export`()
    async throws
  {
    let bed = try await DemoBed(in: temporaryDirectory)
    let parameters = try await bed.parameters()
    let estimate = try await OnDemandEstimate.make(
      parameters, portal: bed.portal, environment: bed.environment)
    #expect(estimate.isPossible)
    #expect(estimate.parts.contains { ($0.features ?? 0) > 0 })
    #expect(estimate.parts.contains { ($0.tiles ?? 0) > 0 && $0.bytes != nil })
    var large = estimate
    large.parts[0].tiles = 5000
    large.parts[0].tileLimit = 4000
    #expect(!large.isPossible)
    #expect(await bed.transport.log.count(of: "/createReplica") == 0)
  }

  @Test func `A service that makes no copies is copied by queries`() async throws {
    let bed = try await DemoBed(in: temporaryDirectory)
    let url = bed.portal.url.appending(path: "/arcgis/rest/services/MaineTowns/FeatureServer")
    let service = FeatureService(url: url, client: bed.portal.client)
    let source = MapSources.Features(
      service: service, info: try await service.info(), layers: try await service.layers())
    let layer = try #require(source.layer(0))
    let check = LayerCheck(service: source.info, layer: layer)
    #expect(check.issue == .syncNotEnabled && check.allowsCopy && !check.isEditable)
    let options = GenerateGeodatabaseParameters(
      layerOptions: [GenerateLayerOption(layerID: 0)], extent: DemoBed.casco,
      returnsAttachments: false, attachmentSyncDirection: .none, syncModel: .none,
      outSpatialReference: 102_100)
    let file = temporaryDirectory.appending(path: "towns.geodatabase")
    try await QueryGeodatabase(
      options: options, source: source, client: bed.portal.client, environment: bed.environment
    ).write(to: file) { #expect($0.isEmpty) }
    let name = try #require(layer.schema?.name)
    let count = try await Geodatabase.open(at: file).count(in: name, matching: QueryParameters())
    var query = ServiceQueryParameters()
    query.geometry = DemoBed.casco.geometry
    query.geometrySpatialReference = .wgs84
    #expect(count > 0)
    #expect(try await service.table(0).count(matching: query) == count)
  }

  @Test func `Features that a polygon does not touch are not taken`() async throws {
    let bed = try await DemoBed(in: temporaryDirectory)
    var parameters = try await bed.parameters()
    let box = try await counted(parameters, bed)
    let corners = [(-70.6, 43.4), (-69.9, 43.4), (-70.6, 43.9), (-70.6, 43.4)]
    let ring = Path(corners.map { Coordinate(x: $0.0, y: $0.1) })
    parameters.areaOfInterest = OfflineArea(Polygon(rings: [ring]), .wgs84)
    #expect(try await counted(parameters, bed) < box)
  }

  private func counted(
    _ parameters: GenerateOfflineMapParameters, _ bed: DemoBed
  ) async throws -> Int {
    let estimate = try await OnDemandEstimate.make(
      parameters, portal: bed.portal, environment: bed.environment)
    return estimate.parts.compactMap(\.features).reduce(0, +)
  }
}
