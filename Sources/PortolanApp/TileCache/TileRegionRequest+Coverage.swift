internal import PortolanGeometry
internal import PortolanTileCache

extension TileRegionRequest {
  /// The reason why a source has none of the tiles, since the region lies outside of its declared
  /// extent; `nil` where that covers some of it, or is not declared.
  func outside(_ config: MapCacheConfig, _ plan: RegionPlan) -> Problem? {
    guard let bounds = config.bounds, let box = plan.shape.extent,
      // A region that cannot be projected is left to the source.
      let region = try? Projection(from: .webMercator, to: .wgs84).project(box),
      !bounds.intersects(region, worldWidth: 360)
    else { return nil }
    let subject = "The region lies outside of what \"\(config.cacheName)\" covers"
    guard let meant = extent.swappedBox(in: bounds) else {
      return Problem(
        .areaOutside, message: "\(subject).",
        suggestion: "Choose a region that the source covers.")
    }
    return Problem(
      .areaOutside, message: "\(subject), and inside with latitude and longitude exchanged.",
      suggestion:
        "Longitudes come first: \(meant.xMin),\(meant.yMin),\(meant.xMax),\(meant.yMax).")
  }
}
