/// The policy if a region with the name of an imported file exists.
public enum TileImportPolicy: String, Hashable, Sendable, Codable, CaseIterable {
  /// Nothing is read.
  case skip
  /// The region is deleted, and rebuilt from the file.
  case replace
  /// The file gets another name.
  case rename
  /// The file's tiles go into the region, those that lie in it.
  case merge
}
