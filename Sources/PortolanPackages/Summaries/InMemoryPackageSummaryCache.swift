internal import PortolanLocks

/// A cache that lasts as long as the process.
public final class InMemoryPackageSummaryCache: PackageSummaryCache {
  private let folders = Locked<[String: [String: PackageRecord]]>([:])

  /// Creates an empty cache.
  public init() {}

  public func records(of folder: String) -> [String: PackageRecord] {
    folders.withLock { $0[folder] ?? [:] }
  }

  public func keep(_ records: [String: PackageRecord], of folder: String) {
    folders.withLock { $0[folder] = records }
  }
}
