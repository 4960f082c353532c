internal import Foundation
internal import PortolanFeatures
internal import PortolanJSON
internal import PortolanMap
internal import PortolanPackages
internal import PortolanPortal
internal import PortolanTiles

// Map services and image services, which draw or have tiles.
extension LayerResolver {
  func mapService(_ layer: Layer) async throws -> LayerContent {
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
  func imageService(_ layer: Layer) async throws -> LayerContent {
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

  /// The legend of a service; services that were never asked for it have none.
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
}

extension Layer {
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

extension MapServiceContent {
  /// What a map says that says nothing of the layers of a service.
  fileprivate static var none: MapServiceContent { MapServiceContent(json: [:]) }
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
