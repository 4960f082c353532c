public import PortolanFiles

/// What was found out about a file in one state.
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
