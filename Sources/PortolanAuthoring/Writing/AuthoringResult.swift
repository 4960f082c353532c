public import PortolanConversion

/// The result of making a package.
public struct AuthoringResult: Hashable, Sendable, Codable {
  /// A map of the package.
  public struct Map: Hashable, Sendable, Codable {
    /// The name of its document.
    public var name: String
    /// The title, for people.
    public var title: String
    /// How many layers it has.
    public var layerCount: Int
    /// How many bookmarks it has.
    public var bookmarkCount: Int
  }

  /// A table of the package.
  public struct Table: Hashable, Sendable, Codable {
    /// The name.
    public var name: String
    /// How many rows were read.
    public var readCount: Int
    /// How many rows are in the package.
    public var writtenCount: Int
  }

  /// The title of the package.
  public var title: String
  /// The maps, in order.
  public var maps: [Map]
  /// The tables, in order.
  public var tables: [Table]
  /// What else people should know, in sentences.
  public var notes: [String]
  /// Rows that could not be taken over, in sentences; the first ones.
  public var failures: [String]
  /// How many rows could not be taken over.
  public var failureCount: Int
  /// The size of the package, in bytes.
  public var size: Int

  /// Whether all rows of the data are in the package.
  public var isComplete: Bool { failureCount == 0 }
}

/// The progress of making a package.
public enum AuthoringProgress: Hashable, Sendable, Codable {
  /// The specification is read, and its data are opened.
  case opening
  /// Features are being written.
  case features(ConversionProgress)
  /// The maps are made and drawn.
  case maps
  /// The package is being put together.
  case packing
}
