internal import Foundation
internal import PortolanTileCache
internal import PortolanTransport

// The content of the screens, made from the content of the cache.

extension TileRegionSummary {
  /// A region as it is.
  ///
  /// - Parameters:
  ///   - region: The region.
  ///   - isInUse: Whether it is in use now.
  init(_ region: CachedRegion, isInUse: Bool) {
    let progress = region.progress
    self.init(
      id: region.id, name: region.name, source: region.source,
      extent: TileRegionExtent(region.plan.region), levels: region.plan.levels,
      status: Status(region, isInUse: isInUse), counts: Counts(progress),
      byteCount: progress.byteCount, savedByteCount: progress.savedByteCount,
      isImported: region.isImported, skipsBlank: region.skipsBlank, created: region.created,
      updated: region.updated, reason: region.reason)
    if status == .empty {
      reason =
        "The source has none of its tiles. Check the address of the source, the levels and the extent."
    }
  }
}

extension TileRegionSummary.Status {
  fileprivate init(_ region: CachedRegion, isInUse: Bool) {
    self =
      switch region.state {
      case .downloading: isInUse ? .downloading : .interrupted
      case .updating: isInUse ? .updating : .interrupted
      case .paused: .paused
      case .finished where region.progress.isEmpty: .empty
      case .finished: region.progress.failed == 0 ? .complete : .partlyComplete
      case .importing: isInUse ? .importing : .deleting
      case .deleting: .deleting
      }
  }
}

extension TileRegionSummary.Counts {
  fileprivate init(_ progress: RegionProgress) {
    self.init(
      planned: progress.planned, stored: progress.stored, absent: progress.absent,
      blank: progress.blank, failed: progress.failed, remaining: progress.remaining,
      failedUpdates: progress.failedUpdates, checked: progress.checked)
  }
}

extension TileSourceSummary {
  /// The sources with their figures; the enlarged tiles of one that are kept count with it.
  static func all(
    _ configs: [MapCacheConfig], _ figures: [TileCacheStatistics.Source]
  ) -> [TileSourceSummary] {
    let figures = Dictionary(
      figures.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let enlarged = Set(configs.filter(\.isOverZoomed).map(\.cacheName))
    return configs.filter { !$0.isOverZoomed }.map { config in
      let name = config.overZoomName
      return TileSourceSummary(
        config, figures[config.cacheName],
        enlarged: enlarged.contains(name) ? figures[name] : nil)
    }
  }

  /// A source, with its figures if there are any, and those of its enlarged tiles.
  init(
    _ config: MapCacheConfig, _ figures: TileCacheStatistics.Source?,
    enlarged: TileCacheStatistics.Source? = nil
  ) {
    self.init(
      name: config.cacheName, address: config.shownAddress, levels: config.levels,
      bulkLevels: config.policy.allowsBulk ? config.bulkLevels : nil,
      attribution: config.attribution, isImported: config.isImported)
    tileCount = enlarged?.tileCount ?? 0
    byteCount = enlarged?.byteCount ?? 0
    guard let figures else { return }
    tileCount += figures.tileCount
    byteCount += figures.byteCount
    hits = figures.hits
    misses = figures.misses
  }
}

extension TileCacheUsage {
  init(_ statistics: TileCacheStatistics, file: URL) {
    self.init(file: file.path(percentEncoded: false))
    tileCount = statistics.tileCount
    absentCount = statistics.absentCount
    byteCount = statistics.byteCount
    pinnedByteCount = statistics.pinnedByteCount
    fileByteCount = statistics.fileByteCount
  }
}

extension MapCacheConfig {
  /// The address without what may be a secret.
  fileprivate var shownAddress: String {
    TileURLTemplate.withoutSecrets(address ?? urlTemplate.text)
  }
}
