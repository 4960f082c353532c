internal import PortolanConversion
internal import PortolanFeatures

/// The result of a conversion, as screens show it.
public struct ConversionReport: Hashable, Sendable, Codable {
  /// A table that was converted.
  public struct Table: Hashable, Sendable, Codable {
    /// The name in the source.
    public var source: String
    /// The name in the target, which may be another where the source's is not possible.
    public var name: String
    /// The file that holds it, relative to the target if that is a folder; `nil` else.
    public var file: String?
    /// The number of rows that were read.
    public var readCount: Int
    /// The number of rows that were written.
    public var writtenCount: Int
    /// The number of attachments that were written.
    public var attachmentCount: Int
  }

  /// A set of tiles that was converted.
  public struct TileSet: Hashable, Sendable, Codable {
    /// A level and how many tiles of it were written.
    public struct Level: Hashable, Sendable, Codable {
      /// The number of the level.
      public var level: Int
      /// The number of tiles that were written.
      public var count: Int
    }

    /// The name.
    public var name: String
    /// The file that holds it, relative to the target if that is a folder; `nil` else.
    public var file: String?
    /// The levels, coarsest first.
    public var levels: [Level]
  }

  /// Content that the target has no place for.
  public struct Omission: Hashable, Sendable, Codable {
    /// The table.
    public var table: String
    /// The omission, in words for people.
    public var summary: String
    /// Whether it is the domain of a field, of which a table may have many.
    public var isDomain: Bool
  }

  /// A row, tile or file that could not be converted.
  public struct Failure: Hashable, Sendable, Codable {
    /// The table, set of tiles or file.
    public var part: String
    /// The affected item: a row by its object id, a tile by its address; `nil` for all of it.
    public var item: String?
    /// Why, in words for people, without a full stop.
    public var reason: String
    /// The failure in a sentence for people.
    public var summary: String
  }

  /// The tables, in the order they were written.
  public var tables: [Table] = []
  /// The sets of tiles.
  public var tileSets: [TileSet] = []
  /// Files that were copied as they are, relative to the target.
  public var copiedFiles: [String] = []
  /// The content that the target format cannot hold.
  public var omissions: [Omission] = []
  /// Further notes for people, in sentences.
  public var notes: [String] = []
  /// The rows and tiles that could not be converted; the first ones, see ``failureCount``.
  public var failures: [Failure] = []
  /// The number of rows, tiles and files that could not be converted.
  public var failureCount = 0
  /// The size of what was written, in bytes.
  public var size = 0

  /// Creates a report of a conversion that wrote nothing.
  public init() {}

  /// Whether all of the source is in the target, as far as that has a place for it.
  public var isComplete: Bool { failureCount == 0 }
}

extension ConversionReport {
  init(_ result: ConversionResult) {
    tables = result.tables.map(Table.init)
    tileSets = result.tileSets.map(TileSet.init)
    copiedFiles = result.copiedFiles
    omissions = result.omissions.map(Omission.init)
    notes = result.notes
    failures = result.failures.map(Failure.init)
    failureCount = result.failureCount
    size = result.size
  }
}

extension ConversionReport.Table {
  fileprivate init(_ table: ConversionResult.Table) {
    self.init(
      source: table.source, name: table.name, file: table.file, readCount: table.readCount,
      writtenCount: table.writtenCount, attachmentCount: table.attachmentCount)
  }
}

extension ConversionReport.TileSet {
  fileprivate init(_ tileSet: ConversionResult.TileSet) {
    let levels = tileSet.counts.sorted { $0.key < $1.key }
    self.init(
      name: tileSet.name, file: tileSet.file,
      levels: levels.map { Level(level: $0.key, count: $0.value) })
  }
}

extension ConversionReport.Omission {
  fileprivate init(_ omission: PortolanFeatures.Omission) {
    let isDomain = if case .domain = omission.content { true } else { false }
    self.init(table: omission.table, summary: omission.content.summary, isDomain: isDomain)
  }
}

extension ConversionReport.Failure {
  fileprivate init(_ failure: ConversionResult.Failure) {
    self.init(
      part: failure.part, item: failure.item, reason: failure.reason, summary: failure.summary)
  }
}
