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

/// What further parameters, and overrides of single services, change in the package that is made.
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

  // MARK: - Features

  @Test func `An override of the area changes the rows of that service`() async throws {
    let bed = try await bed()
    let parameters = try await bed.parameters(operational: Self.layers)
    let whole = try await bed.make(parameters).count("Towns")
    var other = parameters
    other.mapID = UUID().uuidString.lowercased()
    var overrides = try await overrides(bed, other)
    overrides.generateGeodatabaseParameters[key("ExploreMaine")]?.extent = OfflineArea(
      Envelope(xMin: -70.3, yMin: 43.6, xMax: -70.2, yMax: 43.7), .wgs84)
    #expect(try await bed.make(other, overrides).count("Towns") < whole)
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
    parameters.onlineOnlyServicesOption = .useAuthoredSettings
    var item = try #require(await bed.bed.state.item(parameters.webMap))
    guard case .document(let text) = item.content,
      var document = try JSONValue(parsing: text).object
    else { return #expect(Bool(false), "the map is no document") }
    document["applicationProperties"] = [
      "offline": ["connectedOnlineLayers": [["id": "Towns"]]]
    ]
    item.content = .document(JSONValue.object(document).text())
    await bed.bed.state.put(item)
    let made = try await bed.make(parameters)
    #expect(made.map.layer(withID: "Towns")?.path == nil)
    #expect(made.map.layer(withID: "Lighthouses")?.path != nil)
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

  @Test func `All that the map says of itself is in the package`() async throws {
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
}
