public import PortolanFeatures

/// The result of a conversion.
public struct ConversionResult: Hashable, Sendable, Codable {
  /// A table that was converted.
  public struct Table: Hashable, Sendable, Codable {
    /// The name in the source.
    public var source: String
    /// The name in the target, which may be another where the source's is not possible.
    public var name: String
    /// The file that holds it, relative to the target if that is a folder; `nil` else.
    public var file: String?
    /// How many rows were read.
    public var readCount: Int
    /// How many rows were written.
    public var writtenCount: Int
    /// How many files attached to rows were written.
    public var attachmentCount: Int

    /// Creates the facts of a table.
    public init(
      source: String, name: String, file: String? = nil, readCount: Int = 0,
      writtenCount: Int = 0, attachmentCount: Int = 0
    ) {
      self.source = source
      self.name = name
      self.file = file
      self.readCount = readCount
      self.writtenCount = writtenCount
      self.attachmentCount = attachmentCount
    }
  }

  /// A set of tiles that was converted.
  public struct TileSet: Hashable, Sendable, Codable {
    /// The name.
    public var name: String
    /// The file that holds it, relative to the target if that is a folder; `nil` else.
    public var file: String?
    /// How many tiles were written, by level.
    public var counts: [Int: Int]

    /// Creates the facts of a set of tiles.
    public init(name: String, file: String? = nil, counts: [Int: Int]) {
      self.name = name
      self.file = file
      self.counts = counts
    }
  }

  /// A row, tile or file that could not be converted.
  public struct Failure: Hashable, Sendable, Codable {
    /// The table, set of tiles or file.
    public var part: String
    /// What of it: a row by its object id, a tile by its address; `nil` for all of it.
    public var item: String?
    /// Why, in words for people, without a full stop.
    public var reason: String

    /// Creates a failure.
    public init(part: String, item: String? = nil, reason: String) {
      self.part = part
      self.item = item
      self.reason = reason
    }

    /// The failure in a sentence for people.
    public var summary: String {
      let place = item.map { "\"\(part)\", \($0)" } ?? "\"\(part)\""
      return "\(place): \(reason)."
    }
  }

  /// The tables, in the order they were written.
  public var tables: [Table] = []
  /// The sets of tiles.
  public var tileSets: [TileSet] = []
  /// Files that were copied as they are, relative to the target.
  public var copiedFiles: [String] = []
  /// What the target has no place for.
  public var omissions: [Omission] = []
  /// What else people should know, in sentences.
  public var notes: [String] = []
  /// What could not be converted; the first ones, see ``failureCount``.
  public private(set) var failures: [Failure] = []
  /// How many rows, tiles and files could not be converted.
  public private(set) var failureCount = 0
  /// The size of what was written, in bytes.
  public var size = 0

  /// The most failures that are listed.
  public static let mostFailures = 1_000

  /// Creates a result with nothing in it.
  public init() {}

  /// Whether all of the source is in the target, as far as that has a place for it.
  public var isComplete: Bool { failureCount == 0 }

  /// Adds a failure; beyond ``mostFailures`` it is only counted.
  public mutating func add(_ failure: Failure) {
    failureCount += 1
    if failures.count < Self.mostFailures { failures.append(failure) }
  }

  /// Counts failures of which no more is known.
  public mutating func addUnlisted(_ count: Int) { failureCount += count }

  /// Adds what came of another part, whose files are called `file`.
  mutating func add(_ part: ConversionResult, file: String) {
    tables += part.tables.map { table in
      var table = table
      table.file = file
      return table
    }
    tileSets += part.tileSets.map { tileSet in
      var tileSet = tileSet
      tileSet.file = file
      return tileSet
    }
    omissions += part.omissions
    notes += part.notes
    let unlisted = part.failureCount - part.failures.count
    for failure in part.failures { add(failure) }
    addUnlisted(unlisted)
  }
}
