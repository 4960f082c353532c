internal import PortolanJSON

extension Layer {
  /// The kind of a layer, with the properties of that kind.
  public enum Kind: Hashable, Sendable {
    case feature(FeatureLayerSource)
    case tiledMapService
    case mapService(MapServiceContent)
    case imageService
    case tiledImageService
    case imageServiceVector
    case vectorTile(VectorTileStyle)
    case webTiled(WebTileTemplate)
    case openStreetMap
    case bing(BingStyle)
    case wms(WMSContent)
    case wfs
    case wcs
    /// The id of the collection, if given.
    case ogcFeature(collectionID: String?)
    case kml
    case geoRSS
    case geoJSON
    case csv
    case group(GroupContent)
    /// One layer for each subtype of a table.
    case subtypeGroup([Layer])
    /// One table for each subtype of a table.
    case subtypeGroupTable([Layer])
    case catalog
    case annotation
    case dimension
    case stream
    case media
    case orientedImagery
    case knowledgeGraph([Layer])
    case parquet
    case video
    case mobileBasemap
    case rasterData
    /// A layer of a scene.
    case scene(LayerType)
    /// A layer of a type that is not known, by its name, which may be empty.
    case unknown(String)
  }

  /// The kind of the layer, with the properties of that kind.
  public var kind: Kind {
    guard let type else { return .unknown(typeName) }
    if let kind = type.plainKind { return kind }
    switch type {
    case .feature: return .feature(FeatureLayerSource(layer: self))
    case .mapService: return .mapService(MapServiceContent(json: json))
    case .vectorTile: return .vectorTile(VectorTileStyle(json: json))
    case .webTiled: return .webTiled(WebTileTemplate(json: json))
    case .wms: return .wms(WMSContent(json: json))
    case .ogcFeature: return .ogcFeature(collectionID: json.filledText("collectionId"))
    case .group: return .group(GroupContent(layers: layers, visibilityMode: visibilityMode))
    case .subtypeGroup: return .subtypeGroup(layers)
    case .subtypeGroupTable: return .subtypeGroupTable(layers)
    case .knowledgeGraph: return .knowledgeGraph(layers)
    default: return .scene(type)
    }
  }
}

extension LayerType {
  /// The kind of a layer of this type, where the type says it all.
  fileprivate var plainKind: Layer.Kind? {
    switch self {
    case .tiledMapService: .tiledMapService
    case .imageService: .imageService
    case .tiledImageService: .tiledImageService
    case .imageServiceVector: .imageServiceVector
    case .openStreetMap: .openStreetMap
    case .bingAerial: .bing(.aerial)
    case .bingRoad: .bing(.road)
    case .bingHybrid: .bing(.hybrid)
    case .wfs: .wfs
    case .wcs: .wcs
    case .kml: .kml
    case .geoRSS: .geoRSS
    case .geoJSON: .geoJSON
    case .csv: .csv
    case .catalog: .catalog
    case .annotation: .annotation
    case .dimension: .dimension
    case .stream: .stream
    case .media: .media
    case .orientedImagery: .orientedImagery
    case .parquet: .parquet
    case .video: .video
    case .mobileBasemap: .mobileBasemap
    case .rasterData: .rasterData
    default: nil
    }
  }
}
