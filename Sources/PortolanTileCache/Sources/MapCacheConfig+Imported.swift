internal import PortolanTiles

extension MapCacheConfig {
  /// A source of which there is only what a file held, without a server for more.
  init(imported name: String, _ file: TileFileSummary) throws(TileCacheError) {
    try self.init(
      withUrlTemplate: "\(Self.importedRoot){z}/{x}/{y}", cacheName: name,
      minimumZ: file.levels.lowerBound)
    highestLevel = file.levels.upperBound
    loadTileMode = .cacheOnly
    attribution = file.source.info.attribution
    summary = file.source.info.summary
    tileSize = file.source.info.scheme.tileWidth
    vectorMetadata = file.vectorMetadata
    let isVector = file.source.info.isVector || file.format?.isRaster == false
    format = isVector ? .vectorTile : file.format
  }

  /// Stands in for a source whose record is lost, of which there are tiles of this format.
  init(unknown name: String, _ format: TileFormat?) throws(TileCacheError) {
    try self.init(
      withUrlTemplate: "\(Self.importedRoot){z}/{x}/{y}", cacheName: name,
      maximumZ: Self.greatestZoom)
    loadTileMode = .cacheOnly
    summary = "The source of these tiles is no longer known."
    let isVector = format?.isRaster == false
    if isVector { tileSize = 512 }
    self.format = isVector ? .vectorTile : format
  }
}
