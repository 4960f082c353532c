internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanMap
internal import PortolanPackages
internal import PortolanTiles

extension MapModel {
  /// The same map above other tiles, seen through the same window.
  ///
  /// - Parameter tiles: The tiles that take the place of the basemap.
  /// - Returns: The model of the map as it is shown then.
  func withBasemap(_ tiles: ServedTiles) async -> MapModel {
    let layer = Layer(
      tiles.source.info.isVector ? .vectorTile : .tiledMapService, id: BasemapContents.layerID,
      title: tiles.name, role: .basemap)
    var webMap = map.webMap
    webMap.basemap = Basemap(title: tiles.name, layers: [layer])
    let changed = MobileMap(
      name: map.name, item: map.item, webMap: webMap,
      contents: BasemapContents(tiles: tiles.source, others: map.contents))
    let model = MapModel(
      map: changed, viewport: MapViewport(width: state.frame.width, height: state.frame.height),
      timeZone: popups.formatting.timeZone, locale: popups.formatting.locale, origin: origin,
      indexes: indexes, portal: portal, drawing: drawing, clock: clock)
    await model.load()
    model.stored = stored
    model.searchSubject = searchSubject
    return model
  }
}

/// The layers of a map, the basemap's from elsewhere.
private struct BasemapContents: LayerContentSource {
  static let layerID = "portolan-basemap"

  let tiles: any TileSource
  let others: any LayerContentSource

  var isPacked: Bool { others.isPacked }

  func content(of layer: Layer) async -> LayerContent {
    layer.id == Self.layerID ? LayerContent(tiles: tiles) : await others.content(of: layer)
  }

  func openForEditing(_ layer: Layer) async throws(FeatureEditError) {
    try await others.openForEditing(layer)
  }

  func endEditing() async { await others.endEditing() }

  func close() async { await others.close() }

  func checkEdits(of layer: Layer) async throws { try await others.checkEdits(of: layer) }
}

extension AppModel {
  /// Shows other tiles below the open map: a region, a source of the cache, or those of a file.
  ///
  /// Vector tiles are drawn with the style of their package, those that come without with a plain one
  /// until ``MapModel/setStyle(from:)`` gives them another.
  ///
  /// - Parameter tiles: The tiles.
  /// - Throws: A problem if no map is open; a cancellation if another was asked for meanwhile, which is shown then.
  public func setBasemap(_ tiles: ServedTiles) async throws(Problem) {
    guard let map else {
      throw Problem(
        message: "No map is open.", suggestion: "Open one first.", kind: .absence,
        actions: [.init(.openFile)])
    }
    let number = beginOpening()
    try await replaceMap(with: map.withBasemap(tiles), asked: number)
  }
}
