internal import PortolanLocks

/// A memory that lasts as long as the process.
public final class InMemoryPackageMemory: PackageMemory {
  private let folders = Locked<[String: [String: PackageRecord]]>([:])

  /// Creates an empty memory.
  public init() {}

  public func records(of folder: String) -> [String: PackageRecord] {
    folders.withLock { $0[folder] ?? [:] }
  }

  public func keep(_ records: [String: PackageRecord], of folder: String) {
    folders.withLock { $0[folder] = records }
  }
}
