/// What to do if a region with the imported name exists.
public enum ImportConflict: String, Hashable, Sendable, CaseIterable {
  /// Nothing is read.
  case skip
  /// The file's region takes the place of the one that is there once it is read.
  case replace
  /// The file gets another name.
  case rename
  /// The file's tiles go into the region, those that lie in it.
  case merge
}
