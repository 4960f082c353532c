public import PortolanFeatures
internal import PortolanJSON
public import PortolanMap
public import PortolanTileFiles
public import PortolanTiles

/// The data of a layer, ready to be queried, or the reason why there are none.
public enum LayerContent: Sendable {
  /// Tables, of which there are several only where the map itself keeps the features.
  case features([FeatureLayerContent])
  case tiles(any TileSource)
  case vectorTiles(VectorTilePackage)
  /// Vector tiles of a service or a file, with a style from elsewhere.
  case styledTiles(StyledVectorTiles)
  /// A service that draws its pictures itself and is asked for them, with the meaning of its
  /// symbols and the sublayers whose features can be requested.
  case pictures(any MapImageSource, legend: [LegendInfo], features: [FeatureLayerContent])
  /// A service that draws its pictures itself: what its symbols mean, and those of its sublayers
  /// whose features can be requested.
  case service(legend: [LegendInfo], features: [FeatureLayerContent])
  /// The layer only holds others.
  case group
  /// The layer cannot be used; the reason is a sentence for people.
  case unavailable(reason: String)
  /// Layers of this kind are not shown; the reason is a sentence for people.
  case notSupported(reason: String)

  /// The content of a layer of tiles: vector tiles of a package have their style with them.
  public init(tiles source: any TileSource) {
    self = (source as? VectorTilePackage).map(Self.vectorTiles) ?? .tiles(source)
  }

  /// Why the layer cannot be used, if so.
  public var problem: String? {
    switch self {
    case .unavailable(let reason), .notSupported(let reason): reason
    default: nil
    }
  }

  /// The scales at which the service of the layer shows it; `nil` if there is no such service.
  public var serviceScaleRange: ScaleRange? {
    if case .features(let tables) = self, tables.count == 1 {
      tables.first?.serviceScaleRange
    } else {
      nil
    }
  }

  /// The tables whose features can be requested.
  public var features: [FeatureLayerContent] {
    switch self {
    case .features(let tables), .service(_, let tables), .pictures(_, _, let tables): tables
    case .tiles, .vectorTiles, .styledTiles, .group, .unavailable, .notSupported: []
    }
  }
}

extension LayerContent {
  /// The attribution for a layer with this content: as the map, its service or its tiles say, in
  /// that order; HTML is left as it is.
  public func attributions(of layer: Layer) -> [String] {
    let own = ["copyright", "copyrightText", "attribution"].compactMap { layer.json.filledText($0) }
    switch self {
    case .features(let tables): return own + tables.compactMap(\.attribution)
    case .tiles(let source): return own + [source.info.attribution].compactMap(\.self)
    case .vectorTiles(let package): return own + [package.info.attribution].compactMap(\.self)
    case .styledTiles(let tiles): return own + tiles.attributions
    case .pictures(let source, _, _): return own + [source.attribution].compactMap(\.self)
    case .service, .group, .unavailable, .notSupported: return own
    }
  }
}

/// A table of features as a layer of a map shows it.
public struct FeatureLayerContent: Sendable {
  /// The store that holds the table.
  public let store: any FeatureStore
  /// The table.
  public let schema: FeatureTableSchema
  /// The condition that features must meet to be in the layer, in SQL.
  public let definitionExpression: String?
  /// How features are drawn: as the map says, else as the table's own service did.
  public let drawingInfo: DrawingInfo
  /// The popup of a feature: as the map defines it, else all fields.
  public let popup: PopupDefinition
  /// The scales at which the table's own service shows it, whatever the map says.
  public var serviceScaleRange = ScaleRange()
  /// The attribution, as the map or the service says.
  public var attribution: String?
  /// Whether features can be identified: not of a sublayer that is switched off, or whose popups
  /// are.
  public var isPopupEnabled = true
  /// How the layer is shown, as the map and where it says nothing the layer's portal item say; `nil` where
  /// there is none.
  public var itemDefinition: LayerDefinition?

  /// Creates the content of a layer.
  public init(
    store: any FeatureStore, schema: FeatureTableSchema, definitionExpression: String? = nil,
    drawingInfo: DrawingInfo, popup: PopupDefinition
  ) {
    self.store = store
    self.schema = schema
    self.definitionExpression = definitionExpression
    self.drawingInfo = drawingInfo
    self.popup = popup
  }

  /// A layer of a map that is drawn with this content, with what its item adds to what the map says.
  public func defining(_ layer: Layer) -> Layer {
    guard let itemDefinition else { return layer }
    var layer = layer
    layer.layerDefinition = itemDefinition
    return layer
  }

  /// A query limited to the features of the layer.
  public func limited(_ query: QueryParameters) -> QueryParameters {
    var query = query
    query.whereClause = [definitionExpression, query.whereClause].compactMap(\.self)
      .reduce(nil as String?) { whole, part in whole.map { "(\($0)) AND (\(part))" } ?? part }
    return query
  }
}
