internal import PortolanFeatures

/// Reads all rows of a table, but for those that are damaged.
///
/// As long as nothing is damaged, rows come as the store reads them, without those that it finds
/// unreadable. After another failure the next rows are asked for by their object ids, in halves,
/// until the damaged ones are found; then it continues as before.
struct TolerantReader {
  /// Some rows, and those among them that cannot be read.
  struct Page: Sendable {
    var features: ArraySlice<Feature> = []
    var failures: [ConversionResult.Failure] = []

    /// Whether there is nothing more.
    var isEmpty: Bool { features.isEmpty && failures.isEmpty }
  }

  private let store: any FeatureStore
  private let table: FeatureTableSchema
  private var iterator: FeatureSequence.Iterator?
  private var lastID: Int64?
  private var isAtEnd = false

  /// How many rows are looked at one by one after a failure.
  private static let rescueSize = 256

  /// Which rows are wanted at all.
  private let filter: QueryParameters

  init(
    _ store: any FeatureStore, _ table: FeatureTableSchema,
    _ filter: QueryParameters = QueryParameters()
  ) {
    self.filter = filter
    self.store = store
    self.table = table
  }

  /// The next rows; an empty page at the end.
  mutating func next() async throws(FeatureStoreError) -> Page {
    guard !isAtEnd else { return Page() }
    if iterator == nil {
      iterator = store.features(in: table.name, matching: rest()).makeAsyncIterator()
    }
    do {
      let features = try await iterator?.nextFeatures() ?? []
      lastID = features.last?.objectID ?? lastID
      isAtEnd = features.isEmpty
      return Page(features: features)
    } catch {
      if case .unreadableRow(let row) = error {
        lastID = row.objectID
        return Page(failures: [failure("row \(row.objectID)", row.reason)])
      }
      guard let reason = error.damage else { throw error }
      iterator = nil
      return try await rescue(reason)
    }
  }

  /// The rows after the last one that was read.
  private func rest() -> QueryParameters {
    let field = table.objectIDField.replacing("\"", with: "\"\"")
    var query = filter
    let behind = lastID.map { "\"\(field)\" > \($0)" }
    query.whereClause = [filter.whereClause, behind].compactMap(\.self)
      .reduce(nil as String?) { whole, part in whole.map { "(\($0)) AND (\(part))" } ?? part }
    return query
  }

  /// Reads the rows around a damaged one.
  private mutating func rescue(_ reason: String) async throws(FeatureStoreError) -> Page {
    let ids: [Int64]
    do { ids = try await nextIDs() } catch {
      guard let reason = error.damage else { throw error }
      // Not even the ids can be read: where the rows after these are is not known.
      isAtEnd = true
      return Page(failures: [failure(lastID.map { "all rows after \($0)" }, reason)])
    }
    var page = Page()
    try await read(ids[...], into: &page)
    lastID = ids.last ?? lastID
    if ids.isEmpty {
      isAtEnd = true
      page.failures.append(failure(nil, reason))
    }
    return page
  }

  private func nextIDs() async throws(FeatureStoreError) -> [Int64] {
    var query = rest()
    query.limit = Self.rescueSize
    query.returnsGeometry = false
    query.outFields = [table.objectIDField]
    return try await store.features(in: table.name, matching: query).collect().map(\.objectID)
  }

  private func read(
    _ ids: ArraySlice<Int64>, into page: inout Page
  ) async throws(FeatureStoreError) {
    guard let first = ids.first else { return }
    do {
      let query = QueryParameters(objectIDs: Array(ids))
      page.features += try await store.features(in: table.name, matching: query).collect()
    } catch {
      guard let reason = error.damage else { throw error }
      guard ids.count > 1 else {
        page.failures.append(failure("row \(first)", reason))
        return
      }
      let middle = ids.startIndex + ids.count / 2
      try await read(ids[..<middle], into: &page)
      try await read(ids[middle...], into: &page)
    }
  }

  private func failure(_ item: String?, _ reason: String) -> ConversionResult.Failure {
    ConversionResult.Failure(part: table.name, item: item, reason: reason)
  }
}

extension FeatureStoreError {
  /// Why a part of a file cannot be read while other parts may be; `nil` for other failures.
  fileprivate var damage: String? {
    switch self {
    case .damaged(_, _, let reason): reason
    case .unreadableRow(let row): row.reason
    case .unsupported(_, let feature): "it uses \(feature), which is not supported"
    default: nil
    }
  }
}
