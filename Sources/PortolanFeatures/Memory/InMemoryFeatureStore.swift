public import PortolanGeometry
internal import Synchronization

public import struct Foundation.Data
public import struct Foundation.Date
public import struct Foundation.UUID

/// Tables held in memory: the features that a web map contains, and small results.
///
/// Answers as stores in files do; its order, and what where clauses find, are theirs. Reading
/// goes along all features of a table: meant for thousands, not for millions.
public final class InMemoryFeatureStore: FeatureStore {
  /// The name of the store in errors.
  public let name: String

  let state: Mutex<InMemoryState>
  let now: @Sendable () -> Date
  let makeID: @Sendable () -> UUID
  let user: String?

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - tables: The tables; of two that differ only in case, the first is found.
  ///   - name: What errors call the store.
  ///   - user: Who edits, for editor tracking; `nil` if nobody is signed in.
  ///   - undoLimit: How many groups of edits can be undone at most.
  ///   - now: The clock of `CURRENT_TIMESTAMP` in where clauses and of editor tracking.
  ///   - makeID: What makes the global ids of new rows.
  public init(
    _ tables: [FeatureTableContents], name: String = "memory", user: String? = nil,
    undoLimit: Int = 100, now: @escaping @Sendable () -> Date = { Date() },
    makeID: @escaping @Sendable () -> UUID = { UUID() }
  ) {
    state = Mutex(
      InMemoryState(tables: tables.map(InMemoryTable.init), undoLimit: undoLimit))
    self.name = name
    self.user = user
    self.now = now
    self.makeID = makeID
  }

  private var tables: [InMemoryTable] { state.withLock(\.tables) }

  public func schemas() async throws(FeatureStoreError) -> [FeatureTableSchema] {
    try checkCancellation()
    return tables.map(\.schema)
  }

  public func features(in table: String, matching query: QueryParameters) -> FeatureSequence {
    FeatureSequence {
      let cursor = InMemoryCursor()
      return { () throws(FeatureStoreError) in
        try cursor.next { () throws(FeatureStoreError) in
          try self.table(table).rows(matching: query, now: self.now())
        }
      }
    }
  }

  public func count(
    in table: String, matching query: QueryParameters
  ) async throws(FeatureStoreError) -> Int {
    try checkCancellation()
    return try self.table(table).selected(by: query, now: now()).count
  }

  public func extent(
    of table: String, matching query: QueryParameters
  ) async throws(FeatureStoreError) -> Envelope? {
    try checkCancellation()
    let table = try self.table(table)
    return try table.selected(by: query, now: now()).compactMap(\.geometry?.extent)
      .reduce(nil) { $0?.union($1) ?? $1 }
  }

  public func relatedFeatures(
    to objectID: Int64, in table: String, through relationship: RelationshipInfo
  ) async throws(FeatureStoreError) -> [Feature] {
    try checkCancellation()
    let table = try self.table(table)
    let keys = try table.values(of: relationship.keyField) { $0.objectID == objectID }
    let related = try self.table(relationship.relatedTable)
    guard let join = relationship.joinTable else {
      return try related.features(where: relationship.relatedKeyField, isAmong: keys)
    }
    let joinTable = try self.table(join.name)
    let pairs = try joinTable.features(where: join.keyField, isAmong: keys).map(\.objectID)
    let relatedKeys = try joinTable.values(of: join.relatedKeyField) {
      pairs.contains($0.objectID)
    }
    return try related.features(where: relationship.relatedKeyField, isAmong: relatedKeys)
  }

  public func attachments(
    of objectID: Int64, in table: String
  ) async throws(FeatureStoreError) -> [Attachment] {
    try checkCancellation()
    return try self.table(table).files.filter { $0.contents.objectID == objectID }.map { file in
      Attachment(
        id: file.id, name: file.contents.name, contentType: file.contents.contentType,
        size: file.contents.data.count)
    }
  }

  public func data(
    of attachment: Attachment.ID, in table: String
  ) async throws(FeatureStoreError) -> Data {
    try checkCancellation()
    guard let file = try self.table(table).files.first(where: { $0.id == attachment }) else {
      throw .damaged(
        file: name, place: "the attachments of \(table)",
        reason: "there is no attachment \(attachment)")
    }
    return file.contents.data
  }

  private func table(_ name: String) throws(FeatureStoreError) -> InMemoryTable {
    guard let table = tables.first(where: { $0.schema.name.lowercased() == name.lowercased() })
    else { throw .noSuchTable(name: name, available: tables.map(\.schema.name)) }
    return table
  }

  func checkCancellation() throws(FeatureStoreError) {
    guard !Task.isCancelled else { throw .cancelled }
  }
}
