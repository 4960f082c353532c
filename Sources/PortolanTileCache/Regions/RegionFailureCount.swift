internal import PortolanSQLite

/// The number of failed tiles of a region, in total or since an earlier count.
struct RegionFailureCount: Hashable, Sendable {
  /// Those that are not there.
  var missing: Int
  /// Those that are there, and could not be asked whether they have changed.
  var kept: Int

  static let zero = RegionFailureCount(missing: 0, kept: 0)
  static let oneMissing = RegionFailureCount(missing: 1, kept: 0)
  static let oneKept = RegionFailureCount(missing: 0, kept: 1)

  static func += (left: inout RegionFailureCount, right: RegionFailureCount) {
    left.missing += right.missing
    left.kept += right.kept
  }

  static func -= (left: inout RegionFailureCount, right: RegionFailureCount) {
    left.missing -= right.missing
    left.kept -= right.kept
  }
}

extension RegionFailureCount {
  /// Those that are known of a region.
  init(_ progress: RegionProgress) {
    self.init(missing: progress.failed, kept: progress.failedUpdates)
  }
}

extension TileCacheStore {
  /// Counts the tiles of a region that have failed, which takes long where they are many.
  func failureCount(of region: Int64) async throws(TileCacheError) -> RegionFailureCount {
    try await read { connection in
      let query = try connection.query(
        "SELECT kept, count(*) FROM region_failure WHERE region = ?1 GROUP BY kept",
        .integer(region))
      var failures = RegionFailureCount.zero
      while try query.step() {
        let count = Int(query.integer(at: 1))
        if query.integer(at: 0) != 0 { failures.kept += count } else { failures.missing += count }
      }
      return failures
    }
  }

  /// The progress of a region whose number of failed tiles is known.
  func progress(
    ofRegionNamed name: String, with failures: RegionFailureCount
  ) async throws(TileCacheError) -> RegionProgress {
    var progress = try await region(named: name, Self.columnsWithoutFailures).progress
    progress.failed = failures.missing
    progress.failedUpdates = failures.kept
    return progress
  }
}
