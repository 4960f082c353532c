public import Foundation
public import PortolanArchives
public import PortolanFeatures
internal import PortolanFiles
public import PortolanGeometry

/// A GeoJSON file as a feature store (RFC 7946, and what was common before).
///
/// Reads a FeatureCollection, a single feature or geometry, and newline-delimited features. Fields
/// are found by looking at all values: whole numbers, numbers, text, moments and days in ISO 8601
/// where all are, GUIDs where all have braces; what is mixed is text. Where shapes are of several
/// families, each has a table of its own. A `crs` member is honored. Ids are object ids where they
/// are ascending whole numbers of 32 bits, else a field; then those are object ids that a property
/// such as `OBJECTID` has, in any order, and rows come in the order of the file all the same.
///
/// The file is read from front to back for every query, a piece at a time; memory does not grow
/// with its size, unless an order is requested. Features that cannot be read are left out.
///
/// - SeeAlso: [RFC 7946](https://www.rfc-editor.org/rfc/rfc7946)
public struct GeoJSONFile: FeatureStore {
  /// What fields could not take over as it is, in sentences.
  public private(set) var notes: [String]
  /// How many features cannot be read, with the number of tables that lack some of the properties.
  public let damagedCount: Int

  let source: any ByteSource
  private let tables: [GeoJSONTable]
  private let damages: [GeoJSONItems.Damage]
  private let now: @Sendable () -> Date

  /// Opens a file and reads all of it once, to find the fields.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - now: The clock of `CURRENT_TIMESTAMP` in where clauses.
  /// - Returns: The store.
  /// - Throws: `FeatureStoreError`: `damaged` if the text has no such structure or ends too
  ///   early, `unsupported` for a spatial reference that is not known by an id.
  public static func open(
    at url: URL, now: @escaping @Sendable () -> Date = { Date() }
  ) async throws(FeatureStoreError) -> GeoJSONFile {
    let source: FileByteSource
    do { source = try FileByteSource(at: url) } catch {
      throw .unreadable(
        file: url.lastPathComponent,
        reason: error.plainReason)
    }
    let stem = url.deletingPathExtension().lastPathComponent
    guard let text = try GeoJSONTranscript.text(of: source) else {
      return try await open(source, stem: stem, now: now)
    }
    var file = try await open(text, stem: stem, now: now)
    file.notes.append("\"\(url.lastPathComponent)\" was read as UTF-16.")
    return file
  }

  /// Opens a text that lies anywhere; `stem` is the name of its table where it names none.
  @concurrent public static func open(
    _ source: any ByteSource, stem: String, now: @escaping @Sendable () -> Date = { Date() }
  ) async throws(FeatureStoreError) -> GeoJSONFile {
    GeoJSONFile(source, try GeoJSONSurvey(source, stem: stem), now)
  }

  private init(
    _ source: any ByteSource, _ survey: GeoJSONSurvey, _ now: @escaping @Sendable () -> Date
  ) {
    self.source = source
    tables = survey.tables
    notes = survey.notes
    damages = survey.damages
    damagedCount = survey.damageCount + survey.tables.count { $0.surplusCount > 0 }
    self.now = now
  }

  /// The tables that do not have all properties, and the features that cannot be read, the first ones, as
  /// failures of a conversion.
  public var failures: [ConversionResult.Failure] {
    let file = (source.name as NSString).lastPathComponent
    let surpluses = tables.filter { $0.surplusCount > 0 }.map { table in
      ConversionResult.Failure(
        part: file, item: "table \(table.schema.name)",
        reason: (table.surplusCount == 1
          ? "1 property is left out" : "\(table.surplusCount) properties are left out")
          + ", since a table has at most \(TableSurvey.mostFields) fields")
    }
    return surpluses
      + damages.map { damage in
        ConversionResult.Failure(
          part: file, item: "feature \(damage.number)", reason: damage.reason)
      }
  }

  // MARK: Feature store

  public func schemas() async throws(FeatureStoreError) -> [FeatureTableSchema] {
    tables.map(\.schema)
  }

  public func features(in table: String, matching query: QueryParameters) -> FeatureSequence {
    guard query.orderBy.isEmpty else { return ordered(in: table, matching: query) }
    return FeatureSequence {
      let cursor = GeoJSONCursor(source)
      return { () throws(FeatureStoreError) in
        try cursor.next { () throws(FeatureStoreError) in
          try GeoJSONQuery(query, of: self.table(table), now: now())
        }
      }
    }
  }

  public func count(
    in table: String, matching query: QueryParameters
  ) async throws(FeatureStoreError) -> Int {
    if query.selectsAll { return try self.table(table).count }
    var count = 0
    var iterator = features(in: table, matching: query.selection(withShapes: false))
      .makeAsyncIterator()
    while case let page = try await iterator.nextFeatures(), !page.isEmpty { count += page.count }
    return count
  }

  public func extent(
    of table: String, matching query: QueryParameters
  ) async throws(FeatureStoreError) -> Envelope? {
    if query.selectsAll { return try self.table(table).schema.extent }
    var extent: Envelope?
    var iterator = features(in: table, matching: query.selection(withShapes: true))
      .makeAsyncIterator()
    while let feature = try await iterator.next() {
      guard let box = feature.geometry?.extent else { continue }
      extent = extent?.union(box) ?? box
    }
    return extent
  }

  public func relatedFeatures(
    to objectID: Int64, in table: String, through relationship: RelationshipInfo
  ) async throws(FeatureStoreError) -> [Feature] { [] }

  public func attachments(
    of objectID: Int64, in table: String
  ) async throws(FeatureStoreError) -> [Attachment] { [] }

  public func data(
    of attachment: Attachment.ID, in table: String
  ) async throws(FeatureStoreError) -> Data {
    throw .damaged(
      file: source.name, place: "the attachments of \(table)",
      reason: "there is no attachment \(attachment)")
  }

  /// Sorting needs all rows at once.
  private func ordered(in table: String, matching query: QueryParameters) -> FeatureSequence {
    FeatureSequence {
      let page = SortedPages()
      return { () async throws(FeatureStoreError) in
        try await page.next { () async throws(FeatureStoreError) in
          var selection = query.selection(withShapes: query.returnsGeometry)
          selection.outFields = nil
          let rows = try await self.rows(of: self.table(table), matching: selection)
          let store = InMemoryFeatureStore(
            [FeatureTableContents(schema: try self.table(table).schema, features: rows)])
          var order = QueryParameters(
            orderBy: query.orderBy, offset: query.offset, limit: query.limit)
          order.outFields = query.outFields
          return try await store.features(in: table, matching: order).collect()
        }
      }
    }
  }

  /// All rows that are wanted, unless they take too much memory.
  private func rows(
    of table: GeoJSONTable, matching query: QueryParameters
  ) async throws(FeatureStoreError) -> [Feature] {
    func check(_ count: Int) throws(FeatureStoreError) {
      try TableFileContents.checkSize(
        rows: count, columns: table.schema.fields.count, byteCount: source.count,
        file: source.name)
    }
    if query.selectsAll { try check(table.count) }
    var rows: [Feature] = []
    var iterator = features(in: table.schema.name, matching: query).makeAsyncIterator()
    while case let page = try await iterator.nextFeatures(), !page.isEmpty {
      rows += page
      try check(rows.count)
    }
    return rows
  }

  private func table(_ name: String) throws(FeatureStoreError) -> GeoJSONTable {
    let found =
      tables.first { $0.schema.name == name }
      ?? tables.first { $0.schema.name.lowercased() == name.lowercased() }
    guard let found else {
      throw .noSuchTable(name: name, available: tables.map(\.schema.name))
    }
    return found
  }
}

/// Hands out sorted rows, all at once and only once.
private actor SortedPages {
  private var isDone = false

  func next(
    _ find: @Sendable () async throws(FeatureStoreError) -> [Feature]
  ) async throws(FeatureStoreError) -> [Feature] {
    guard !isDone else { return [] }
    isDone = true
    return try await find()
  }
}

extension QueryParameters {
  /// Whether every feature is found.
  fileprivate var selectsAll: Bool {
    (whereClause ?? "").allSatisfy(\.isWhitespace) && extent == nil && objectIDs == nil
  }

  /// The same conditions, without order, offset and limit.
  fileprivate func selection(withShapes: Bool) -> QueryParameters {
    QueryParameters(
      whereClause: whereClause, extent: extent, objectIDs: objectIDs,
      returnsGeometry: withShapes)
  }
}
