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

/// The effect of each parameter and override on the package that is made.
@Suite(.temporaryDirectory) struct ParameterEffectTests {
  private func bed() async throws -> OfflineJobBed {
    try await OfflineJobBed(in: temporaryDirectory)
  }

  /// Lighthouses, with attachments, and towns that the map hides but for cities.
  private static let layers = [
    OfflineJobBed.layer(1, "Lighthouses"),
    OfflineJobBed.layer(0, "Towns", where: "KIND = 'city'"),
  ]

  @Test func `Vector tiles are exported, and the layer shows them`() async throws {
    let bed = try await bed()
    let made = try await bed.make(
      try await bed.parameters(operational: [], basemap: [OfflineJobBed.vectors]))
    #expect(made.paths.count == 1 && made.paths.allSatisfy { $0.contains(".vtpk") })
    #expect(made.outcome.isComplete)
  }

  @Test func `A basemap that is not wanted is not there`() async throws {
    let bed = try await bed()
    var parameters = try await bed.parameters(
      operational: Self.layers, basemap: [OfflineJobBed.pictures])
    parameters.includesBasemap = false
    let made = try await bed.make(parameters)
    #expect(made.map.basemap.layers.isEmpty && made.paths.allSatisfy { !$0.contains("tpk") })
  }

  @Test func `A basemap that is not wanted is nothing that the map lacks`() async throws {
    let bed = try await bed()
    var parameters = try await bed.parameters(
      operational: Self.layers,
      basemap: [["id": "osm", "title": "OpenStreetMap", "layerType": "OpenStreetMap"]])
    #expect(try await bed.make(parameters).outcome.failedItems.map(\.name) == ["OpenStreetMap"])
    parameters.mapID = UUID().uuidString.lowercased()
    parameters.includesBasemap = false
    let made = try await bed.make(parameters)
    #expect(made.outcome.failedItems.isEmpty && made.map.basemap.layers.isEmpty)
  }

  @Test func `Scales limit the levels that are exported`() async throws {
    let bed = try await bed()
    var parameters = try await bed.parameters(operational: [], basemap: [OfflineJobBed.pictures])
    let wide = try await OnDemandEstimate.make(
      parameters, portal: bed.bed.portal, environment: bed.bed.environment)
    parameters.maxScale = 2_000_000
    let narrow = try await OnDemandEstimate.make(
      parameters, portal: bed.bed.portal, environment: bed.bed.environment)
    #expect((narrow.parts.first?.tiles ?? 0) < (wide.parts.first?.tiles ?? 0))
    #expect(try await bed.make(parameters).outcome.isComplete)
  }

  @Test(arguments: [true, false])
  func `The conditions of the map limit the features, unless they are switched off`(
    _ isEnabled: Bool
  ) async throws {
    let bed = try await bed()
    var parameters = try await bed.parameters(operational: Self.layers)
    parameters.isDefinitionExpressionFilterEnabled = isEnabled
    let made = try await bed.make(parameters)
    let others = try await made.count("Towns", where: "KIND <> 'city'")
    #expect((others == 0) == isEnabled)
  }

  @Test(arguments: [
    GenerateOfflineMapParameters.ReturnLayerAttachmentOption.allLayers, .none,
    .editableLayers, .readOnlyLayers,
  ])
  func `Attachments come along of the layers that they are wanted of`(
    _ option: GenerateOfflineMapParameters.ReturnLayerAttachmentOption
  ) async throws {
    let bed = try await bed()
    var parameters = try await bed.parameters(operational: Self.layers)
    parameters.returnLayerAttachmentOption = option
    parameters.attachmentSyncDirection = .upload
    let count = try await bed.make(parameters).attachments("Lighthouses")
    // Everybody may edit the lighthouses.
    #expect((count > 0) == (option == .allLayers || option == .editableLayers))
  }

  @Test func `Editable layers come empty where features are only to be collected`() async throws {
    let bed = try await bed()
    var parameters = try await bed.parameters(operational: Self.layers)
    parameters.returnsSchemaOnlyForEditableLayers = true
    let made = try await bed.make(parameters)
    #expect(try await made.count("Lighthouses") == 0)
  }

  @Test func `The map's description can be chosen`() async throws {
    let bed = try await bed()
    var parameters = try await bed.parameters(operational: Self.layers)
    parameters.itemInfo.title = "Explore Maine (South)"
    #expect(try await bed.make(parameters).title == "Explore Maine (South)")
  }

  @Test func `Without updates the copy is registered nowhere`() async throws {
    let bed = try await bed()
    var parameters = try await bed.parameters(operational: Self.layers)
    parameters.updateMode = .noUpdates
    _ = try await bed.make(parameters)
    let id = try #require(MapID(parameters.mapID))
    #expect(try await OfflineMapSyncTask(bed.bed.environment).isSynchronized(id) == false)
  }

  @Test(arguments: [
    GenerateOfflineMapParameters.OnlineOnlyServicesOption.include, .exclude,
  ])
  func `Layers that cannot be taken stay online only where that is wanted`(
    _ option: GenerateOfflineMapParameters.OnlineOnlyServicesOption
  ) async throws {
    let bed = try await bed()
    let wms: JSONValue = ["id": "wms", "title": "wms", "layerType": "WMS", "url": "https://w.test"]
    var parameters = try await bed.parameters(operational: Self.layers + [wms])
    parameters.onlineOnlyServicesOption = option
    let made = try await bed.make(parameters)
    #expect((made.map.layer(withID: "wms") != nil) == (option == .include))
  }

  @Test func `A layer that is left out is not in the map, and its service is not asked for it`()
    async throws
  {
    let bed = try await bed()
    let parameters = try await bed.parameters(
      operational: Self.layers, basemap: [OfflineJobBed.pictures])
    let task = OfflineMapTask(
      portal: bed.bed.portal, webMap: try PortalItem.ID(parameters.webMap))
    let overrides = try await task.makeGenerateOfflineMapParameterOverrides(
      parameters: parameters, leavingOut: ["Towns", "backdrop"])
    let made = try await bed.make(parameters, overrides)
    #expect(made.map.layer(withID: "Towns") == nil && made.map.basemap.layers.isEmpty)
    let tables = try await made.geodatabase()?.schemas().map(\.name) ?? []
    #expect(tables.contains("Lighthouses") && !tables.contains("Towns"))
  }

  @Test func `An override of a layer changes its rows alone`() async throws {
    let bed = try await bed()
    let parameters = try await bed.parameters(operational: Self.layers)
    let task = OfflineMapTask(
      portal: bed.bed.portal, webMap: try PortalItem.ID(parameters.webMap))
    var overrides = try await task.makeGenerateOfflineMapParameterOverrides(
      parameters: parameters)
    let key = OfflineMapParametersKey(service: OfflineJobBed.service("ExploreMaine"))
    var options = try #require(overrides.generateGeodatabaseParameters[key])
    let index = try #require(options.layerOptions.firstIndex { $0.layerID == 1 })
    options.layerOptions[index].whereClause = "NAME = 'Portland Head Light'"
    overrides.generateGeodatabaseParameters[key] = options
    let made = try await bed.make(parameters, overrides)
    #expect(try await made.count("Lighthouses", where: "NAME <> 'Portland Head Light'") == 0)
    #expect(try await made.count("Towns") > 0)
  }

  @Test func `A job synchronizes a stored map, and says what it has done`() async throws {
    let bed = try await bed()
    let parameters = try await bed.parameters(operational: Self.layers)
    _ = try await bed.make(parameters)
    let id = try #require(MapID(parameters.mapID))
    let lease = try await bed.bed.library.open(id)
    let path = try #require(try OfflineMapSyncTask.geodatabases(in: lease.url).first)
    let store = try EditableGeodatabase.open(
      at: lease.url.appending(path: path), now: { DemoBed.day }, makeID: { UUID() })
    let feature = NewFeature(
      attributes: ["NAME": .text("New Light")], geometry: .point(.init(x: -7_800_000, y: 5_400_000))
    )
    _ = try await store.apply([.add(feature, table: "Lighthouses")])
    await store.close()
    let order = try OfflineJobOrder(
      SyncOfflineMapParameters(portal: parameters.portal, map: parameters.mapID), title: "Casco")
    let (outcome, job) = try await bed.run(order)
    #expect(outcome.isComplete)
    let result = try #require(OfflineMapSyncResult(of: job))
    #expect(result.sent == 1 && result.waiting == 0 && !result.isRegisteredAgain)
    #expect(result.parts.map(\.path) == [path])
  }

  @Test func `A geodatabase that is damaged leaves the others to be synchronized`() async throws {
    let bed = try await bed()
    let parameters = try await bed.parameters(operational: Self.layers)
    _ = try await bed.make(parameters)
    let lease = try await bed.bed.library.open(try #require(MapID(parameters.mapID)))
    try Data("no database".utf8).write(to: lease.url.appending(path: "p13/a.geodatabase"))
    let order = try OfflineJobOrder(
      SyncOfflineMapParameters(portal: parameters.portal, map: parameters.mapID), title: "Casco")
    let (outcome, job) = try await bed.run(order)
    #expect(outcome.failedItems.map(\.name) == ["p13/a.geodatabase"])
    #expect(try #require(OfflineMapSyncResult(of: job)).parts.count == 1)
  }

  @Test func `A map without a copy at a service cannot be synchronized`() async throws {
    let bed = try await bed()
    var parameters = try await bed.parameters(operational: Self.layers)
    parameters.updateMode = .noUpdates
    _ = try await bed.make(parameters)
    let order = try OfflineJobOrder(
      SyncOfflineMapParameters(portal: parameters.portal, map: parameters.mapID), title: "Casco")
    await #expect(throws: JobInterruption.self) { try await bed.run(order) }
  }

  @Test func `Only copies that Portolan registered are unregistered with their map`() async throws {
    let bed = try await bed()
    let parameters = try await bed.parameters(operational: Self.layers)
    _ = try await bed.make(parameters)
    let id = try #require(MapID(parameters.mapID))
    let found = await bed.bed.storage.storedMap(id)
    let stored = try #require(found)
    let messages = try await OfflineMapSyncTask(bed.bed.environment).releases(of: stored)
    #expect(messages.count == 1)
    #expect(messages.first?.address.lastPathComponent == "unRegisterReplica")
  }
}
