internal import PortolanTiles

// What the operator of a source allows of regions.
extension MapCacheConfig {
  /// The levels that a region may have.
  public var bulkLevels: ClosedRange<Int> {
    minimumZ...max(minimumZ, min(policy.highestBulkLevel ?? maximumZ, maximumZ))
  }

  /// Whether all of it came from a file, so that there is no server to ask for more.
  public var isImported: Bool { urlTemplate.text.hasPrefix(Self.importedRoot) }

  /// Names below .invalid lead nowhere (RFC 2606).
  static let importedRoot = "https://imported.invalid/"

  /// Refuses a region that the operator of the source forbids.
  ///
  /// - Throws: ``TileCacheError/forbidden(source:reason:)``,
  ///   ``TileCacheError/levelsForbidden(source:allowed:)``,
  ///   ``TileCacheError/tooManyTiles(count:limit:)``.
  public func checkBulk(_ plan: RegionPlan) throws(TileCacheError) {
    guard policy.allowsBulk else {
      throw .forbidden(
        source: cacheName,
        reason: "this source is not known to allow downloading regions")
    }
    let levels = bulkLevels
    guard plan.levels.upperBound <= levels.upperBound, plan.levels.lowerBound >= levels.lowerBound
    else {
      throw .levelsForbidden(source: cacheName, allowed: levels)
    }
    let count = plan.count
    guard count <= policy.tileLimit else {
      throw .tooManyTiles(count: count, limit: policy.tileLimit)
    }
  }
}
