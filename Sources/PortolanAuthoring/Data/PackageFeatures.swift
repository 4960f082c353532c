internal import PortolanFeatures
internal import PortolanGeometry
internal import Synchronization

internal import struct Foundation.Data

/// The tables of a package as one store, whose rows come from the sources as they are requested.
final class PackageFeatures: FeatureStore {
  let tables: [PackageTable]
  private let numbers: GatheredNumbers?
  private let misplaced = Mutex<[String: [Int64]]>([:])

  /// Creates the store; what `numbers` is to gather is taken from all rows that are read.
  init(_ tables: [PackageTable], gathering numbers: GatheredNumbers? = nil) {
    self.tables = tables
    self.numbers = numbers
  }

  /// The rows of a table whose shapes lie outside of what the package's spatial reference covers.
  func misplacedRows(in table: String) -> [Int64] { misplaced.withLock { $0[table] ?? [] } }

  private func table(_ name: String) throws(FeatureStoreError) -> PackageTable {
    guard let table = tables.first(where: { $0.schema.name.lowercased() == name.lowercased() })
    else { throw .noSuchTable(name: name, available: tables.map(\.schema.name)) }
    return table
  }

  func schemas() async throws(FeatureStoreError) -> [FeatureTableSchema] { tables.map(\.schema) }

  func features(in name: String, matching query: QueryParameters) -> FeatureSequence {
    FeatureSequence { () async throws(FeatureStoreError) in
      let table = try self.table(name)
      let rows = SourceRows(
        table.store.features(in: table.source.name, matching: table.query(query)))
      return { () async throws(FeatureStoreError) -> [Feature]? in
        let page = try await rows.next()
        self.numbers?.add(page, of: table.schema.name)
        return self.placed(page, table)
      }
    }
  }

  /// The rows with their shapes where the package has them.
  private func placed(_ rows: ArraySlice<Feature>, _ table: PackageTable) -> [Feature] {
    guard let projection = table.projection else { return Array(rows) }
    return rows.map { row in
      guard let shape = row.geometry else { return row }
      var row = row
      // A shape that cannot be projected is counted, and the row stays without one.
      row.geometry = try? projection.project(shape)
      if row.geometry == nil {
        misplaced.withLock { $0[table.schema.name, default: []].append(row.objectID) }
      }
      return row
    }
  }

  func count(
    in name: String, matching query: QueryParameters
  ) async throws(FeatureStoreError) -> Int {
    let table = try table(name)
    return try await table.store.count(in: table.source.name, matching: table.query(query))
  }

  func extent(
    of name: String, matching query: QueryParameters
  ) async throws(FeatureStoreError) -> Envelope? {
    let table = try table(name)
    let extent = try await table.store.extent(
      of: table.source.name, matching: table.query(query))
    guard let extent, let projection = table.projection else { return extent }
    // What lies outside the package's reference has no extent in it.
    return try? projection.project(extent)
  }

  func relatedFeatures(
    to objectID: Int64, in table: String, through relationship: RelationshipInfo
  ) async throws(FeatureStoreError) -> [Feature] { [] }

  func attachments(
    of objectID: Int64, in name: String
  ) async throws(FeatureStoreError) -> [Attachment] {
    let table = try table(name)
    return try await table.store.attachments(of: objectID, in: table.source.name)
  }

  func data(
    of attachment: Attachment.ID, in name: String
  ) async throws(FeatureStoreError) -> Data {
    let table = try table(name)
    return try await table.store.data(of: attachment, in: table.source.name)
  }
}

/// The rows of a source, a page at a time.
private actor SourceRows {
  private var iterator: FeatureSequence.Iterator

  init(_ rows: FeatureSequence) { iterator = rows.makeAsyncIterator() }

  func next() async throws(FeatureStoreError) -> ArraySlice<Feature> {
    // The iterator is taken while it waits: there is no other caller meanwhile.
    var iterator = iterator
    defer { self.iterator = iterator }
    return try await iterator.nextFeatures()
  }
}
