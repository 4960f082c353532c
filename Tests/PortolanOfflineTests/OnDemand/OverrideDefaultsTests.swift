import Foundation
import PortolanJSON
import PortolanMap
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// The requests to each service of a map, and the layers that can be taken, by the parameters of
/// the whole.
@Suite(.temporaryDirectory) struct OverrideDefaultsTests {
  private static let maine = OfflineMapParametersKey(
    service: OfflineJobBed.service("ExploreMaine"))
  private static let old = OfflineMapParametersKey(service: OfflineJobBed.service("MaineTowns"))

  private static let towns = OfflineJobBed.layer(0, "Towns", where: "KIND = 'city'")
  private static let lights = OfflineJobBed.layer(1, "Lighthouses")
  private static let events = OfflineJobBed.layer(6, "Events")
  /// Of a service that does not synchronize, and whose features nobody may change.
  private static let oldTowns: JSONValue = [
    "id": "old", "title": "Old towns", "layerType": "ArcGISFeatureLayer",
    "url": .string(OfflineJobBed.service("MaineTowns") + "/0"),
  ]

  private func asked(
    _ bed: OfflineJobBed, _ parameters: GenerateOfflineMapParameters,
    leavingOut leftOut: Set<String> = []
  ) async throws -> GenerateOfflineMapParameterOverrides {
    let task = OfflineMapTask(
      portal: bed.bed.portal, webMap: try PortalItem.ID(parameters.webMap))
    return try await task.makeGenerateOfflineMapParameterOverrides(
      parameters: parameters, leavingOut: leftOut)
  }

  /// The requests for the layers of *Explore Maine*.
  private func options(
    _ bed: OfflineJobBed, _ parameters: GenerateOfflineMapParameters
  ) async throws -> [GenerateLayerOption] {
    try await asked(bed, parameters).generateGeodatabaseParameters[Self.maine]?.layerOptions ?? []
  }

  @Test func `Layers of one service share a question, each once, and rows of tables come along`()
    async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let again = OfflineJobBed.layer(1, "Again", where: "HEIGHT_FT > 9")
    let parameters = try await bed.parameters(
      operational: [Self.towns, Self.lights, again], tables: [Self.events])
    let expected: [OfflineMapParametersKey: GenerateGeodatabaseParameters] = [
      Self.maine: GenerateGeodatabaseParameters(
        layerOptions: [
          GenerateLayerOption(layerID: 0, whereClause: "KIND = 'city'"),
          GenerateLayerOption(layerID: 1),
          GenerateLayerOption(layerID: 6, usesGeometry: false, queryOption: .none),
        ], extent: DemoBed.casco, returnsAttachments: true,
        attachmentSyncDirection: .bidirectional, syncModel: .perLayer, outSpatialReference: 102_100)
    ]
    let overrides = try await asked(bed, parameters)
    #expect(overrides.generateGeodatabaseParameters == expected)
    #expect(overrides.exportTileCacheParameters.isEmpty)
    #expect(overrides.exportVectorTilesParameters.isEmpty)
    #expect(overrides.onlineLayers.isEmpty && overrides.onlineTables.isEmpty)
    #expect(overrides.leftOutLayers == [])
  }

  @Test func `Which rows are asked for follows from the table, its condition and the parameters`()
    async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let parameters = try await bed.parameters(
      operational: [Self.towns, Self.lights], tables: [Self.events])
    var all = parameters
    all.destinationTableRowFilter = .all
    #expect(try await options(bed, all).map(\.queryOption) == [.useFilter, .useFilter, .all])
    var whole = parameters
    whole.isDefinitionExpressionFilterEnabled = false
    #expect(try await options(bed, whole).map(\.whereClause) == ["", "", ""])
    // Everybody may change all layers of the service.
    var empty = parameters
    empty.returnsSchemaOnlyForEditableLayers = true
    let expected = [(0, true), (1, true), (6, false)].map { number, usesGeometry in
      GenerateLayerOption(
        layerID: number, usesGeometry: usesGeometry, includesRelated: false, queryOption: .none)
    }
    #expect(try await options(bed, empty) == expected)
  }

  @Test func `A table comes whole if the layer it belongs to is not in the map`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let alone = try await bed.parameters(operational: [Self.towns], tables: [Self.events])
    #expect(try await options(bed, alone).map(\.queryOption) == [.useFilter, .all])
    let limited = try await bed.parameters(
      operational: [Self.lights], tables: [OfflineJobBed.layer(6, "Events", where: "YEAR > 1900")])
    let expected = [
      GenerateLayerOption(layerID: 1),
      GenerateLayerOption(layerID: 6, whereClause: "YEAR > 1900", usesGeometry: false),
    ]
    #expect(try await options(bed, limited) == expected)
  }

  /// The option for attachments, and the requests to an editable service and to another one.
  private static let attachments:
    [(
      GenerateOfflineMapParameters.ReturnLayerAttachmentOption,
      GenerateOfflineMapParameters.AttachmentSyncDirection, [Bool],
      [GenerateOfflineMapParameters.AttachmentSyncDirection]
    )] = [
      (.none, .none, [false, false], [.none, .none]),
      (.none, .upload, [false, false], [.upload, .upload]),
      (.allLayers, .upload, [true, true], [.upload, .upload]),
      (.allLayers, .bidirectional, [true, true], [.bidirectional, .bidirectional]),
      (.readOnlyLayers, .none, [false, true], [.none, .upload]),
      (.readOnlyLayers, .upload, [false, true], [.upload, .upload]),
      (.readOnlyLayers, .bidirectional, [false, true], [.upload, .bidirectional]),
      (.editableLayers, .none, [true, false], [.upload, .none]),
      (.editableLayers, .upload, [true, false], [.upload, .upload]),
      (.editableLayers, .bidirectional, [true, false], [.bidirectional, .upload]),
    ]

  @Test func `Attachments are asked for in pairs of options that services take`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    var parameters = try await bed.parameters(operational: [Self.lights, Self.oldTowns])
    for (option, direction, returned, directions) in Self.attachments {
      parameters.returnLayerAttachmentOption = option
      parameters.attachmentSyncDirection = direction
      let made = try await asked(bed, parameters).generateGeodatabaseParameters
      let both = [Self.maine, Self.old].compactMap { made[$0] }
      #expect(both.map(\.returnsAttachments) == returned, "\(option), \(direction)")
      #expect(both.map(\.attachmentSyncDirection) == directions, "\(option), \(direction)")
    }
  }

  @Test func `What is synchronized as one follows from the service and from what is wanted`()
    async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    var parameters = try await bed.parameters(operational: [Self.lights, Self.oldTowns])
    let synced = try await asked(bed, parameters).generateGeodatabaseParameters
    #expect(synced[Self.maine]?.syncModel == .perLayer)
    #expect(synced[Self.old]?.syncModel == .perGeodatabase)
    parameters.updateMode = .noUpdates
    let loose = try await asked(bed, parameters).generateGeodatabaseParameters
    #expect([Self.maine, Self.old].map { loose[$0]?.syncModel } == [.some(.none), .some(.none)])
  }

  @Test func `Tiles are asked for of basemaps that are wanted, and of no other`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    var parameters = try await bed.parameters(
      operational: [], basemap: [OfflineJobBed.pictures, OfflineJobBed.vectors])
    let pictures: [OfflineMapParametersKey: ExportTileCacheParameters] = [
      OfflineMapParametersKey(service: OfflineJobBed.service("MaineBackdrop", "MapServer")):
        ExportTileCacheParameters(areaOfInterest: DemoBed.casco, levelIDs: [7, 8, 9, 10])
    ]
    let vectors: [OfflineMapParametersKey: ExportVectorTilesParameters] = [
      OfflineMapParametersKey(service: OfflineJobBed.service("MaineVector", "VectorTileServer")):
        ExportVectorTilesParameters(areaOfInterest: DemoBed.casco, levelIDs: Array(0...9))
    ]
    let both = try await asked(bed, parameters)
    #expect(both.exportTileCacheParameters == pictures)
    #expect(both.exportVectorTilesParameters == vectors)
    let one = try await asked(bed, parameters, leavingOut: ["Backdrop"])
    #expect(one.exportTileCacheParameters.isEmpty && one.leftOutLayers == ["Backdrop"])
    #expect(one.exportVectorTilesParameters == vectors)
    // A name alone stands for no file.
    parameters.referenceBasemapFilename = "a.tpkx"
    #expect(try await asked(bed, parameters).exportTileCacheParameters == pictures)
    parameters.referenceBasemapDirectoryURL = temporaryDirectory
    let replaced = try await asked(bed, parameters)
    #expect(replaced.exportTileCacheParameters.isEmpty)
    #expect(replaced.exportVectorTilesParameters.isEmpty)
    parameters.referenceBasemapFilename = nil
    parameters.includesBasemap = false
    let none = try await asked(bed, parameters)
    #expect(none.exportTileCacheParameters.isEmpty && none.exportVectorTilesParameters.isEmpty)
  }

  @Test func `The first name that the map does not contain is reported`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let parameters = try await bed.parameters(operational: [Self.towns], tables: [Self.events])
    await #expect(throws: OfflineMapError.noSuchLayer("Alpha", map: "Test map")) {
      _ = try await asked(bed, parameters, leavingOut: ["Zulu", "Alpha", "Events", "Towns"])
    }
    let made = try await asked(bed, parameters, leavingOut: ["Events", "Towns"])
    #expect(made.generateGeodatabaseParameters.isEmpty)
  }

  // MARK: - What can be taken

  /// A layer, and whether it is taken, stays online, and is only a copy.
  private struct Told: Hashable {
    let id: String
    let isTaken: Bool
    let isOnline: Bool
    let isCopy: Bool

    init(_ capability: OfflineCapability) {
      id = capability.id
      isTaken = capability.supportsOffline
      isOnline = capability.remainsOnline
      isCopy = capability.isCopyOnly
    }

    init(_ id: String, taken: Bool = false, online: Bool = false, copy: Bool = false) {
      self.id = id
      isTaken = taken
      isOnline = online
      isCopy = copy
    }
  }

  /// Layers of which each has another fate.
  private static let layers: [JSONValue] = [
    lights, OfflineJobBed.layer(1, "Again"), OfflineJobBed.layer(99, "Missing"), oldTowns,
    ["id": "wms", "title": "Weather", "layerType": "WMS", "url": "https://w.test"],
    ["id": "notes", "title": "Notes", "featureCollection": ["layers": []]],
    [
      "id": "gone", "title": "Gone", "layerType": "ArcGISFeatureLayer",
      "url": .string(OfflineJobBed.service("Nothing") + "/0"),
    ],
  ]

  @Test(arguments: [
    GenerateOfflineMapParameters.OnlineOnlyServicesOption.exclude, .include,
  ])
  func `Each layer is taken, stays online or is left out, and its issue is reported`(
    _ option: GenerateOfflineMapParameters.OnlineOnlyServicesOption
  ) async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let street: JSONValue = ["id": "osm", "title": "Streets", "layerType": "OpenStreetMap"]
    var parameters = try await bed.parameters(
      operational: Self.layers, tables: [Self.events], basemap: [OfflineJobBed.pictures, street])
    parameters.onlineOnlyServicesOption = option
    let task = OfflineMapTask(
      portal: bed.bed.portal, webMap: try PortalItem.ID(parameters.webMap))
    let told = try await task.offlineMapCapabilities(parameters: parameters)
    let stays = option == .include
    let expected = [
      Told("Lighthouses", taken: true), Told("Again", online: stays), Told("Missing"),
      Told("old", taken: true, copy: true), Told("wms", online: stays),
      Told("notes", taken: true), Told("gone"), Told("backdrop", taken: true),
      Told("osm", online: stays),
    ]
    let layers = told.layerCapabilities
    #expect(layers.map { Told($0) } == expected)
    #expect(told.tableCapabilities.map { Told($0) } == [Told("Events", taken: true)])
    #expect(layers.filter(\.isBasemap).map(\.title) == ["Backdrop", "Streets"])
    let issues = Dictionary(
      layers.compactMap { layer in layer.issue.map { (layer.id, $0) } },
      uniquingKeysWith: { first, _ in first })
    #expect(issues["old"] == .syncNotEnabled && issues["Missing"] == .noSuchLayer)
    #expect(issues["Again"] == (stays ? nil : .duplicate))
    let words = ["wms", "osm"].map { issues[$0]?.message ?? "" }
    #expect(words.allSatisfy { $0.hasPrefix("Layer type is not supported. ") }, "\(words)")
    guard case .service = issues["gone"] else {
      Issue.record("not told that the service does not answer: \(issues)")
      return
    }
    #expect(Set(issues.keys).isSubset(of: ["old", "Missing", "Again", "wms", "osm", "gone"]))
    #expect(told.hasErrors)
  }

  // MARK: - What the author of a map wants

  @Test(arguments: [
    ("{}", "allLayers", "bidirectional"),
    (#"{"readonlyLayers": {"downloadAttachments": false}}"#, "editableLayers", "bidirectional"),
    (#"{"editableLayers": {"download": "features"}}"#, "readOnlyLayers", "bidirectional"),
    (
      #"{"editableLayers": {"download": "features"}, "readonlyLayers": {"downloadAttachments": false}}"#,
      "none", "upload"
    ),
    (
      #"{"editableLayers": {"sync": "syncFeaturesUploadAttachments"}}"#, "allLayers", "upload"
    ),
  ])
  func `Attachments come as the author of the map says, with the features all the same`(
    _ text: String, _ option: String, _ direction: String
  ) throws {
    let made = try taken(text)
    #expect(made.returnLayerAttachmentOption.rawValue == option)
    #expect(made.attachmentSyncDirection.rawValue == direction)
    #expect(!made.returnsSchemaOnlyForEditableLayers)
    #expect(made.onlineOnlyServicesOption == .exclude && made.referenceBasemapFilename == nil)
  }

  @Test(arguments: [
    ("{}", "relatedOnly"), (#"{"tables": {"includeRows": true}}"#, "all"),
    (#"{"tables": {}}"#, "all"), (#"{"tables": {"includeRows": false}}"#, "relatedOnly"),
  ])
  func `Rows of tables come as the author of the map says`(
    _ text: String, _ filter: String
  ) throws { #expect(try taken(text).destinationTableRowFilter.rawValue == filter) }

  @Test func `Layers stay online and basemaps are replaced as the author of the map says`() throws {
    let made = try taken(
      #"{"connectedOnlineLayers": [{"id": "a"}], "offlinebasemap": {"referenceBasemapName": "b.tpkx"}}"#
    )
    #expect(made.onlineOnlyServicesOption == .useAuthoredSettings)
    #expect(made.referenceBasemapFilename == "b.tpkx" && !made.hasReferenceBasemap)
    #expect(try taken(#"{"connectedOnlineLayers": []}"#).onlineOnlyServicesOption == .exclude)
  }

  private func taken(_ settings: String) throws -> GenerateOfflineMapParameters {
    var parameters = GenerateOfflineMapParameters(
      portal: try #require(URL(string: "https://demo.test")),
      webMap: "0123456789abcdef0123456789abcdef", mapID: "m", areaOfInterest: DemoBed.casco,
      itemInfo: OfflineMapItemInfo(title: "t"))
    parameters.takeOver(
      OfflineSettings(json: try #require(try JSONValue(parsing: settings).object)))
    return parameters
  }
}
