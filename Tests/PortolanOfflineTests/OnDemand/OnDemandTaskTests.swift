import DemoPortal
import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

@Suite(.temporaryDirectory) struct OnDemandTaskTests {
  @Test func `The defaults are those of the author of the map`() async throws {
    let bed = try await DemoBed(in: temporaryDirectory)
    let parameters = try await bed.parameters()
    #expect(parameters.returnLayerAttachmentOption == .allLayers)
    #expect(parameters.attachmentSyncDirection == .bidirectional)
    #expect(parameters.updateMode == .syncWithFeatureServices && parameters.continuesOnErrors)
    #expect(parameters.itemInfo.title == "Explore Maine" && parameters.includesBasemap)
    #expect(parameters.onlineOnlyServicesOption == .exclude)
    #expect(parameters.itemInfo.accessInformation == "Portolan")
  }

  @Test(arguments: [
    (#"{"editableLayers": {"download": "none"}}"#, "readOnlyLayers", "bidirectional", true),
    (
      #"{"editableLayers": {"download": "features", "sync": "syncFeaturesUploadAttachments"}, "readonlyLayers": {"downloadAttachments": false}}"#,
      "none", "upload", false
    ),
    (
      #"{"editableLayers": {"sync": "uploadFeaturesAndAttachments"}}"#, "allLayers", "upload", true
    ),
  ])
  func `Each workflow for attachments follows from the settings of the map`(
    _ text: String, _ option: String, _ direction: String, _ isSchemaOnly: Bool
  ) throws {
    var parameters = try Self.plain()
    let json = try #require(try JSONValue(parsing: text).object)
    parameters.takeOver(OfflineSettings(json: json))
    #expect(parameters.returnLayerAttachmentOption.rawValue == option)
    #expect(parameters.attachmentSyncDirection.rawValue == direction)
    #expect(parameters.returnsSchemaOnlyForEditableLayers == isSchemaOnly)
    if option != "readOnlyLayers" { try parameters.check() }
  }

  @Test func `Areas across the dateline are refused before anybody is asked`() async throws {
    let bed = try await DemoBed(in: temporaryDirectory)
    let before = await bed.transport.log.paths.count
    let areas = [
      OfflineArea(Envelope(xMin: 170, yMin: 0, xMax: 190, yMax: 10), .wgs84),
      OfflineArea(Envelope(xMin: 170, yMin: 0, xMax: -170, yMax: 10), .wgs84),
      OfflineArea(
        Envelope(xMin: -20_100_000, yMin: 0, xMax: -19_000_000, yMax: 10), .webMercator),
      // As GeoJSON draws it: the way around the earth is not meant.
      OfflineArea(
        Polygon(rings: [
          Path([
            Coordinate(x: 179, y: 43.4), Coordinate(x: -179, y: 43.4), Coordinate(x: -179, y: 43.9),
            Coordinate(x: 179, y: 43.4),
          ])
        ]), .wgs84),
    ]
    for area in areas {
      await #expect(throws: OfflineMapError.areaCrossesDateline) {
        try await bed.task.makeDefaultGenerateOfflineMapParameters(areaOfInterest: area, id: UUID())
      }
    }
    #expect(await bed.transport.log.paths.count == before)
  }

  @Test func `An area outside of the map is refused, with the order that was probably meant`()
    async throws
  {
    let bed = try await DemoBed(in: temporaryDirectory)
    let map = try await bed.portal.item(bed.webMap).title
    let right = Envelope(xMin: -70.6, yMin: 43.4, xMax: -69.9, yMax: 43.9)
    try await bed.task.checkCoverage(of: OfflineArea(right, .wgs84))
    try await bed.task.checkCoverage(
      of: OfflineArea(right, .wgs84).projected(to: .webMercator))
    let exchanged = Envelope(xMin: 43.4, yMin: -70.6, xMax: 43.9, yMax: -69.9)
    await #expect(throws: OfflineMapError.areaOutside(map: map, exchanged: right)) {
      try await bed.task.checkCoverage(of: OfflineArea(exchanged, .wgs84))
    }
    let elsewhere = OfflineArea(Envelope(xMin: 7, yMin: 50, xMax: 8, yMax: 51), .wgs84)
    await #expect(throws: OfflineMapError.areaOutside(map: map, exchanged: nil)) {
      try await bed.task.checkCoverage(of: elsewhere)
    }
    try await bed.task.checkCoverage(
      of: OfflineArea(Envelope(xMin: -180, yMin: -90, xMax: 180, yMax: 90), .wgs84))
  }

  @Test func `No area is refused where a service does not say what it covers`() async throws {
    let bed = try await DemoBed(
      in: temporaryDirectory,
      through: { inner in
        LyingTransport(
          inner,
          answering: { answer in
            guard answer["fullExtent"] != nil else { return nil }
            var changed = answer
            changed["fullExtent"] = nil
            return changed
          })
      })
    try await bed.task.checkCoverage(
      of: OfflineArea(Envelope(xMin: 7, yMin: 50, xMax: 8, yMax: 51), .wgs84))
  }

  @Test func `A map without features covers what its tiles do`() async throws {
    let bed = try await OfflineJobBed(
      in: temporaryDirectory,
      through: { inner in
        LyingTransport(
          inner,
          answering: { answer in
            guard answer["title"]?.string == "Test map", answer["extent"] != nil else { return nil }
            // As of the screen on which it was saved.
            var changed = answer
            changed["extent"] = [[7, 50], [8, 51]]
            return changed
          })
      })
    let map = try await bed.parameters(operational: [], basemap: [OfflineJobBed.pictures]).webMap
    let task = OfflineMapTask(portal: bed.bed.portal, webMap: try PortalItem.ID(map))
    try await task.checkCoverage(of: DemoBed.casco)
    await #expect(throws: OfflineMapError.areaOutside(map: "Test map", exchanged: nil)) {
      try await task.checkCoverage(
        of: OfflineArea(Envelope(xMin: 20, yMin: 10, xMax: 21, yMax: 11), .wgs84))
    }
  }

  @Test func `Areas whose edges cross are refused, and those with holes are not`() throws {
    func area(_ rings: [[(Double, Double)]]) -> OfflineArea {
      OfflineArea(
        Polygon(rings: rings.map { Path($0.map { Coordinate(x: $0.0, y: $0.1) }) }), .wgs84)
    }
    let square: [(Double, Double)] = [(0, 0), (0, 9), (9, 9), (9, 0), (0, 0)]
    let hole: [(Double, Double)] = [(3, 3), (6, 3), (6, 6), (3, 6), (3, 3)]
    // Whoever draws an area may go around it in either direction.
    for outer in [square, square.reversed()] {
      try area([outer]).check()
      for inner in [hole, hole.reversed()] {
        try area([outer, inner]).check()
        try area([inner, outer]).check()
      }
    }
    // Parts side by side share an edge, which crosses none.
    try area([square, [(9, 2), (9, 7), (14, 7), (14, 2), (9, 2)]]).check()
    #expect(throws: OfflineMapError.areaCrossesItself) {
      try area([square, [(4, 4), (4, 14), (14, 14), (14, 4), (4, 4)]]).check()
    }
    let bow: [(Double, Double)] = [(0, 0), (9, 9), (9, 0), (0, 9), (0, 0)]
    for ring in [bow, bow.reversed()] {
      #expect(throws: OfflineMapError.areaCrossesItself) { try area([ring]).check() }
    }
  }

  @Test func `A layer that the map does not have cannot be left out`() async throws {
    let bed = try await DemoBed(in: temporaryDirectory)
    let parameters = try await bed.parameters()
    await #expect(throws: OfflineMapError.noSuchLayer("Nope", map: "Explore Maine")) {
      try await bed.task.makeGenerateOfflineMapParameterOverrides(
        parameters: parameters, leavingOut: ["Lighthouses", "Nope"])
    }
  }

  @Test(arguments: [
    ("none", "bidirectional", false), ("none", "none", true), ("none", "upload", true),
    ("allLayers", "none", false), ("allLayers", "upload", true),
    ("readOnlyLayers", "none", true), ("editableLayers", "bidirectional", true),
  ])
  func `Options for attachments go together as the services allow`(
    _ option: String, _ direction: String, _ isAllowed: Bool
  ) throws {
    var parameters = try Self.plain()
    parameters.returnLayerAttachmentOption = try #require(.init(rawValue: option))
    parameters.attachmentSyncDirection = try #require(.init(rawValue: direction))
    if isAllowed {
      try parameters.check()
    } else {
      #expect(
        throws: OfflineMapError.attachmentOptions(returned: option, direction: direction)
      ) { try parameters.check() }
    }
  }

  @Test func `Each layer says whether it can be taken offline, and why not`() async throws {
    let bed = try await DemoBed(in: temporaryDirectory)
    let capabilities = try await bed.task.offlineMapCapabilities(
      parameters: try await bed.parameters())
    let layers = capabilities.layerCapabilities
    #expect(layers.first { $0.title == "Lighthouses" }?.supportsOffline == true)
    #expect(layers.contains { $0.isBasemap && $0.supportsOffline })
    let secured = try #require(layers.first { $0.id == "harbor-lights" })
    #expect(!secured.supportsOffline && secured.issue != nil)
    #expect(capabilities.hasErrors)
  }

  @Test func `Layers that cannot be taken stay online where that is wanted`() async throws {
    let bed = try await DemoBed(in: temporaryDirectory)
    var parameters = try await bed.parameters()
    parameters.onlineOnlyServicesOption = .include
    let capabilities = try await bed.task.offlineMapCapabilities(parameters: parameters)
    #expect(
      capabilities.layerCapabilities.first { $0.id == "harbor-lights" }?.remainsOnline == true)
    #expect(!capabilities.hasErrors)
  }

  @Test func `A service that is taken out of the overrides is left out of the map`() async throws {
    let bed = try await DemoBed(in: temporaryDirectory)
    let parameters = try await bed.parameters()
    var overrides = try await bed.task.makeGenerateOfflineMapParameterOverrides(
      parameters: parameters)
    #expect(overrides.exportTileCacheParameters.count == 1)
    overrides.exportTileCacheParameters = [:]
    let capabilities = try await bed.task.offlineMapCapabilities(
      parameters: parameters, overrides: overrides)
    #expect(!capabilities.layerCapabilities.contains { $0.isBasemap })
  }

  @Test func `Scales choose the levels of tiles`() async throws {
    let bed = try await DemoBed(in: temporaryDirectory)
    var parameters = try await bed.parameters()
    let overrides = try await bed.task.makeGenerateOfflineMapParameterOverrides(
      parameters: parameters)
    let levels = try #require(overrides.exportTileCacheParameters.values.first?.levelIDs)
    #expect(levels == [7, 8, 9, 10])
    (parameters.minScale, parameters.maxScale) = (1_000, 2_000)
    #expect(throws: OfflineMapError.badScales(minimum: 1_000, maximum: 2_000)) {
      try parameters.check()
    }
  }

  @Test func `Parameters and overrides survive the journal`() async throws {
    let bed = try await DemoBed(in: temporaryDirectory)
    let parameters = try await bed.parameters()
    let overrides = try await bed.task.makeGenerateOfflineMapParameterOverrides(
      parameters: parameters)
    let data = try JSONEncoder().encode(overrides)
    #expect(
      try JSONDecoder().decode(GenerateOfflineMapParameterOverrides.self, from: data) == overrides)
    let text = try JSONEncoder().encode(parameters)
    #expect(try JSONDecoder().decode(GenerateOfflineMapParameters.self, from: text) == parameters)
  }

  private static func plain() throws -> GenerateOfflineMapParameters {
    GenerateOfflineMapParameters(
      portal: try #require(URL(string: "https://demo.test")),
      webMap: "0123456789abcdef0123456789abcdef", mapID: "m", areaOfInterest: DemoBed.casco,
      itemInfo: OfflineMapItemInfo(title: "t"))
  }
}
