/// The kinds of layer that documents name, by the names they use (`layerType`).
///
/// - SeeAlso: [Layers](https://developers.arcgis.com/web-map-specification/objects/operationalLayers/)
public enum LayerType: String, Hashable, Sendable, CaseIterable {
  case feature = "ArcGISFeatureLayer"
  case tiledMapService = "ArcGISTiledMapServiceLayer"
  case mapService = "ArcGISMapServiceLayer"
  case imageService = "ArcGISImageServiceLayer"
  case tiledImageService = "ArcGISTiledImageServiceLayer"
  case imageServiceVector = "ArcGISImageServiceVectorLayer"
  case vectorTile = "VectorTileLayer"
  case webTiled = "WebTiledLayer"
  case openStreetMap = "OpenStreetMap"
  case bingAerial = "BingMapsAerial"
  case bingRoad = "BingMapsRoad"
  case bingHybrid = "BingMapsHybrid"
  case wms = "WMS"
  case wfs = "WFS"
  case wcs = "WCS"
  case ogcFeature = "OGCFeatureLayer"
  case kml = "KML"
  case geoRSS = "GeoRSS"
  case geoJSON = "GeoJSON"
  case csv = "CSV"
  case group = "GroupLayer"
  case subtypeGroup = "SubtypeGroupLayer"
  case subtypeGroupTable = "SubtypeGroupTable"
  case catalog = "CatalogLayer"
  case annotation = "ArcGISAnnotationLayer"
  case dimension = "ArcGISDimensionLayer"
  case stream = "ArcGISStreamLayer"
  case media = "MediaLayer"
  case orientedImagery = "OrientedImageryLayer"
  case knowledgeGraph = "KnowledgeGraphLayer"
  case parquet = "ParquetLayer"
  case video = "ArcGISVideoLayer"
  case mobileBasemap = "MobileBasemapLayer"
  case rasterData = "RasterDataLayer"
  // The types from here on occur in scenes only.
  case scene = "ArcGISSceneServiceLayer"
  case buildingScene = "BuildingSceneLayer"
  case integratedMesh = "IntegratedMeshLayer"
  case integratedMesh3DTiles = "IntegratedMesh3DTilesLayer"
  case object3DTiles = "Object3DTilesLayer"
  case pointCloud = "PointCloudLayer"
  case gaussianSplat = "GaussianSplatLayer"
  case voxel = "Voxel"
  case viewshed = "ViewshedLayer"
  case lineOfSight = "LineOfSightLayer"
  case tiledElevation = "ArcGISTiledElevationServiceLayer"
  case rasterDataElevation = "RasterDataElevationLayer"

  /// Whether such layers are found in scenes, never in maps.
  public var isSceneOnly: Bool {
    switch self {
    case .scene, .buildingScene, .integratedMesh, .integratedMesh3DTiles, .object3DTiles,
      .pointCloud, .gaussianSplat, .voxel, .viewshed, .lineOfSight, .tiledElevation,
      .rasterDataElevation:
      true
    default: false
    }
  }
}
