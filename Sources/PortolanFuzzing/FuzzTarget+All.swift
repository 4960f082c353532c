extension FuzzTarget {
  /// Every target, those of cheap parsers first.
  public static let all: [FuzzTarget] = [
    .json, .xml, .spatialReference, .esriJSON, .geoJSON, .wellKnownBinary, .geometryBlob,
    .packagePath, .whereClause, .http,
    .arcade, .commandLine, .gzip, .zip, .packageMetadata, .layerResource, .featureSet, .featurePBF,
    .geoJSONFile, .flatGeobuf, .shapefile,
    .popup, .webMap, .portalJSON, .compactCacheV2, .compactCacheV1, .vectorTilePackage, .pmtiles,
    .mbtiles, .geoPackageTiles, .geodatabase, .geodatabaseDelta, .geoPackage, .projection,
    .portalRequest, .picture, .drawing, .vectorTile, .glyphs, .vectorStyle,
  ]
}
