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
import PortolanTileFiles
import PortolanTiles
import Testing

@testable import PortolanOffline

/// What parameters and overrides leave in the files of the package: levels, registrations, and what is not there.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct ParameterPackageTests {
  private static let layers = [
    OfflineJobBed.layer(1, "Lighthouses"), OfflineJobBed.layer(0, "Towns"),
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

  /// The files of a kind in a map.
  private func files(_ made: OfflineJobBed.Made, _ suffix: String) throws -> [URL] {
    let data = made.url.appending(path: "p13")
    return try FileManager.default.contentsOfDirectory(atPath: data.path(percentEncoded: false))
      .filter { $0.hasSuffix(suffix) }.map { data.appending(path: $0) }
  }

  // MARK: - Tiles

  /// The scale of a level of the usual scheme.
  private static func scale(_ level: Int) -> Double { 591_657_527.59 / Double(1 << level) }

  private static let scales: [(minimum: Double, maximum: Double)] = [
    (5_000_000, 500_000), (2_500_000, 1_000_000), (0, 2_000_000),
  ]

  @Test(arguments: scales)
  func `Scales limit the levels of pictures in the package on both sides`(
    _ minimum: Double, _ maximum: Double
  ) async throws {
    let bed = try await bed()
    var parameters = try await bed.parameters(operational: [], basemap: [OfflineJobBed.pictures])
    parameters.minScale = minimum
    parameters.maxScale = maximum
    let made = try await bed.make(parameters)
    let package = try TilePackage.open(try #require(try files(made, ".tpkx").first))
    let levels = try package.tileCounts().keys.sorted()
    let url = try #require(URL(string: OfflineJobBed.service("MaineBackdrop", "MapServer")))
    let task = ExportTileCacheTask(url: url, portal: bed.bed.portal)
    let all = try #require(try await task.mapServiceInfo().levels)
    #expect(
      levels
        == all.filter {
          (minimum == 0 || Self.scale($0) <= minimum) && Self.scale($0) >= maximum
        })
    #expect(!levels.isEmpty && levels.count < all.count)
  }

  @Test(arguments: scales)
  func `Vector tiles in the package end at the largest scale, and begin at the top`(
    _ minimum: Double, _ maximum: Double
  ) async throws {
    let bed = try await bed()
    var parameters = try await bed.parameters(operational: [], basemap: [OfflineJobBed.vectors])
    parameters.minScale = minimum
    parameters.maxScale = maximum
    let made = try await bed.make(parameters)
    let package = try VectorTilePackage.open(try #require(try files(made, ".vtpk").first))
    let levels = try package.tileCounts().keys.sorted()
    #expect(levels.first == 0)
    let last = try #require(levels.last)
    // Tiles of 512 pixels have at each level the scale of the next one of the usual scheme.
    #expect(Self.scale(last + 1) >= maximum && Self.scale(last + 2) < maximum)
  }

  @Test(arguments: [nil, 40])
  func `An override says how good pictures in the package are to be`(_ quality: Int?) async throws {
    let bed = try await bed()
    let parameters = try await bed.parameters(operational: [], basemap: [OfflineJobBed.pictures])
    var overrides = try await overrides(bed, parameters)
    let name = key("MaineBackdrop", "MapServer")
    #expect(overrides.exportTileCacheParameters[name]?.compressionQuality == nil)
    overrides.exportTileCacheParameters[name]?.compressionQuality = quality
    let made = try await bed.make(parameters, overrides)
    let data = try Data(contentsOf: try #require(try files(made, ".tpkx").first))
    // The description in the package is stored as it is.
    let text = String(decoding: data, as: UTF8.self)
    let told = try #require(text.firstMatch(of: /"compressionQuality"\s*:\s*(\d+)/))
    #expect(told.1 == "\(quality ?? 0)")
  }

  @Test func `The innermost level of vector tiles is the last of those that are named`() {
    let parameters = ExportVectorTilesParameters(
      areaOfInterest: DemoBed.casco, levelIDs: [0, 9, 4])
    #expect(parameters.maxLevel == 9)
    let none = ExportVectorTilesParameters(areaOfInterest: DemoBed.casco, levelIDs: [])
    #expect(none.maxLevel == nil)
  }

  // MARK: - Features

  @Test func `The area limits the rows in the package`() async throws {
    let bed = try await bed()
    var parameters = try await bed.parameters(operational: Self.layers)
    let whole = try await bed.make(parameters).count("Towns")
    parameters.mapID = UUID().uuidString.lowercased()
    parameters.areaOfInterest = OfflineArea(
      Envelope(xMin: -70.3, yMin: 43.6, xMax: -70.2, yMax: 43.7), .wgs84)
    let made = try await bed.make(parameters)
    let count = try await made.count("Towns")
    #expect(count > 0 && count < whole)
    // What is synchronized later is that area, too.
    let path = try #require(try OfflineMapSyncTask.geodatabases(in: made.url).first)
    let registered = try await registration(made.url.appending(path: path), bed)
    let area = try #require(registered?.geometry)
    let box = try #require(Geometry.polygon(area).extent)
    #expect(box.width > 0 && box.width < 20_000)
  }

  private func registration(_ file: URL, _ bed: OfflineJobBed) async throws -> SyncReplica? {
    try await OfflineMapSyncTask.using(file, bed.bed.environment.surroundings) { store in
      try await store.syncReplica()
    }
  }

  private typealias Direction = GenerateOfflineMapParameters.AttachmentSyncDirection
  private static let registrations:
    [(returns: Bool, Direction, GenerateGeodatabaseParameters.SyncModel)] = [
      (true, .bidirectional, .perLayer), (true, .upload, .perGeodatabase),
      (false, .upload, .perLayer), (false, .none, .perGeodatabase),
    ]

  @Test(arguments: registrations.indices)
  func `An override is in the registration of the package: attachments and what is one`(
    _ index: Int
  ) async throws {
    let (returns, direction, model) = Self.registrations[index]
    let bed = try await bed()
    let parameters = try await bed.parameters(operational: Self.layers)
    var overrides = try await overrides(bed, parameters)
    let name = key("ExploreMaine")
    overrides.generateGeodatabaseParameters[name]?.returnsAttachments = returns
    overrides.generateGeodatabaseParameters[name]?.attachmentSyncDirection = direction
    overrides.generateGeodatabaseParameters[name]?.syncModel = model
    let made = try await bed.make(parameters, overrides)
    let path = try #require(try OfflineMapSyncTask.geodatabases(in: made.url).first)
    let replica = try #require(
      try await registration(made.url.appending(path: path), bed))
    #expect(replica.returnsAttachments == returns)
    #expect(replica.attachmentsDirection.rawValue.lowercased() == direction.rawValue)
    #expect(replica.syncModel == (model == .perLayer ? .perLayer : .perReplica))
    #expect((replica.serverGeneration == nil) == (model == .perLayer))
    let attachments = try await made.attachments("Lighthouses")
    #expect((attachments > 0) == returns)
  }

  // MARK: - What is removed

  @Test(arguments: ["Towns", "backdrop", "vectors"])
  func `Removing the entry of a service leaves its layers out`(_ id: String) async throws {
    let bed = try await bed()
    let parameters = try await bed.parameters(
      operational: Self.layers, basemap: [OfflineJobBed.pictures, OfflineJobBed.vectors])
    var overrides = try await overrides(bed, parameters)
    switch id {
    case "Towns": overrides.generateGeodatabaseParameters[key("ExploreMaine")] = nil
    case "backdrop":
      overrides.exportTileCacheParameters[key("MaineBackdrop", "MapServer")] = nil
    default:
      overrides.exportVectorTilesParameters[key("MaineVector", "VectorTileServer")] = nil
    }
    let made = try await bed.make(parameters, overrides)
    let suffixes = [".geodatabase", ".tpkx", ".vtpk"]
    let left = try suffixes.filter { try files(made, $0).isEmpty }
    #expect(left == [["Towns": ".geodatabase", "backdrop": ".tpkx"][id] ?? ".vtpk"])
    let all = made.map.allLayers + made.map.basemap.layers
    #expect(!all.contains { $0.id == id } && all.count == (id == "Towns" ? 2 : 3))
    // What was left out by choice is nothing that the map lacks.
    #expect(made.outcome.isComplete && made.outcome.failedItems.isEmpty)
  }

  @Test func `Removing the option of a layer leaves that layer out, and no other`() async throws {
    let bed = try await bed()
    let parameters = try await bed.parameters(operational: Self.layers)
    var overrides = try await overrides(bed, parameters)
    overrides.generateGeodatabaseParameters[key("ExploreMaine")]?.layerOptions.removeAll {
      $0.layerID == 0
    }
    let made = try await bed.make(parameters, overrides)
    #expect(made.map.layer(withID: "Towns") == nil)
    #expect(try await made.geodatabase()?.schemas().map(\.name) == ["Lighthouses"])
    #expect(made.outcome.failedItems.isEmpty)
  }

  @Test func `Overrides that name nothing leave everything out`() async throws {
    let bed = try await bed()
    let parameters = try await bed.parameters(
      operational: Self.layers, basemap: [OfflineJobBed.pictures])
    await #expect(throws: (any Error).self) {
      try await bed.make(parameters, GenerateOfflineMapParameterOverrides())
    }
    #expect(try await bed.bed.library.maps().isEmpty)
  }
}
