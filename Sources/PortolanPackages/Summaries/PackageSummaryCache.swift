/// Remembers what folders of packages hold.
///
/// It only saves time: one that forgets, or cannot write, costs another look at the files.
public protocol PackageSummaryCache: Sendable {
  /// The records of the files of a folder, by their names.
  func records(of folder: String) -> [String: PackageRecord]

  /// Remembers what is known of the files of a folder, and forgets what was known before.
  func keep(_ records: [String: PackageRecord], of folder: String)
}
