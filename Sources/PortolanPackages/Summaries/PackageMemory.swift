public import PortolanFiles
internal import PortolanLocks

/// What was found out about a file while it was in some state.
public struct PackageRecord: Hashable, Sendable {
  /// The state of the file.
  public var stamp: FileStamp
  /// What it was.
  public var finding: PackageFolder.Finding

  /// Creates a record.
  public init(stamp: FileStamp, finding: PackageFolder.Finding) {
    self.stamp = stamp
    self.finding = finding
  }
}

/// Remembers what folders of packages hold.
///
/// It only saves time: one that forgets, or cannot write, costs another look at the files.
public protocol PackageMemory: Sendable {
  /// What is known of the files of a folder, by their names; nothing if nothing is.
  func records(of folder: String) -> [String: PackageRecord]

  /// Remembers what is known of the files of a folder, and forgets what was known before.
  func keep(_ records: [String: PackageRecord], of folder: String)
}

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
