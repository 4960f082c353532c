/// The policy for importing a package that is there already.
public enum ImportConflictPolicy: String, Hashable, Sendable, CaseIterable {
  /// The one that is there stays, and nothing is imported, unless its files are missing or cut.
  case skip
  /// It becomes a new version of the one that is there, which can be rolled back.
  case replace
  /// Both are there; the new one gets a name of its own.
  case rename
}

/// The outcome of importing a package.
public struct PackageImport: Hashable, Sendable, Codable {
  /// The outcome.
  public enum Outcome: String, Hashable, Sendable, Codable {
    /// It is a new map on the list, or is back in one whose files were missing or cut.
    case stored
    /// It is the new version of a map that was there.
    case replaced
    /// It was there, and stays.
    case skipped
    /// The same package, byte by byte, was there; both are kept only where that is requested.
    case same
  }

  /// The outcome.
  public let outcome: Outcome
  /// The id of the map: the new one, or the one that was there.
  public let id: String
  /// Its title.
  public let title: String
  /// The bytes that were imported.
  public let byteCount: Int
  /// Warnings, a sentence each: parts that cannot be read, an expiry.
  public let warnings: [String]
  /// Whether all of it can be read.
  public let isComplete: Bool
}
