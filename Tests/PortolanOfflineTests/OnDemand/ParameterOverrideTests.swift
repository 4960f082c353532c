import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanGeometry
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanMap
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// The effect of further parameters, and of overrides of single services, on the package that is
/// made.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct ParameterOverrideTests {
  private static let layers = [
    OfflineJobBed.layer(1, "Lighthouses"), OfflineJobBed.layer(0, "Towns"),
  ]
  private static let events: JSONValue = [
    "id": "events", "title": "Lighthouse events", "layerType": "ArcGISFeatureLayer",
    "url": .string(OfflineJobBed.service("ExploreMaine") + "/6"),
  ]

  private func bed() async throws -> OfflineJobBed {
    try await OfflineJobBed(in: temporaryDirectory)
  }

  private func overrides(
    _ bed: OfflineJobBed, _ parameters: GenerateOfflineMapParameters
  ) async throws -> GenerateOfflineMapParameterOverrides {
    try await OfflineMapTask(
      portal: bed.bed.portal, webMap: try PortalItem.ID(parameters.webMap)
    ).makeGenerateOfflineMapParameterOverrides(parameters: parameters)
  }

  private func key(_ name: String, _ type: String = "FeatureServer") -> OfflineMapParametersKey {
    OfflineMapParametersKey(service: OfflineJobBed.service(name, type))
  }

  /// The bytes of the files of a kind in a map.
  private func size(_ made: OfflineJobBed.Made, _ suffix: String) throws -> Int {
    let data = made.url.appending(path: "p13")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: data.path(percentEncoded: false))
    return try names.filter { $0.hasSuffix(suffix) }.reduce(0) { sum, name in
      sum + (try Data(contentsOf: data.appending(path: name)).count)
    }
  }

  // MARK: - Tiles

  @Test func `An override of tiles changes the levels that are exported`() async throws {
    let bed = try await bed()
    let parameters = try await bed.parameters(operational: [], basemap: [OfflineJobBed.pictures])
    let whole = try size(try await bed.make(parameters), ".tpkx")
    var other = parameters
    other.mapID = UUID().uuidString.lowercased()
    var overrides = try await overrides(bed, other)
    let name = key("MaineBackdrop", "MapServer")
    let levels = try #require(overrides.exportTileCacheParameters[name]?.levelIDs)
    #expect(levels.count > 1)
    overrides.exportTileCacheParameters[name]?.levelIDs = [levels[0]]
    #expect(try size(try await bed.make(other, overrides), ".tpkx") < whole)
  }

  @Test func `An override of vector tiles changes the levels that are exported`() async throws {
    let bed = try await bed()
    let parameters = try await bed.parameters(operational: [], basemap: [OfflineJobBed.vectors])
    let whole = try size(try await bed.make(parameters), ".vtpk")
    var other = parameters
    other.mapID = UUID().uuidString.lowercased()
    var overrides = try await overrides(bed, other)
    let name = key("MaineVector", "VectorTileServer")
    let levels = try #require(overrides.exportVectorTilesParameters[name]?.levelIDs)
    #expect(levels.count > 1)
    overrides.exportVectorTilesParameters[name]?.levelIDs = [levels[0]]
    #expect(try size(try await bed.make(other, overrides), ".vtpk") < whole)
  }

  private static let portland = OfflineArea(
    Envelope(xMin: -70.3, yMin: 43.6, xMax: -70.2, yMax: 43.7), .wgs84)

  @Test(arguments: [true, false])
  func `An override of the area changes the tiles that are exported`(
    _ isVector: Bool
  ) async throws {
    let bed = try await bed()
    let parameters = try await bed.parameters(
      operational: [], basemap: [isVector ? OfflineJobBed.vectors : OfflineJobBed.pictures])
    let suffix = isVector ? ".vtpk" : ".tpkx"
    let whole = try size(try await bed.make(parameters), suffix)
    var other = parameters
    other.mapID = UUID().uuidString.lowercased()
    var overrides = try await overrides(bed, other)
    let (tiles, vectors) = (
      key("MaineBackdrop", "MapServer"), key("MaineVector", "VectorTileServer")
    )
    overrides.exportTileCacheParameters[tiles]?.areaOfInterest = Self.portland
    overrides.exportVectorTilesParameters[vectors]?.areaOfInterest = Self.portland
    #expect(try size(try await bed.make(other, overrides), suffix) < whole)
  }

  // MARK: - Features

  @Test func `An override of the area changes the rows of that service`() async throws {
    let bed = try await bed()
    let parameters = try await bed.parameters(operational: Self.layers)
    let whole = try await bed.make(parameters).count("Towns")
    var other = parameters
    other.mapID = UUID().uuidString.lowercased()
    var overrides = try await overrides(bed, other)
    overrides.generateGeodatabaseParameters[key("ExploreMaine")]?.extent = Self.portland
    #expect(try await bed.make(other, overrides).count("Towns") < whole)
  }

  @Test(arguments: [GenerateLayerOption.QueryOption.none, .useFilter, .all], [true, false])
  func `An override of a layer says whether the area limits its rows, or all else`(
    _ option: GenerateLayerOption.QueryOption, _ usesGeometry: Bool
  ) async throws {
    let bed = try await bed()
    let parameters = try await bed.parameters(operational: [OfflineJobBed.layer(0, "Towns")])
    var overrides = try await overrides(bed, parameters)
    var options = try #require(overrides.generateGeodatabaseParameters[key("ExploreMaine")])
    options.layerOptions[0].queryOption = option
    options.layerOptions[0].usesGeometry = usesGeometry
    overrides.generateGeodatabaseParameters[key("ExploreMaine")] = options
    let count = try await bed.make(parameters, overrides).count("Towns")
    let url = try #require(URL(string: OfflineJobBed.service("ExploreMaine")))
    let all = try await FeatureService(url: url, client: bed.bed.portal.client).table(0).count()
    switch option {
    case .none: #expect(count == 0)
    case .useFilter where usesGeometry: #expect(count > 0 && count < all)
    case .useFilter, .all: #expect(count == all)
    }
  }

  @Test(arguments: GenerateOfflineMapParameters.DestinationTableRowFilter.allCases)
  func `Rows of a table come along that relate to features, or all of them`(
    _ filter: GenerateOfflineMapParameters.DestinationTableRowFilter
  ) async throws {
    let bed = try await bed()
    var parameters = try await bed.parameters(operational: Self.layers, tables: [Self.events])
    parameters.destinationTableRowFilter = filter
    let count = try await bed.make(parameters).count("LighthouseEvents")
    let url = try #require(URL(string: OfflineJobBed.service("ExploreMaine")))
    let all = try await FeatureService(url: url, client: bed.bed.portal.client).table(6).count()
    #expect(count > 0 && (count == all) == (filter == .all))
  }

  @Test func `All rows of a table come whose features are left out`() async throws {
    let bed = try await bed()
    let parameters = try await bed.parameters(operational: Self.layers, tables: [Self.events])
    let task = OfflineMapTask(
      portal: bed.bed.portal, webMap: try PortalItem.ID(parameters.webMap))
    let overrides = try await task.makeGenerateOfflineMapParameterOverrides(
      parameters: parameters, leavingOut: ["Lighthouses"])
    let count = try await bed.make(parameters, overrides).count("LighthouseEvents")
    let url = try #require(URL(string: OfflineJobBed.service("ExploreMaine")))
    let all = try await FeatureService(url: url, client: bed.bed.portal.client).table(6).count()
    #expect(count == all && count > 0)
  }

  @Test func `Of two layers of one service layer that which is taken says which rows come`()
    async throws
  {
    let bed = try await bed()
    var parameters = try await bed.parameters(operational: [
      OfflineJobBed.layer(0, "online", where: "1 = 0"), OfflineJobBed.layer(0, "Towns"),
    ])
    try await keepOnline("online", of: &parameters, bed)
    let made = try await bed.make(parameters)
    #expect(made.map.layer(withID: "online")?.path == nil)
    #expect(made.map.layer(withID: "Towns")?.path != nil)
    #expect(try await made.count("Towns") > 0)
  }

  @Test func `A layer that is to stay online keeps its address and leaves the geodatabase`()
    async throws
  {
    let bed = try await bed()
    let parameters = try await bed.parameters(operational: Self.layers, tables: [Self.events])
    var overrides = try await overrides(bed, parameters)
    overrides.onlineLayers = ["Towns"]
    overrides.onlineTables = ["events"]
    let made = try await bed.make(parameters, overrides)
    for id in ["Towns", "events"] {
      let layer = made.map.layer(withID: id) ?? made.map.tables.first { $0.id == id }
      #expect(layer?.path == nil && layer?.url?.hasPrefix("https://demo.test") == true)
    }
    let tables = try await made.geodatabase()?.schemas().map(\.name) ?? []
    #expect(tables.contains("Lighthouses") && !tables.contains("Towns"))
    #expect(made.outcome.isComplete)
  }

  @Test func `Layers stay online that the author of the map keeps online`() async throws {
    let bed = try await bed()
    var parameters = try await bed.parameters(operational: Self.layers)
    try await keepOnline("Towns", of: &parameters, bed)
    let made = try await bed.make(parameters)
    #expect(made.map.layer(withID: "Towns")?.path == nil)
    #expect(made.map.layer(withID: "Lighthouses")?.path != nil)
  }

  /// Lets the author of the map keep a layer online.
  private func keepOnline(
    _ id: String, of parameters: inout GenerateOfflineMapParameters, _ bed: OfflineJobBed
  ) async throws {
    parameters.onlineOnlyServicesOption = .useAuthoredSettings
    var item = try #require(await bed.bed.state.item(parameters.webMap))
    guard case .document(let text) = item.content else {
      Issue.record("the map is no document")
      return
    }
    var document = try #require(try JSONValue(parsing: text).object)
    document["applicationProperties"] = [
      "offline": ["connectedOnlineLayers": [["id": .string(id)]]]
    ]
    item.content = .document(JSONValue.object(document).text())
    await bed.bed.state.put(item)
  }

  // MARK: - The whole

  @Test(arguments: [true, false])
  func `A service that fails lets the whole fail only where that is wanted`(
    _ continuesOnErrors: Bool
  ) async throws {
    let bed = try await bed()
    let gone: JSONValue = [
      "id": "gone", "title": "Gone", "layerType": "ArcGISFeatureLayer",
      "url": .string(OfflineJobBed.service("Nothing") + "/0"),
    ]
    var parameters = try await bed.parameters(operational: Self.layers + [gone])
    parameters.continuesOnErrors = continuesOnErrors
    guard continuesOnErrors else {
      await #expect(throws: JobInterruption.self) { try await bed.make(parameters) }
      return
    }
    let made = try await bed.make(parameters)
    #expect(!made.outcome.isComplete && made.map.layer(withID: "Towns") != nil)
    #expect(made.map.layer(withID: "gone") == nil)
  }

  @Test func `The map's whole description is in the package`() async throws {
    let bed = try await bed()
    var parameters = try await bed.parameters(operational: Self.layers)
    parameters.itemInfo = OfflineMapItemInfo(
      title: "South", snippet: "In short", description: "At length", tags: ["one", "two"],
      accessInformation: "Thanks", termsOfUse: "As you like")
    let made = try await bed.make(parameters)
    let data = try Data(contentsOf: made.url.appending(path: "package.info"))
    let info = try JSONValue(parsing: data)
    #expect(info["title"]?.string == "South" && info["snippet"]?.string == "In short")
    #expect(info["description"]?.string == "At length")
    #expect(info["tags"]?.array?.compactMap(\.string) == ["one", "two"])
    #expect(info["accessInformation"]?.string == "Thanks")
    #expect(info["licenseInfo"]?.string == "As you like")
  }

  // MARK: - The basemap of this device

  /// A tile package of this device: the tiles of the service, exported before.
  private func localBasemap(_ bed: OfflineJobBed) async throws -> URL {
    let made = try await bed.make(
      try await bed.parameters(operational: [], basemap: [OfflineJobBed.pictures]))
    let data = made.url.appending(path: "p13")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: data.path(percentEncoded: false))
    let folder = temporaryDirectory.appending(path: "basemaps")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "Maine.tpkx")
    try FileManager.default.copyItem(
      at: data.appending(path: try #require(names.first { $0.hasSuffix(".tpkx") })), to: file)
    return file
  }

  @Test func `A tile package of this device replaces the basemap, which is not exported`()
    async throws
  {
    let bed = try await bed()
    let file = try await localBasemap(bed)
    let exports = await bed.bed.transport.log.count(of: "/exportTiles")
    var parameters = try await bed.parameters(
      operational: Self.layers, basemap: [OfflineJobBed.pictures, OfflineJobBed.vectors])
    parameters.referenceBasemapDirectoryURL = file.deletingLastPathComponent()
    parameters.referenceBasemapFilename = file.lastPathComponent
    let estimate = try await OnDemandEstimate.make(
      parameters, portal: bed.bed.portal, environment: bed.bed.environment)
    let size = try Data(contentsOf: file).count
    let part = try #require(estimate.parts.first { $0.isCopied })
    #expect(part.title == file.lastPathComponent && part.bytes == size...size)
    #expect(estimate.bytes.lowerBound > size)
    let made = try await bed.make(parameters)
    #expect(made.map.basemap.layers.compactMap { $0.path?.text } == ["file:./basemap.tpkx"])
    let copy = made.url.appending(path: "p13/basemap.tpkx")
    #expect(try Data(contentsOf: copy) == Data(contentsOf: file))
    #expect(await bed.bed.transport.log.count(of: "/exportTiles") == exports)
    // Without a basemap a local one is not used either.
    parameters.mapID = UUID().uuidString.lowercased()
    parameters.includesBasemap = false
    #expect(try await bed.make(parameters).map.basemap.layers.isEmpty)
  }

  @Test(arguments: ["Missing.tpkx", "Picture.png"])
  func `A missing or unsuitable basemap is reported before any question is asked`(
    _ name: String
  ) async throws {
    let bed = try await bed()
    var parameters = try await bed.parameters(
      operational: Self.layers, basemap: [OfflineJobBed.pictures])
    try Data("no tiles".utf8).write(to: temporaryDirectory.appending(path: "Picture.png"))
    parameters.referenceBasemapDirectoryURL = temporaryDirectory
    parameters.referenceBasemapFilename = name
    let before = await bed.bed.transport.log.paths.count
    await #expect(throws: JobInterruption.self) { try await bed.make(parameters) }
    #expect(await bed.bed.transport.log.paths.count == before)
    #expect(try await bed.bed.library.maps().isEmpty)
  }

  @Test func `The name that the author proposes for a basemap needs a folder to count`()
    async throws
  {
    let bed = try await bed()
    var parameters = try await bed.parameters(operational: [], basemap: [OfflineJobBed.pictures])
    parameters.referenceBasemapFilename = "Proposed.tpkx"
    let made = try await bed.make(parameters)
    #expect(made.paths.allSatisfy { $0.contains("tiles_") } && made.paths.count == 1)
  }

  // MARK: - Pictures

  @Test func `The picture of the map is that of its item, or the one that is given`() async throws {
    let bed = try await bed()
    let parameters = try await bed.bed.parameters()
    #expect(try await thumbnail(of: bed.make(parameters)) != nil)
    var other = parameters
    other.mapID = UUID().uuidString.lowercased()
    other.itemInfo.thumbnail = Data([0x89, 0x50, 0x4E, 0x47])
    #expect(try await thumbnail(of: bed.make(other)) == other.itemInfo.thumbnail)
  }

  private func thumbnail(of made: OfflineJobBed.Made) throws -> Data? {
    let data = try Data(contentsOf: made.url.appending(path: "package.info"))
    let text = try JSONValue(parsing: data)["thumbnail"]?.string
    return text?.split(separator: ",").last.flatMap { Data(base64Encoded: String($0)) }
  }

  // MARK: - Overrides of what is asked

  @Test func `An override decides alone whether attachments come along and what is synchronized`()
    async throws
  {
    let bed = try await bed()
    let parameters = try await bed.parameters(operational: Self.layers)
    var overrides = try await overrides(bed, parameters)
    let name = key("ExploreMaine")
    overrides.generateGeodatabaseParameters[name]?.returnsAttachments = false
    overrides.generateGeodatabaseParameters[name]?.attachmentSyncDirection = .upload
    overrides.generateGeodatabaseParameters[name]?.syncModel = .none
    let made = try await bed.make(parameters, overrides)
    #expect(try await made.attachments("Lighthouses") == 0)
    let id = try #require(MapID(parameters.mapID))
    #expect(try await OfflineMapSyncTask(bed.bed.environment).isSynchronized(id) == false)
  }

  @Test func `An override decides what coordinates mean and which related rows come along`()
    async throws
  {
    let bed = try await bed()
    let parameters = try await bed.parameters(operational: Self.layers, tables: [Self.events])
    var overrides = try await overrides(bed, parameters)
    var options = try #require(overrides.generateGeodatabaseParameters[key("ExploreMaine")])
    options.outSpatialReference = 4326
    for index in options.layerOptions.indices {
      options.layerOptions[index].includesRelated = false
    }
    overrides.generateGeodatabaseParameters[key("ExploreMaine")] = options
    let made = try await bed.make(parameters, overrides)
    let store = try #require(try made.geodatabase())
    let schema = try await store.schemas().first { $0.name == "Lighthouses" }
    #expect(schema?.spatialReference?.isWGS84 == true)
    #expect(try await made.count("LighthouseEvents") == 0)
  }

  @Test func `An override changes how good pictures are to be`() async throws {
    let form = TileExportParameters(
      area: DemoBed.casco, levels: [3, 4], quality: 40, isVector: false, version: 11
    ).form
    #expect(form["compressionQuality"] == "40" && form["levels"] == "3,4")
    let bed = try await bed()
    let parameters = try await bed.parameters(operational: [], basemap: [OfflineJobBed.pictures])
    var overrides = try await overrides(bed, parameters)
    overrides.exportTileCacheParameters[key("MaineBackdrop", "MapServer")]?.compressionQuality = 40
    #expect(try await bed.make(parameters, overrides).outcome.isComplete)
  }
}
