import Foundation
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanOffline

/// The decisions of a download of an area on stored data, and on answers that it does not get.
@Suite(.temporaryDirectory) struct DownloadDecisionTests {
  private func plan(_ bed: OfflineBed) async throws -> DownloadPlan {
    try await AreaContents.load(bed.area, from: bed.server.portal).plan
  }

  private func download(_ bed: OfflineBed, _ name: String = "job-1") throws -> Job {
    try bed.job(name, OfflineJobKind.preplannedArea.id, bed.area)
  }

  // MARK: - What is here

  @Test func `What has begun to arrive counts as here if it is of the version that is wanted`()
    async throws
  {
    let bed = try OfflineBed(in: temporaryDirectory)
    let plan = try await plan(bed)
    let folder = bed.layout.staging("job-1")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "p13"), withIntermediateDirectories: true)
    var versions = FileVersions()
    for file in plan.files {
      versions[file.path] = file.version
      try Data("GOOD".utf8).write(to: folder.appending(path: "\(file.path).part"))
    }
    try versions.write(to: folder)
    let begun = try await bed.environment.estimate(plan, job: "job-1")
    #expect(begun.files.map(\.presentBytes) == [4, 4] && begun.bytesToFetch == 23 - 8)
    #expect(try await bed.environment.estimate(plan, job: "job-2").presentBytes == 0)
    bed.server.renew(AreaPortal.tiles)
    let renewed = try await bed.environment.estimate(try await self.plan(bed), job: "job-1")
    #expect(renewed.files.map(\.presentBytes) == [4, 0])
  }

  @Test func `A download of an unknown version is fetched again from the start`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    bed.server.answer(data: AreaPortal.tiles, with: [.error(.offline)])
    let job = try download(bed)
    #expect(await bed.run(job) == .failure(.waiting(.network)))
    #expect(bed.server.downloads(of: AreaPortal.features) == 1)
    try Data("{".utf8).write(
      to: bed.layout.staging("job-1").appending(path: FileVersions.fileName))
    #expect(try await bed.run(job).get().isComplete)
    #expect(bed.server.downloads(of: AreaPortal.features) == 2)
  }

  @Test func `Parts that an area no longer has are removed even if begun, and the map keeps them`()
    async throws
  {
    let bed = try OfflineBed(in: temporaryDirectory)
    _ = try await bed.run(download(bed)).get()
    let map = try #require(await bed.storage.storedMaps().first)
    let before = try await plan(bed)
    let tiles = try #require(before.files.first { $0.path.hasSuffix(".tpk") })
    let reduced = DownloadPlan(
      mapID: before.mapID, form: before.form, files: before.files.filter { $0 != tiles })
    let staged = StagedDownload(
      plan: reduced, job: try download(bed, "job-2"), environment: bed.environment)
    try await bed.library.reuse(map.id, in: "job-2")
    for suffix in [".part", ".part.json"] {
      try Data("begun".utf8).write(to: staged.folder.appending(path: tiles.path + suffix))
    }
    try await staged.prepare()
    let names = try FileManager.default.contentsOfDirectory(
      atPath: staged.folder.appending(path: "p13").path(percentEncoded: false))
    #expect(!names.contains { $0.contains(AreaPortal.tiles) }, "\(names)")
    let versions = try FileVersions(in: staged.folder)
    #expect(versions[tiles.path] == nil)
    #expect(reduced.files.allSatisfy { versions[$0.path] == $0.version })
    let place = bed.layout.place(of: map)
    #expect(try FileVersions(in: place)[tiles.path] == tiles.version)
    #expect(try Data(contentsOf: place.appending(path: tiles.path)) == Data("GOOD tiles".utf8))
  }

  @Test func `Versions of files that cannot be read for the moment are not taken for none`()
    async throws
  {
    let bed = try OfflineBed(in: temporaryDirectory)
    let staged = StagedDownload(
      plan: try await plan(bed), job: try download(bed), environment: bed.environment)
    try await staged.prepare()
    #expect(try FileVersions(in: staged.folder) == FileVersions())
    let record = staged.folder.appending(path: FileVersions.fileName)
    try Data("{".utf8).write(to: record)
    #expect(try FileVersions(in: staged.folder) == FileVersions())
    try FileManager.default.removeItem(at: record)
    try FileManager.default.createDirectory(at: record, withIntermediateDirectories: false)
    #expect(throws: LibraryError.self) { try FileVersions(in: staged.folder) }
    await #expect(throws: LibraryError.self) { try await staged.prepare() }
  }

  // MARK: - Without the basemap

  /// A layer that shows the tiles of the area.
  private static let tiles = """
    {"id": "a", "title": "Tiled", "layerType": "ArcGISTiledMapServiceLayer",
     "url": "https://server.example/services/Base/MapServer"}
    """

  @Test(arguments: [("", tiles, false), (tiles, tiles, true), (tiles, "", true), ("", "", true)])
  func `Only packages that nothing but the basemap needs stay away with it`(
    _ layers: String, _ basemap: String, _ isFetched: Bool
  ) async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    let map = """
      {"version": "2.10", "operationalLayers": [\(layers)],
       "baseMap": {"title": "Base", "baseMapLayers": [\(basemap)]}}
      """
    bed.server.answer(data: AreaPortal.webMap, with: Array(repeating: .json(map), count: 9))
    var parameters = try bed.area
    parameters.includesBasemap = false
    let estimate = try await bed.environment.estimate(bed.order(parameters))
    #expect(estimate.files.map(\.title) == (isFetched ? ["Features", "Tiles"] : ["Features"]))
  }

  @Test func `A map without its basemap shows its other layers all the same`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    var parameters = try bed.area
    parameters.includesBasemap = false
    _ = try await bed.run(bed.job("job-1", OfflineJobKind.preplannedArea.id, parameters)).get()
    let map = try #require(await bed.storage.storedMaps().first)
    let document = bed.layout.place(of: map).appending(path: "p13/mobile_map.mmap")
    let json = try JSONValue(parsing: Data(contentsOf: document))["map"]
    #expect(json?["baseMap"]?["baseMapLayers"]?.array?.isEmpty == true)
    let parks = json?["operationalLayers"]?[0]?["layers"]?[0]
    #expect(
      parks?["path"]?.string == "file:./\(AreaPortal.features).geodatabase?itemId=3")
  }

  // MARK: - What is not answered

  private static let basemap = "/content/items/\(AreaPortal.basemap)"
  private static let busy = #"{"error": {"code": 503, "message": "Busy.", "details": []}}"#
  private static let gone =
    #"{"error": {"code": 400, "messageCode": "CONT_0001", "message": "Item does not exist."}}"#
  private static let closed =
    #"{"error": {"code": 403, "messageCode": "GWM_0003", "message": "You do not have access."}}"#

  @Test(arguments: [
    AreaPortal.Mishap.error(.offline), .error(.timedOut("a", phase: .firstByte)), .json(busy),
  ])
  func `A basemap whose service could not be asked for keeps its map from being stored without it`(
    _ mishap: AreaPortal.Mishap
  ) async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    bed.server.useVectorBasemap(.itemURL)
    bed.server.answer(path: Self.basemap, with: [mishap])
    switch await bed.run(try download(bed)) {
    case .failure(.waiting(.network)): break
    case .failure(.failed(let failure)): #expect(failure.kind == .transient)
    case let other: Issue.record("ended as \(other)")
    }
    #expect(await bed.storage.storedMaps().isEmpty)
    #expect(bed.server.downloads(of: AreaPortal.vectorTiles) == 0)
    #expect(try await bed.run(download(bed)).get() == JobOutcome())
  }

  @Test(arguments: [gone, closed])
  func `A basemap that the portal does not list is named, and the rest is stored`(
    _ answer: String
  ) async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    bed.server.useVectorBasemap(.itemURL)
    bed.server.answer(path: Self.basemap, with: Array(repeating: .json(answer), count: 9))
    let outcome = try await bed.run(download(bed)).get()
    #expect(outcome.failedItems.map(\.affects) == [["World"]] && outcome.isComplete)
    #expect(await bed.storage.storedMaps().count == 1)
  }

  @Test func `An invalid area is refused before anything of it is fetched`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    var parameters = try bed.area
    parameters.area = AreaPortal.features
    let job = try bed.job("job-1", OfflineJobKind.preplannedArea.id, parameters)
    let error = OfflineMapError.wrongItemType(
      item: "Features", type: "SQLite Geodatabase", expected: "Map Area")
    #expect(await bed.run(job) == .failure(.failed(JobFailure(error, kind: .refused))))
    #expect(bed.layout.contents(of: .staging).isEmpty)
    #expect(bed.server.downloads(of: AreaPortal.features) == 0)
  }

  @Test(arguments: [
    ("Map Area", "Search for an area or a mobile map package."),
    ("Web Map", "Search for a web map."),
  ])
  func `Who gives the id of something else is advised to look for what is needed`(
    _ expected: String, _ advice: String
  ) {
    let error = OfflineMapError.wrongItemType(
      item: "Casco Bay", type: "Mobile Map Package", expected: expected)
    #expect(error.recoverySuggestion == advice)
  }
}
