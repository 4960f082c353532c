/// Reads all rows of a table, but for those that cannot be read.
///
/// As long as nothing fails, rows come as the store reads them, without those that it finds
/// unreadable. After another failure the next rows are asked for by their object ids, in halves,
/// until those that cannot be read are found; then it continues as before. Where an order is wanted,
/// all the rows that are left are read by their ids.
package struct TolerantReader: Sendable {
  /// Some rows, and those among them that cannot be read.
  package struct Page: Sendable {
    package var features: ArraySlice<Feature> = []
    package var unreadable: [UnreadableRow] = []
    /// Why the table cannot be read on.
    package var end: End?

    /// Whether there is nothing more.
    package var isEmpty: Bool { features.isEmpty && unreadable.isEmpty && end == nil }
  }

  /// Where a table cannot be read on, and why.
  package struct End: Sendable {
    /// The last row before it; `nil` if none of the rows is to be had, or none is left.
    package let lastID: Int64?
    package let error: FeatureStoreError
  }

  private let store: any FeatureStore
  private let table: FeatureTableSchema
  /// Which rows are wanted at all.
  private let filter: QueryParameters
  private var iterator: FeatureSequence.Iterator?
  /// The rows that are read by their ids.
  private var pending: ArraySlice<Int64>?
  private var lastID: Int64?
  /// How many rows were read or found unreadable.
  private var count = 0
  private var isAtEnd = false

  /// How many rows are looked at one by one after a failure.
  private static let rescueSize = 256

  package init(
    _ store: any FeatureStore, _ table: FeatureTableSchema,
    _ filter: QueryParameters = QueryParameters()
  ) {
    self.filter = filter
    self.store = store
    self.table = table
  }

  /// The next rows; an empty page at the end.
  ///
  /// - Throws: ``FeatureStoreError`` for what has nothing to do with the rows.
  package mutating func next() async throws(FeatureStoreError) -> Page {
    guard !isAtEnd else { return Page() }
    let page = try await pending == nil ? walk() : readPending()
    count += page.features.count + page.unreadable.count
    isAtEnd = page.isEmpty || page.end != nil
    return page
  }

  // MARK: - Walking

  private mutating func walk() async throws(FeatureStoreError) -> Page {
    if iterator == nil {
      iterator = store.features(in: table.name, matching: rest()).makeAsyncIterator()
    }
    do {
      let features = try await iterator?.nextFeatures() ?? []
      lastID = features.last?.objectID ?? lastID
      return Page(features: features)
    } catch {
      if case .unreadableRow(let row) = error {
        lastID = row.objectID
        return Page(unreadable: [row])
      }
      guard error.concernsRows else { throw error }
      iterator = nil
      return try await filter.orderBy.isEmpty ? rescue(error) : rescueOrdered(error)
    }
  }

  /// The rows after the last one that was read.
  private func rest() -> QueryParameters {
    var query = filter
    guard let lastID else { return query }
    query.offset = 0
    query.limit = filter.limit.map { max(0, $0 - count) }
    let field = table.objectIDField.replacing("\"", with: "\"\"")
    let behind = "\"\(field)\" > \(lastID)"
    query.whereClause = filter.whereClause.map { "(\($0)) AND (\(behind))" } ?? behind
    return query
  }

  // MARK: - Reading by ids

  /// Reads the rows around one that cannot be read.
  private mutating func rescue(
    _ failure: FeatureStoreError
  ) async throws(FeatureStoreError) -> Page {
    var query = rest()
    query.limit = min(query.limit ?? Self.rescueSize, Self.rescueSize)
    var page = Page()
    var ids: [Int64] = []
    do {
      try await readIDs(query) { id, row in
        if let row { page.unreadable.append(row) } else { ids.append(id) }
      }
    } catch {
      guard error.concernsRows else { throw error }
      // Not even the ids can be read: where the rows after these are is not known.
      return Page(end: End(lastID: lastID, error: failure))
    }
    lastID = (ids + page.unreadable.map(\.objectID)).max() ?? lastID
    try await read(ids[...], into: &page)
    if page.isEmpty { page.end = End(lastID: nil, error: failure) }
    return page
  }

  /// Finds out which rows are left in the order that is wanted.
  private mutating func rescueOrdered(
    _ failure: FeatureStoreError
  ) async throws(FeatureStoreError) -> Page {
    var page = Page()
    var ids: [Int64] = []
    let lastID = lastID
    var isBehind = lastID == nil
    do {
      try await readIDs(filter) { id, row in
        if !isBehind {
          isBehind = id == lastID
        } else if let row {
          page.unreadable.append(row)
        } else {
          ids.append(id)
        }
      }
    } catch {
      guard error.concernsRows else { throw error }
      return Page(end: End(lastID: lastID, error: failure))
    }
    pending = ids[...]
    if page.isEmpty, ids.isEmpty { page.end = End(lastID: nil, error: failure) }
    return try await page.isEmpty ? readPending() : page
  }

  private mutating func readPending() async throws(FeatureStoreError) -> Page {
    let ids = pending?.prefix(Self.rescueSize) ?? []
    pending = pending?.dropFirst(ids.count)
    var page = Page()
    try await read(ids, into: &page)
    return page
  }

  /// Hands over the ids of rows, with the row where it cannot be read.
  private func readIDs(
    _ query: QueryParameters, _ receive: (Int64, UnreadableRow?) -> Void
  ) async throws(FeatureStoreError) {
    var query = query
    query.returnsGeometry = false
    query.outFields = [table.objectIDField]
    var iterator = store.features(in: table.name, matching: query).makeAsyncIterator()
    while true {
      do throws(FeatureStoreError) {
        let features = try await iterator.nextFeatures()
        if features.isEmpty { return }
        for feature in features { receive(feature.objectID, nil) }
      } catch {
        guard case .unreadableRow(let row) = error else { throw error }
        receive(row.objectID, row)
      }
    }
  }

  private func read(
    _ ids: ArraySlice<Int64>, into page: inout Page
  ) async throws(FeatureStoreError) {
    guard let first = ids.first else { return }
    do {
      var query = filter
      // The ids were found by the conditions, which need not be evaluated again.
      query.whereClause = nil
      query.extent = nil
      query.offset = 0
      query.limit = nil
      query.objectIDs = Array(ids)
      page.features += try await store.features(in: table.name, matching: query).collect()
    } catch {
      guard error.concernsRows else { throw error }
      guard ids.count > 1 else {
        if let row = error.row(first, of: table.name) { page.unreadable.append(row) }
        return
      }
      let middle = ids.startIndex + ids.count / 2
      try await read(ids[..<middle], into: &page)
      try await read(ids[middle...], into: &page)
    }
  }
}

extension FeatureStoreError {
  /// Whether a part of the rows cannot be read while others may be.
  fileprivate var concernsRows: Bool {
    switch self {
    case .damaged, .unreadableRow, .unsupported: true
    default: false
    }
  }

  /// A row that cannot be read for this reason; `nil` if it has nothing to do with a row.
  fileprivate func row(_ objectID: Int64, of table: String) -> UnreadableRow? {
    switch self {
    case .unreadableRow(let row): row
    case .damaged(let file, _, let reason):
      UnreadableRow(file: file, table: table, objectID: objectID, reason: reason)
    case .unsupported(let file, let feature):
      UnreadableRow(
        file: file, table: table, objectID: objectID,
        reason: "it uses \(feature), which is not supported", isDamaged: false)
    default: nil
    }
  }
}
