public import PortolanFiles

/// The findings about a file in one state.
public struct PackageRecord: Hashable, Sendable {
  /// The state of the file.
  public var stamp: FileStamp
  /// The finding.
  public var finding: PackageFolder.Finding

  /// Creates a record.
  public init(stamp: FileStamp, finding: PackageFolder.Finding) {
    self.stamp = stamp
    self.finding = finding
  }
}
