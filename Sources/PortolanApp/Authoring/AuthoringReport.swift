internal import PortolanAuthoring

/// The result of making a package, as screens show it.
public struct AuthoringReport: Hashable, Sendable, Codable {
  /// A map of the package.
  public struct Map: Hashable, Sendable, Codable {
    /// The name of its document.
    public var name: String
    /// The title, for people.
    public var title: String
    /// The number of layers.
    public var layerCount: Int
    /// The number of bookmarks.
    public var bookmarkCount: Int
  }

  /// A table of the package.
  public struct Table: Hashable, Sendable, Codable {
    /// The name.
    public var name: String
    /// The number of rows that were read.
    public var readCount: Int
    /// The number of rows in the package.
    public var writtenCount: Int
  }

  /// The title of the package.
  public var title: String
  /// The maps, in order.
  public var maps: [Map] = []
  /// The tables, in order.
  public var tables: [Table] = []
  /// Further notes for people, in sentences.
  public var notes: [String] = []
  /// Rows that could not be taken over, in sentences; the first ones.
  public var failures: [String] = []
  /// The number of rows that could not be taken over.
  public var failureCount = 0
  /// The size of the package, in bytes.
  public var size = 0

  /// Creates a report of a package with nothing in it.
  public init(title: String) { self.title = title }

  /// Whether all rows of the data are in the package.
  public var isComplete: Bool { failureCount == 0 }
}

/// The progress of making a package.
public enum AuthoringStep: Hashable, Sendable, Codable {
  /// The specification is read, and its data are opened.
  case opening
  /// Features are being written.
  case features(WorkProgress)
  /// The maps are made and drawn.
  case maps
  /// The package is being put together.
  case packing
}

extension AuthoringReport {
  init(_ result: AuthoringResult) {
    title = result.title
    maps = result.maps.map {
      Map(
        name: $0.name, title: $0.title, layerCount: $0.layerCount,
        bookmarkCount: $0.bookmarkCount)
    }
    tables = result.tables.map {
      Table(name: $0.name, readCount: $0.readCount, writtenCount: $0.writtenCount)
    }
    notes = result.notes
    failures = result.failures
    failureCount = result.failureCount
    size = result.size
  }
}

extension AuthoringStep {
  init(_ progress: AuthoringProgress) {
    self =
      switch progress {
      case .opening: .opening
      case .features(let progress): .features(WorkProgress(progress))
      case .maps: .maps
      case .packing: .packing
      }
  }
}
