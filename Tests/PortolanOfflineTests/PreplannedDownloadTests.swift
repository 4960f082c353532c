import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Synchronization
import Testing

@testable import PortolanOffline

@Suite(.temporaryDirectory) struct PreplannedDownloadTests {
  private static let day = Date(timeIntervalSince1970: 1_795_000_000)
  private let server = AreaPortal()
  private let storage = InMemoryMapStorage()
  private let clock = ManualClock()

  /// Everything was brought; a layer of the map is in no package.
  private static let whole = JobOutcome(failedItems: [
    JobFailedItem(
      name: "Weather", address: "https://wms.example", attempts: 0, affects: ["Weather"],
      failure: JobFailure(
        message: "It is not in any package of the area and needs a network.",
        kind: .excluded))
  ])

  private var layout: HomeLayout { HomeLayout(home: temporaryDirectory.appending(path: "home")) }

  private func library() throws -> MapLibrary {
    try layout.prepare()
    return MapLibrary(
      layout: layout, storage: storage, now: { Self.day },
      unsentEdits: { try await UnsentEdits.count(in: $0) })
  }

  private func runner(free: Int? = nil) throws -> OfflineJobRunner {
    let portal = try server.portal
    return OfflineJobRunner(
      OfflineEnvironment(
        library: try library(), connect: { _ in portal },
        check: { url in
          var isFolder: ObjCBool = false
          let path = url.path(percentEncoded: false)
          if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
            isFolder.boolValue
          {
            return "map"
          }
          let text = try String(contentsOf: url, encoding: .utf8)
          guard text.hasPrefix("GOOD") else {
            throw OfflineMapError.damaged(file: url.lastPathComponent, reason: "it is not good.")
          }
          return text
        },
        surroundings: OfflineSurroundings(
          freeSpace: { _ in free }, clock: clock, now: { Self.day }, chance: { 0 },
          makeID: { UUID() })))
  }

  private func job(area: String = AreaPortal.area, continuesOnErrors: Bool = true) throws -> Job {
    let parameters = DownloadPreplannedOfflineMapParameters(
      portal: try server.portal.url, webMap: AreaPortal.webMap, area: area,
      continuesOnErrors: continuesOnErrors)
    return Job(
      id: try #require(JobID("job-1")), kind: OfflineJobKind.preplannedArea.id, subject: area,
      title: "Coast", parameters: try JSONEncoder().encode(parameters), created: Self.day,
      position: 0)
  }

  private func run(
    _ runner: OfflineJobRunner, _ job: Job
  ) async -> Result<JobOutcome, JobInterruption> {
    do throws(JobInterruption) {
      return .success(
        try await runner.run(
          job,
          reporter: JobReporter(
            progress: { _ in }, message: { _, _ in }, checkpoint: { _ in })))
    } catch {
      return .failure(error)
    }
  }

  private func stored(_ path: String) throws -> JSONValue {
    let url = layout.folder(.maps).appending(path: "\(AreaPortal.area)/1/\(path)")
    return try JSONValue(parsing: Data(contentsOf: url))
  }

  // MARK: - Areas

  @Test func `Areas are listed with their state and their shape`() async throws {
    let task = OfflineMapTask(
      portal: try server.portal, webMap: try PortalItem.ID(AreaPortal.webMap))
    let areas = try await task.preplannedMapAreas()
    #expect(areas.map(\.packagingStatus) == [.complete, .processing, .failed])
    #expect(areas.map(\.canDownload) == [true, false, false])
    guard case .polygon(let polygon)? = areas[0].areaOfInterest else {
      Issue.record("no polygon but \(String(describing: areas[0].areaOfInterest))")
      return
    }
    #expect(polygon.rings.count == 1 && areas[0].spatialReference?.isWGS84 == true)
    let packages = try await task.packages(of: areas[0])
    #expect(packages.map(\.kind) == [.geodatabase, .tilePackage])
    #expect(packages.map(\.byteCount) == [13, 10])
  }

  @Test(arguments: [
    ("http://Server.example/services/Parks/FeatureServer/3", true),
    ("https://server.example/services/Parks/FeatureServer?token=x", true),
    ("https://server.example/services/Parks2/FeatureServer/3", false),
    ("https://server.example/services/Parks/FeatureServerX", false),
  ])
  func `A package is matched to layers without scheme and case`(
    _ address: String, _ isHeld: Bool
  ) async throws {
    let task = OfflineMapTask(
      portal: try server.portal, webMap: try PortalItem.ID(AreaPortal.webMap))
    let areas = try await task.preplannedMapAreas()
    let package = try #require(try await task.packages(of: areas[0]).first)
    #expect(package.holds(address) == isHeld)
  }

  @Test(
    arguments: [
      ("0 0 3 ? * MON", .downloadScheduledUpdates), (nil, .syncWithFeatureServices),
    ] as [(String?, DownloadPreplannedOfflineMapParameters.UpdateMode)])
  func `By default everything is downloaded, and updated as the area allows`(
    _ schedule: String?, _ mode: DownloadPreplannedOfflineMapParameters.UpdateMode
  ) async throws {
    let task = OfflineMapTask(
      portal: try server.portal, webMap: try PortalItem.ID(AreaPortal.webMap))
    var area = try #require(try await task.preplannedMapAreas().first)
    area.packageRefreshSchedule = schedule
    let parameters = try await task.makeDefaultDownloadPreplannedOfflineMapParameters(
      preplannedMapArea: area)
    #expect(parameters.updateMode == mode)
    #expect(parameters.includesBasemap && parameters.continuesOnErrors)
    #expect(parameters.area == AreaPortal.area && parameters.webMap == AreaPortal.webMap)
  }

  // MARK: - Downloading

  @Test func `The log of a download names the layers that no package has`() async throws {
    let told = Mutex<[String]>([])
    let reporter = JobReporter(
      progress: { _ in }, message: { text, _ in told.withLock { $0.append(text) } },
      checkpoint: { _ in })
    _ = try await runner().run(try job(), reporter: reporter)
    #expect(
      told.withLock(\.self).contains(
        "Weather: It is not in any package of the area and needs a network."))
  }

  @Test func `An area becomes an offline map in the layout of ArcGIS`() async throws {
    #expect(await run(try runner(), try job()) == .success(Self.whole))
    let map = try #require(await storage.storedMaps().first)
    #expect(map.title == "Coast" && map.omissions.isEmpty && map.byteCount > 23)
    #expect(try stored("package.info")["maps"]?[0] == "mobile_map")
    let layers = try stored("p13/mobile_map.mmap")["map"]
    let parks = layers?["operationalLayers"]?[0]?["layers"]?[0]
    #expect(parks?["path"]?.string == "file:./\(AreaPortal.features).geodatabase?itemId=3")
    #expect(
      layers?["baseMap"]?["baseMapLayers"]?[0]?["path"]?.string
        == "file:./\(AreaPortal.tiles).tpk")
    let record = try stored("p13/mobile_map.marea")
    #expect(record["areaPortalItemID"]?.string == AreaPortal.area)
    #expect(record["packages"]?[0]?["currentServerGen"] == 42)
    #expect(record["packages"]?[0]?["preplannedUpdateMode"] == "syncWithFeatureServices")
    #expect(record["packages"]?[1]?["preplannedUpdateMode"] == nil)
    #expect(layout.contents(of: .staging).isEmpty)
  }

  @Test(arguments: AreaPortal.VectorBasemap.allCases.filter { $0 != .nothing })
  func `A basemap that names an item, a style or another host is in the offline map`(
    _ basemap: AreaPortal.VectorBasemap
  ) async throws {
    server.useVectorBasemap(basemap)
    #expect(await run(try runner(), try job()) == .success(JobOutcome()))
    let layer = try stored("p13/mobile_map.mmap")["map"]?["baseMap"]?["baseMapLayers"]?[0]
    #expect(layer?["path"]?.string == "file:./\(AreaPortal.vectorTiles).vtpk")
  }

  @Test func `A vector basemap that no package can be matched to is reported`() async throws {
    server.useVectorBasemap(.nothing)
    let outcome = try await run(try runner(), try job()).get()
    #expect(outcome.failedItems.map(\.affects) == [["World"]])
    #expect(outcome.failedItems.map(\.failure.kind) == [.excluded])
  }

  @Test func `A name that the portal gives is never a path here`() async throws {
    _ = await run(try runner(), try job())
    let outside = temporaryDirectory.appending(path: "escape.geodatabase")
    #expect(!FileManager.default.fileExists(atPath: outside.path(percentEncoded: false)))
  }

  @Test(arguments: [
    (AreaPortal.packing, OfflineMapError.packagingNotComplete(area: "Hills")),
    (AreaPortal.broken, .packagingFailed(area: "Marsh")),
  ])
  func `An area that is not packaged fails with its reason`(
    _ area: String, _ error: OfflineMapError
  ) async throws {
    #expect(
      await run(try runner(), try job(area: area))
        == .failure(.failed(JobFailure(error, kind: .absent))))
    #expect(layout.contents(of: .staging).isEmpty)
  }

  @Test func `Without free space nothing is written, and the shortfall is reported`() async throws {
    let result = await run(try runner(free: 1_000), try job())
    #expect(result == .failure(.waiting(.space(missing: 23 + (1 << 20) - 1_000))))
    #expect(layout.contents(of: .staging).isEmpty)
    #expect(!server.requests.contains { $0.hasSuffix("/data") && $0.contains("/b") })
  }

  @Test(arguments: [
    (AreaPortal.Mishap.error(.offline), JobInterruption.waiting(.network)),
    (.error(.diskFull(file: "f", needed: 7)), .waiting(.space(missing: 7))),
    (
      .json(#"{"error": {"code": 499, "message": "Token Required", "details": []}}"#),
      .waiting(.signIn(host: "portal.example"))
    ),
    (.error(.cancelled), .stopped),
  ])
  func `Missing parts are awaited, and received parts stay`(
    _ mishap: AreaPortal.Mishap, _ interruption: JobInterruption
  ) async throws {
    server.answer(data: AreaPortal.tiles, with: [mishap])
    let (runner, job) = (try runner(), try job())
    #expect(await run(runner, job) == .failure(interruption))
    #expect(await storage.storedMaps().isEmpty)
    #expect(await run(runner, job) == .success(Self.whole))
    let fetched = server.requests.filter { $0 == "/content/items/\(AreaPortal.features)/data" }
    #expect(fetched.count == 1)
  }

  @Test func `A missing package leaves the others, and can be fetched later alone`()
    async throws
  {
    let gone =
      #"{"error": {"code": 400, "messageCode": "CONT_0001", "message": "Item does not exist or is inaccessible.", "details": []}}"#
    server.answer(data: AreaPortal.tiles, with: [.json(gone)])
    let (runner, job) = (try runner(), try job())
    let first = try await run(runner, job).get()
    let item = try #require(first.failedItems.first)
    #expect(first.failedItems.map(\.isFailure) == [true, false] && !first.isComplete)
    #expect(item.name == "Tiles" && item.affects == ["Base"] && item.attempts == 1)
    #expect(
      item.address == "https://portal.example/sharing/rest/content/items/\(AreaPortal.tiles)/data")
    #expect(item.status == 400 && item.failure.kind == .absent)
    #expect(await storage.storedMaps().first?.omissions.count == 1)
    #expect(try await run(runner, job).get() == Self.whole)
    let fetched = server.requests.filter { $0 == "/content/items/\(AreaPortal.features)/data" }
    #expect(fetched.count == 1)
    #expect(await storage.storedMaps().first?.omissions == [])
    let tiles = layout.folder(.maps).appending(
      path: "\(AreaPortal.area)/2/p13/\(AreaPortal.tiles).tpk")
    #expect(try Data(contentsOf: tiles) == Data("GOOD tiles".utf8))
  }

  @Test func `Without continuing on errors a missing package ends the job`() async throws {
    let gone = #"{"error": {"code": 404, "message": "Not found", "details": []}}"#
    server.answer(data: AreaPortal.features, with: [.json(gone)])
    let result = await run(try runner(), try job(continuesOnErrors: false))
    guard case .failure(.failed(let failure)) = result else {
      Issue.record("ended as \(result)")
      return
    }
    #expect(failure.kind == .absent)
    #expect(await storage.storedMaps().isEmpty)
  }

  @Test func `Damaged data is fetched once more, then reported`() async throws {
    let bad = AreaPortal.Mishap.bytes(Data("BAD".utf8))
    server.answer(data: AreaPortal.features, with: [bad])
    #expect(await run(try runner(), try job()) == .success(Self.whole))
    server.answer(data: AreaPortal.features, with: [bad, bad])
    // The data of this portal are no database, whose edits could be counted.
    try await library().delete(#require(MapID(AreaPortal.area)), discardingEdits: true)
    let outcome = try await run(try runner(), try job()).get()
    #expect(outcome.failedItems.filter(\.isFailure).map(\.failure.kind) == [.damaged])
    let files = FileManager.default.enumerator(at: layout.home, includingPropertiesForKeys: nil)
    let stored = try #require(files?.allObjects as? [URL])
    #expect(!stored.contains { (try? Data(contentsOf: $0)) == Data("BAD".utf8) })
  }

  @Test func `Cancelling leaves nothing`() async throws {
    server.answer(data: AreaPortal.tiles, with: [.error(.offline)])
    let (runner, job) = (try runner(), try job())
    _ = await run(runner, job)
    #expect(!layout.contents(of: .staging).isEmpty)
    try await runner.discard(job)
    try await runner.discard(job)
    #expect(layout.contents(of: .staging).isEmpty)
  }

  @Test func `Parameters of another version are reported, not guessed`() async throws {
    var job = try job()
    job.parameters = Data("?".utf8)
    #expect(
      await run(try runner(), job)
        == .failure(.failed(JobFailure(OfflineMapError.badParameters, kind: .refused))))
  }

  @Test func `A tile package of this device replaces the basemap`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    let file = temporaryDirectory.appending(path: "Streets.tpkx")
    try Data("GOOD streets".utf8).write(to: file)
    var parameters = try bed.area
    parameters.referenceBasemap = file
    let outcome = try await bed.run(bed.job("job-1", OfflineJobKind.preplannedArea.id, parameters))
      .get()
    #expect(outcome.isComplete && bed.server.downloads(of: AreaPortal.tiles) == 0)
    let layers = try stored("p13/mobile_map.mmap")["map"]?["baseMap"]?["baseMapLayers"]
    #expect(layers?[0]?["path"]?.string == "file:./basemap.tpkx" && layers?[1] == nil)
    let copy = bed.layout.folder(.maps).appending(path: "\(AreaPortal.area)/1/p13/basemap.tpkx")
    #expect(try Data(contentsOf: copy) == Data("GOOD streets".utf8))
  }

  @Test(arguments: ["Streets.png", "Streets.tpk"])
  func `A basemap that cannot be used is reported`(_ name: String) async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    var parameters = try bed.area
    parameters.referenceBasemap = temporaryDirectory.appending(path: name)
    let result = await bed.run(try bed.job("job-1", OfflineJobKind.preplannedArea.id, parameters))
    guard case .failure(.failed(let failure)) = result else {
      Issue.record("ended as \(result)")
      return
    }
    #expect(failure.kind == .device && failure.message.contains(name))
    #expect(await bed.storage.storedMaps().isEmpty)
  }
}
