internal import PortolanGeometry
internal import PortolanTileCache

extension TileRegionRequest {
  /// Why a source has none of the tiles, since the region lies outside of what it says that it covers; `nil` where
  /// it covers some of it, or does not say.
  func outside(_ config: MapCacheConfig, _ plan: RegionPlan) -> Problem? {
    guard let bounds = config.bounds, let box = plan.shape.extent,
      // What cannot be compared is left to the source.
      let region = try? Projection(from: .webMercator, to: .wgs84).project(box),
      !Self.shares(bounds, region)
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

  /// Whether two boxes in degrees share a place, also where one continues beyond the antimeridian.
  private static func shares(_ bounds: Envelope, _ region: Envelope) -> Bool {
    [-360.0, 0, 360].contains { turn in
      bounds.intersects(
        Envelope(
          xMin: region.xMin + turn, yMin: region.yMin, xMax: region.xMax + turn, yMax: region.yMax)
      )
    }
  }
}
