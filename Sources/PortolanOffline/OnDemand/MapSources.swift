internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanJSON
internal import PortolanMap
internal import PortolanPortal
internal import PortolanTransport

/// A web map with what each of its services says about itself.
struct MapSources: Sendable {
  /// A feature service, and its layers in full.
  struct Features: Sendable {
    let service: FeatureService
    let info: FeatureServiceInfo
    let layers: [FeatureLayerInfo]
    private let schemas: [Int: FeatureTableSchema]

    init(service: FeatureService, info: FeatureServiceInfo, layers: [FeatureLayerInfo]) {
      self.service = service
      self.info = info
      self.layers = layers
      schemas = Self.schemas(of: layers)
    }

    /// The layers as tables of one geodatabase, by their numbers.
    ///
    /// Whichever of them are taken, each has the same name, since all are named in the order of their numbers.
    private static func schemas(of layers: [FeatureLayerInfo]) -> [Int: FeatureTableSchema] {
      var names = TableNames(.geodatabase)
      let resources = layers.sorted { ($0.id ?? 0) < ($1.id ?? 0) }.compactMap { layer in
        layer.schema.map { schema in
          LayerResource(
            tableName: names.name(
              ofTable: layer.name, hasAttachments: schema.hasAttachments),
            json: .object(layer.json))
        }
      }
      let schemas = FeatureTableSchema.schemas(of: resources).compactMap { schema in
        schema.serviceLayerID.map { ($0, schema) }
      }
      return Dictionary(schemas, uniquingKeysWith: { first, _ in first })
    }

    func layer(_ id: Int) -> FeatureLayerInfo? { layers.first { $0.id == id } }

    /// What the table of a layer holds; its name is one that a geodatabase can have, its alias that of the
    /// layer.
    func schema(of layerID: Int) -> FeatureTableSchema? { schemas[layerID] }

    /// A layer as a table of a geodatabase, drawn and credited as the service says.
    func table(
      _ layer: FeatureLayerInfo, _ schema: FeatureTableSchema
    ) -> GeodatabaseDefinition.Table {
      GeodatabaseDefinition.Table(
        schema, drawingInfo: layer.json["drawingInfo"],
        copyrightText: layer.json.filledText("copyrightText")
          ?? info.json.filledText("copyrightText"),
        shapeField: schema.shapeFieldInGeodatabase)
    }

    /// Asks the service whether layers still have the same fields and shapes: rows that were fetched
    /// meanwhile are read by those.
    ///
    /// - Throws: ``OfflineMapError/serviceChanged(service:)`` if one is another now.
    func checkUnchanged(_ ids: [Int]) async throws {
      let now = try await service.layers()
      for id in ids where !(layer(id)?.hasSameRows(as: now.first { $0.id == id }) ?? false) {
        throw OfflineMapError.serviceChanged(
          service: service.url.deletingLastPathComponent().lastPathComponent)
      }
    }
  }

  /// A service of tiles.
  struct Tiles: Sendable {
    /// Where tiles are exported; another host than that which serves them, for some.
    let exportURL: URL
    let info: MapServiceInfo
    /// Whether they may be exported; another host for it is a permission.
    let canExport: Bool
  }

  /// How a layer of the map is taken offline.
  enum Target: Hashable {
    /// It holds other layers and nothing else.
    case group
    /// Its features are in the document of the map.
    case embedded
    /// A layer of a feature service, by the name of the service.
    case feature(service: String, layerID: Int)
    case tiles(service: String)
    case vectorTiles(service: String)
    case none(OfflineIssue)
  }

  let item: PortalItem
  /// The map, with the features of collections that are in items of their own.
  let webMap: WebMap
  private(set) var features: [String: Features] = [:]
  private(set) var tiles: [String: Tiles] = [:]
  /// The services that did not answer, by their names, and the items that layers name in place of one, by
  /// their ids.
  private(set) var failures: [String: PortalError] = [:]
  private let addresses: LayerSources
  private let packaging: PortalHelperServices.Packaging?

  /// Asks a portal for a map, and each of its services what it can do.
  ///
  /// - Throws: ``OfflineMapError`` for items that are no web map or may not be taken offline,
  ///   ``PortolanPortal/PortalError`` if the portal does not answer. A service that does not is
  ///   among ``failures``, unless there is no network at all.
  static func load(_ webMap: PortalItem.ID, from portal: Portal) async throws -> MapSources {
    let item = try await portal.item(webMap)
    guard item.isOf(.webMap) else {
      throw OfflineMapError.wrongItemType(
        item: item.title, type: item.kind.rawValue, expected: PortalItem.Kind.webMap.rawValue)
    }
    guard !item.typeKeywords.contains("OfflineDisabled") else {
      throw OfflineMapError.offlineDisabled(map: item.title)
    }
    var map = try WebMap(json: try await portal.json(of: webMap) ?? .null)
    let failures = try await EmbeddedCollections(portal).embed(in: &map)
    let addresses = try await LayerSources.load(
      for: map, matching: [], leavingOut: Set(failures.keys), from: portal)
    try await ItemDefinitions(addresses, portal).complete(&map)
    let packaging: PortalHelperServices.Packaging?
    do { packaging = try await portal.info().helperServices.packaging } catch {
      guard error.leavesOtherServices else { throw error }
      packaging = nil
    }
    var sources = MapSources(item, map, addresses, packaging)
    sources.failures = failures
    try await sources.askServices(portal.client)
    return sources
  }

  private init(
    _ item: PortalItem, _ webMap: WebMap, _ addresses: LayerSources,
    _ packaging: PortalHelperServices.Packaging?
  ) {
    self.item = item
    self.webMap = webMap
    self.addresses = addresses
    self.packaging = packaging
  }

  // MARK: - Layers

  /// How a layer of the map is taken offline.
  func target(of layer: Layer) -> Target {
    switch layer.kind {
    case .group: return .group
    case .feature(.featureCollection), .feature(.package): return .embedded
    // The layers of a subtype group have no source of their own.
    case .feature(.none) where layer.json["subtypeCode"] != nil: return .group
    case .feature(.item(let id)):
      guard let failure = failures[id] else { return featureTarget(layer) }
      return .none(.service(message: failure.errorDescription ?? "The item cannot be read."))
    case .feature(.service), .subtypeGroup, .subtypeGroupTable:
      return featureTarget(layer)
    case .tiledMapService, .mapService, .imageService, .tiledImageService:
      guard let address = address(of: layer) else { return Self.unreachable }
      return .tiles(service: LayerAddress(address).name)
    case .vectorTile: return vectorTarget(layer)
    default: return .none(.unsupportedType(reason: layer.offlineSupport.reason ?? ""))
    }
  }

  private static let unreachable = Target.none(
    .service(message: "The map does not say where the data of the layer are."))

  private func address(of layer: Layer) -> String? {
    layer.url ?? addresses.addresses(of: layer)?.first
  }

  private func featureTarget(_ layer: Layer) -> Target {
    guard let address = address(of: layer).map(LayerAddress.init) else { return Self.unreachable }
    let number = address.layerID ?? layer.json["layerId"]?.int ?? 0
    return .feature(service: address.name, layerID: number)
  }

  private func vectorTarget(_ layer: Layer) -> Target {
    let services = vectorServices(of: layer)
    guard let first = services.first else { return Self.unreachable }
    guard services.count == 1 else { return .none(.multipleSources) }
    return .vectorTiles(service: ServiceName(first).text)
  }

  /// The services that a layer of vector tiles draws, each once.
  private func vectorServices(of layer: Layer) -> [String] {
    let all = layer.url.map { [$0] } ?? addresses.addresses(of: layer) ?? []
    var names: Set<String> = []
    return all.filter { address in
      let name = ServiceName(address).text
      return name.contains("vectortileserver") && !isExportHost(of: all, address)
        && names.insert(name).inserted
    }
  }

  /// Whether an address is that of another on the host that exports its tiles.
  private func isExportHost(of all: [String], _ address: String) -> Bool {
    all.contains { other in
      guard other != address, let url = URL(string: other), let packaging else { return false }
      return packaging.exportURL(for: url).absoluteString == address
        && url.absoluteString != address
    }
  }

  // MARK: - Services

  private mutating func askServices(_ client: RESTClient) async throws(PortalError) {
    var layers: [Layer] = []
    var map = webMap
    map.updateLayers { layers.append($0) }
    for layer in layers {
      switch target(of: layer) {
      case .feature(let name, _):
        guard features[name] == nil, failures[name] == nil,
          let url = address(of: layer).flatMap({ LayerAddress($0).url })
        else { continue }
        try await ask(name) { features, _ in
          features[name] = try await Self.features(at: url, client)
        }
      case .tiles(let name), .vectorTiles(let name):
        let address = address(of: layer)
        let known = vectorServices(of: layer).first ?? address
        guard tiles[name] == nil, failures[name] == nil,
          let url = known.flatMap({ LayerAddress($0).url })
        else { continue }
        let packaging = packaging
        try await ask(name) { _, tiles in
          tiles[name] = try await Self.tiles(at: url, packaging, client)
        }
      case .group, .embedded, .none: continue
      }
    }
  }

  private mutating func ask(
    _ name: String,
    _ question: (inout [String: Features], inout [String: Tiles]) async throws -> Void
  ) async throws(PortalError) {
    do { try await question(&features, &tiles) } catch let error as PortalError {
      guard error.leavesOtherServices else { throw error }
      failures[name] = error
    } catch {
      throw .cancelled
    }
  }

  private static func features(at url: URL, _ client: RESTClient) async throws -> Features {
    let service = FeatureService(url: url, client: client)
    return Features(
      service: service, info: try await service.info(), layers: try await service.layers())
  }

  static func tiles(
    at url: URL, _ packaging: PortalHelperServices.Packaging?, _ client: RESTClient
  ) async throws(PortalError) -> Tiles {
    let info = try await MapService(url: url, client: client).info()
    let exportURL = packaging?.exportURL(for: url) ?? url
    return Tiles(
      exportURL: exportURL, info: info, canExport: info.canExportTiles || exportURL != url)
  }
}

extension PortalError {
  /// Whether other services may answer although this one did not.
  var leavesOtherServices: Bool {
    switch self {
    case .cancelled, .transport(.cancelled), .transport(.offline): false
    case .part(_, let cause): cause.leavesOtherServices
    default: true
    }
  }
}

extension FeatureLayerInfo {
  /// Whether rows of another description of this layer mean the same: their values have names, so that the
  /// order of fields, which differs between the machines of some services, says nothing.
  fileprivate func hasSameRows(as other: FeatureLayerInfo?) -> Bool {
    guard let own = schema, let other = other?.schema else { return false }
    return own.geometryType == other.geometryType && own.objectIDField == other.objectIDField
      && own.globalIDField == other.globalIDField
      && own.fields.count == other.fields.count
      && Set(own.fields.map(FieldKind.init)) == Set(other.fields.map(FieldKind.init))
  }

  /// The name and type of a field.
  private struct FieldKind: Hashable {
    let name: String
    let type: FieldType

    init(_ field: Field) {
      name = field.name
      type = field.type
    }
  }
}
