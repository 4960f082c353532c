internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap
internal import PortolanPackages
internal import PortolanSearch
internal import PortolanTiles

extension MapModel {
  /// A table of a layer, with the layer's place in the map.
  struct SearchableTable {
    let node: LayerTree.Node
    let content: FeatureLayerContent
  }

  /// The tables of the map's own layers, those that are switched off included.
  ///
  /// In a map on this device those are left out that are at services alone: all of them would be fetched
  /// into its index.
  var searchableTables: [SearchableTable] {
    (tree.ordered + tree.tables.compactMap(tree.node))
      .filter { $0.layer.role != .basemap && (origin == nil || !$0.layer.isOnlineOnly) }
      .flatMap { node in
        (contents[node.id]?.features ?? []).map { SearchableTable(node: node, content: $0) }
      }
  }

  /// The closest scale for which the pictures of tiles that are shown were made; beyond it they are only
  /// made larger.
  ///
  /// - Parameter key: A layer that is to be seen.
  /// - Returns: The denominator; `nil` where the detail does not end, as in vector tiles, or the layer is
  ///   not shown at that scale.
  func finestScale(showing key: String?) -> Double? {
    var finest: Double?
    for node in tree.ordered where tree.isShown(node.id) {
      switch contents[node.id] {
      case .vectorTiles, .styledTiles: return nil
      case .tiles(let source):
        let info = source.info
        guard !info.isVector else { return nil }
        let last =
          info.levels.flatMap { info.scheme.level($0.upperBound) } ?? info.scheme.levels.last
        finest = [finest, last?.scale].compactMap(\.self).min()
      default: continue
      }
    }
    guard let finest, key.map({ tree.isInScaleRange($0, scale: finest) }) ?? true else {
      return nil
    }
    return finest
  }

  /// Finds the places of a map that is open over the network; `nil` for one on this device.
  ///
  /// Without places to find, all layers with names or addresses are asked, and not only those that its
  /// author chose.
  var onlinePlaces: OnlinePlaces? {
    guard origin == nil else { return nil }
    let places = places
    return OnlinePlaces(
      layers: QueryLocator(places == nil ? searchSources : chosenSources), places: places,
      center: centerOnWGS84)
  }

  /// The geocode service of the portal, unless the author of the map has switched it off.
  private var places: PortalPlaces? {
    let viewing = map.webMap.json.object("applicationProperties")?.object("viewing")
    let isOff = viewing?.object("search")?.flag("disablePlaceFinder") ?? false
    return isOff ? nil : portal.map { PortalPlaces($0) }
  }

  /// The middle of what is seen, on WGS 84; `nil` for a map that cannot be projected.
  private var centerOnWGS84: Coordinate? {
    // Places are then found wherever they are.
    try? Projection(from: state.frame.spatialReference, to: .wgs84).project(state.frame.center)
  }

  /// The layers and fields that the author of the map has chosen for searching.
  private var chosenSources: [LocatorSource] {
    let tables = searchableTables
    return map.webMap.searchSettings.entries.flatMap { entry in
      tables.compactMap { $0.source(entry) }
    }
  }

  /// The searchable layers: those that the author chose, else all with names or addresses.
  var searchSources: [LocatorSource] {
    let chosen = chosenSources
    return chosen.isEmpty ? searchableTables.compactMap { $0.source() } : chosen
  }
}

extension MapModel.SearchableTable {
  /// The source that the author asks for, if it is about this table.
  fileprivate func source(_ entry: MapSearchSettings.Entry) -> LocatorSource? {
    guard node.layer.id == entry.layerID, let field = content.schema.field(named: entry.field),
      entry.sublayerID == nil || entry.sublayerID == content.schema.serviceLayerID
    else { return nil }
    return source(by: [field.name])
  }

  /// The source that the table's names and addresses make; `nil` if it has none.
  fileprivate func source() -> LocatorSource? {
    let fields = SearchFields.names(
      in: content.schema, displayField: node.layer.layerDefinition.displayField)
    return fields.isEmpty ? nil : source(by: fields)
  }

  private func source(by fields: [String]) -> LocatorSource {
    LocatorSource(
      id: ([node.id, content.schema.name] + fields).joined(separator: "/"), layerID: node.id,
      title: node.layer.title, store: content.store, schema: content.schema, fields: fields,
      whereClause: content.definitionExpression)
  }
}
