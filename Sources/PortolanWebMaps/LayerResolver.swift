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
  /// What asks the layer's server; with other credentials than the portal's if people gave them.
  let client: RESTClient
  /// What `client` knows of services already.
  let tables: ServiceTables
  /// What the items of layers say about them.
  let items: ItemDocuments
  let bingKeys: any BingKeySource
  /// What keeps the tiles of services that are browsed.
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

  // MARK: - Pictures

  private func mapService(_ layer: Layer) async throws -> LayerContent {
    let address = try await address(of: layer)
    let client = client.adding(layer.requestParameters)
    let service = MapService(url: address.service, client: client)
    let info = try await service.info()
    let tiles = TileService(url: address.service, client: client)
    if info.drawsTilesOnly || layer.isTiled, let source = ServiceTileSource(tiles, info: info) {
      let kept = await keeper?.keeping(source, of: address.service)
      return .tiles(SessionTileSource(kept ?? source))
    }
    var content = MapServiceContent.none
    if case .mapService(let own) = layer.kind { content = own }
    let sublayers = MapSublayers(content, of: info, only: address.layerID)
    let legend = try await legend(of: service, sublayers)
    let features = try await features(
      of: sublayers, info, at: address, layer.requestParameters)
    guard info.canDraw else { return .service(legend: legend, features: features) }
    return .pictures(
      ServicePictures(service, info, sublayers), legend: legend, features: features)
  }

  /// An image service: its tiles, where they are pictures and the map asks for them, else what it
  /// draws.
  private func imageService(_ layer: Layer) async throws -> LayerContent {
    let address = try await address(of: layer)
    let client = client.adding(layer.requestParameters)
    let service = ImageService(url: address.service, client: client)
    let info = try await service.info()
    let tiles = TileService(url: address.service, client: client)
    // Tiles of LERC hold measurements, which the service can color.
    let hasPictures = info.tileFormat?.uppercased().hasPrefix("LERC") == false
    if layer.isTiled || info.drawsTilesOnly, hasPictures,
      let source = ServiceTileSource(tiles, info: info)
    {
      let kept = await keeper?.keeping(source, of: address.service)
      return .tiles(SessionTileSource(kept ?? source))
    }
    return .pictures(ServicePictures(service, info, layer), legend: [], features: [])
  }

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

  /// What the symbols of a service mean; services that were never asked for it have none.
  private func legend(
    of service: MapService, _ sublayers: MapSublayers
  ) async throws(PortalError) -> [LegendInfo] {
    let layers: [ServiceLegend]
    do {
      layers = try await service.legend().filter { sublayers.showsLegend($0.layerID) }
    } catch {
      switch error {
      case .notFound, .server, .unexpected: return []
      // A service whose description was kept is shown without a legend that never was there.
      case _ where error.isWithoutAnswer: return []
      default: throw error
      }
    }
    return layers.flatMap { layer in
      layer.lines.map { LegendInfo($0, heading: layers.count > 1 ? layer.layerName : nil) }
    }
  }

  /// The sublayers whose features can be requested, with what the map says about them.
  private func features(
    of sublayers: MapSublayers, _ info: MapServiceInfo, at address: ServiceAddress,
    _ parameters: RESTParameters
  ) async throws -> [FeatureLayerContent] {
    guard info.capabilities.contains("Query") else { return [] }
    let service: ServiceTables.Service
    do throws(PortalError) {
      service = try await tables.service(address.service, adding: parameters)
    } catch {
      switch error {
      // Its pictures can be drawn all the same.
      case .notFound, .server, .unexpected, .notJSON: return []
      default: throw error
      }
    }
    return try await service.store.schemas().compactMap { schema in
      guard schema.geometryType != nil,
        let info = service.tables.first(where: { $0.info.id == schema.serviceLayerID })?.info,
        let id = info.id, sublayers.contains(id)
      else { return nil }
      let layer = sublayers.layer(id)
      var content = FeatureLayerContent(
        store: service.store, schema: schema, layer: layer, resource: info.json)
      content.isPopupEnabled = sublayers.isDrawn(id) && layer.isPopupEnabled
      return content
    }
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

  /// Where the data of a layer are: as the map says, else as its item does.
  private func address(of layer: Layer) async throws -> ServiceAddress {
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
  /// What the map's author wants to be sent with every request to the layer's service.
  fileprivate var requestParameters: RESTParameters {
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

  /// Whether the map asks for the tiles of a service, not for pictures that it draws on request.
  fileprivate var isTiled: Bool {
    switch kind {
    case .tiledMapService, .tiledImageService: true
    default: false
    }
  }
}

extension MapServiceInfo {
  /// Whether the service has tiles and draws nothing else.
  fileprivate var drawsTilesOnly: Bool { tileScheme != nil && capabilities.contains("TilesOnly") }

  /// Whether the service draws; old ones do not say what they can do.
  fileprivate var canDraw: Bool {
    capabilities.contains("Map") || json.text("capabilities")?.isEmpty ?? true
  }
}

extension JSONValue {
  /// Whether a spatial reference of a map is Web Mercator.
  fileprivate var isWebMercator: Bool { SpatialReference(esriJSON: self)?.isWebMercator ?? true }
}

extension MapServiceContent {
  /// What a map says that says nothing of the layers of a service.
  fileprivate static var none: MapServiceContent { MapServiceContent(json: [:]) }
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

extension LegendInfo {
  /// A line of a service's legend, with its picture.
  fileprivate init(_ line: ServiceLegend.Line, heading: String?) {
    let symbol = line.imageData.map { data in
      // Services draw at 96 points an inch, symbols are measured at 72.
      Symbol.pictureMarker(
        PictureMarkerSymbol(
          imageData: data, contentType: line.contentType, width: Double(line.width ?? 20) * 0.75,
          height: Double(line.height ?? 20) * 0.75))
    }
    self.init(name: line.label, swatch: symbol.map(Swatch.symbol) ?? .none, heading: heading)
  }
}
