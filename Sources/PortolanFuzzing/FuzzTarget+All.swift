extension FuzzTarget {
  /// Every target, those of cheap parsers first.
  public static let all: [FuzzTarget] = [
    .json, .xml, .spatialReference, .esriJSON, .geoJSON, .wellKnownBinary, .geometryBlob,
    .packagePath, .whereClause,
    .arcade, .commandLine, .gzip, .zip, .packageMetadata, .layerResource, .featureSet, .geoJSONFile,
    .popup, .webMap, .compactCacheV2, .compactCacheV1, .vectorTilePackage, .pmtiles, .mbtiles,
    .geoPackageTiles, .geodatabase, .geodatabaseDelta, .geoPackage, .projection,
  ]
}
