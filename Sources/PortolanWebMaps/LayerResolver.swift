internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap
internal import PortolanPackages
internal import PortolanPortal
internal import PortolanTiles

/// Finds out whether one layer of an online map can be used, and what is behind it.
struct LayerResolver: Sendable {
  let portal: Portal
  /// The client for the layer's server; with other credentials than the portal's if the user gave
  /// them.
  let client: RESTClient
  /// The service tables that `client` has read already.
  let tables: ServiceTables
  /// The portal items of layers.
  let items: ItemDocuments
  let bingKeys: any BingKeySource
  /// The cache of the tiles of services that are browsed.
  var keeper: (any TileKeeping)?

  func content(of layer: Layer) async throws(OnlineMapError) -> LayerContent {
    do {
      return try await resolve(layer)
    } catch {
      throw OnlineMapError(error)
    }
  }

  private func resolve(_ layer: Layer) async throws -> LayerContent {
    switch layer.kind {
    case .group: return .group
    case .feature(let source): return try await features(of: layer, from: source)
    case .subtypeGroup, .subtypeGroupTable:
      return try await features(of: layer, at: address(of: layer))
    case .mapService, .tiledMapService: return try await mapService(layer)
    case .imageService, .tiledImageService: return try await imageService(layer)
    case .vectorTile(let style): return try await vectorTiles(layer, style)
    case .webTiled(let template): return try webTiles(layer, template)
    case .openStreetMap: return try webTiles(layer, .openStreetMap, levels: 0...19)
    case .bing: return try await bing()
    default: throw OnlineMapError.unsupportedLayer(reason: reason(against: layer))
    }
  }

  // MARK: - Features

  private func features(
    of layer: Layer, from source: FeatureLayerSource
  ) async throws -> LayerContent {
    switch source {
    case .featureCollection(let collection):
      return FeatureCollectionContent(collection: collection, layer: layer).content
    case .service: return try await features(of: layer, at: address(of: layer))
    case .item(let id):
      let item = try await portal.item(PortalItem.ID(id))
      if let address = item.url.flatMap({ ServiceAddress($0.absoluteString) }) {
        return try await features(of: layer, at: address)
      }
      guard let collection = try await portal.json(of: PortalItem.ID(id))?.object else {
        throw OnlineMapError.noAddress(layer: layer.title)
      }
      return FeatureCollectionContent(
        collection: FeatureCollection(json: collection), layer: layer
      ).content
    case .package, .none: throw OnlineMapError.noAddress(layer: layer.title)
    }
  }

  private func features(of layer: Layer, at address: ServiceAddress) async throws -> LayerContent {
    // All tables, since popups show rows that are related to those of this one.
    let service = try await tables.service(address.service, adding: layer.requestParameters)
    let wanted = address.layerID ?? service.tables.first?.info.id ?? 0
    guard let info = service.tables.first(where: { $0.info.id == wanted })?.info,
      let schema = try await service.store.schemas().first(where: { $0.serviceLayerID == wanted })
    else {
      throw OnlineMapError.noSuchLayer(service: address.service.absoluteString, id: wanted)
    }
    let own = try await withItem(layer, wanted)
    var content = FeatureLayerContent(
      store: service.store, schema: schema, layer: own, resource: info.json)
    if layer.itemID != nil {
      content.serviceScaleRange = own.scaleRange(over: content.serviceScaleRange)
      content.isPopupEnabled = own.isPopupEnabled
      content.itemDefinition = own.layerDefinition
    }
    return .features([content])
  }

  /// A layer with what its item says about how it is shown, where the map says nothing of that.
  private func withItem(_ layer: Layer, _ number: Int) async throws(PortalError) -> Layer {
    // What is no id names no item.
    guard let id = layer.itemID.flatMap({ try? PortalItem.ID($0) }) else { return layer }
    do throws(PortalError) {
      return layer.inheriting(from: try await items.document(of: id), ofLayer: number)
    } catch {
      switch error {
      // Without access to the item the layer is shown as its service defines it.
      case .signInNeeded, .notPermitted, .notFound, .server, .unexpected, .notJSON: return layer
      case _ where error.isWithoutAnswer: return layer
      default: throw error
      }
    }
  }

  // MARK: - Tiles

  /// Tiles of a server that is none of Esri's.
  private func webTiles(
    _ layer: Layer, _ template: WebTileTemplate, levels: ClosedRange<Int> = 0...22
  ) throws -> LayerContent {
    let copyright = template.copyright ?? layer.json["copyright"]?.string
    guard layer.json["tileInfo"]?["spatialReference"]?.isWebMercator ?? true else {
      throw OnlineMapError.unsupportedLayer(
        reason: "Its tiles are in another reference than Web Mercator.")
    }
    let scheme = layer.tileScheme ?? .webMercator(tileSide: 256, levels: levels)
    let numbers = scheme.levels.map(\.level)
    let info = TileSourceInfo(
      name: layer.title, scheme: scheme,
      levels: (numbers.min() ?? levels.lowerBound)...(numbers.max() ?? levels.upperBound),
      fullExtent: nil, declaredFormat: "", attribution: copyright)
    let client = client.adding(layer.requestParameters)
    guard let url = template.templateURL,
      let source = TemplateTileSource(
        [url], subdomains: template.subDomains, info: info, client: client)
    else { throw OnlineMapError.noAddress(layer: layer.title) }
    return .tiles(SessionTileSource(source))
  }

  private func vectorTiles(_ layer: Layer, _ style: VectorTileStyle) async throws -> LayerContent {
    var item: PortalItem?
    // An address of a style says it all.
    if style.styleURL == nil, let id = layer.itemID {
      item = try await portal.item(PortalItem.ID(id))
    }
    let text = layer.url ?? item?.url?.absoluteString
    let loader = OnlineStyle(client: client.adding(layer.requestParameters), portal: portal)
    guard style.styleURL != nil || item != nil || text != nil else {
      throw OnlineMapError.noAddress(layer: layer.title)
    }
    return .styledTiles(
      try await loader.tiles(
        styleURL: style.styleURL, item: item, service: text.flatMap(ServiceAddress.init)?.service))
  }

  private func bing() async throws -> LayerContent {
    if try await portal.info().bingKey != nil { return .service(legend: [], features: []) }
    guard await bingKeys.bingKey() != nil else { throw OnlineMapError.bingKeyNeeded }
    return .service(legend: [], features: [])
  }

  // MARK: - Addresses

  /// The address of a layer's data: as the map gives it, else as its item does.
  func address(of layer: Layer) async throws -> ServiceAddress {
    if let text = layer.url {
      guard let address = ServiceAddress(text) else {
        throw OnlineMapError.noAddress(layer: layer.title)
      }
      return address
    }
    guard let id = layer.itemID, let url = try await portal.item(PortalItem.ID(id)).url,
      let address = ServiceAddress(url.absoluteString)
    else { throw OnlineMapError.noAddress(layer: layer.title) }
    return address
  }

  private func reason(against layer: Layer) -> String {
    layer.typeName.isEmpty
      ? "The map does not say what kind of layer it is."
      : "Layers of type \"\(layer.typeName)\" cannot be shown yet."
  }
}

extension Layer {
  /// The custom parameters of every request to the layer's service.
  var requestParameters: RESTParameters {
    customParameters.sorted { $0.key < $1.key }.reduce(into: [:]) { $0[$1.key] = $1.value }
  }
}

extension Layer {
  /// How large the tiles of a server are and how far their levels go, as the map says it.
  fileprivate var tileScheme: TileScheme? {
    guard let tileInfo = json["tileInfo"],
      // What places no tile says nothing.
      var scheme = try? TileScheme(tileInfo: tileInfo, file: title)
    else { return nil }
    scheme.spatialReference = .webMercator
    return scheme
  }
}

extension JSONValue {
  /// Whether a spatial reference of a map is Web Mercator.
  fileprivate var isWebMercator: Bool { SpatialReference(esriJSON: self)?.isWebMercator ?? true }
}

extension WebTileTemplate {
  /// The tiles of OpenStreetMap.
  fileprivate static var openStreetMap: WebTileTemplate {
    WebTileTemplate(
      json: [
        "templateUrl": "https://tile.openstreetmap.org/{level}/{col}/{row}.png",
        "copyright": "© OpenStreetMap contributors",
      ])
  }
}
