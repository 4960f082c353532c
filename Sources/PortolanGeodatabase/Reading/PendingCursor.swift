internal import PortolanFeatures
internal import Synchronization

/// A walk along a ``FeatureSequence`` that opens its cursor when the first page is asked for.
final class PendingCursor: Sendable {
  private let pool: ReaderPool
  private let table: String
  private let query: QueryParameters
  private let cursor = Mutex<FeatureCursor?>(nil)

  init(_ pool: ReaderPool, table: String, query: QueryParameters) {
    self.pool = pool
    self.table = table
    self.query = query
  }

  /// The next features; empty at the end.
  func nextPage() async throws(FeatureStoreError) -> [Feature] {
    if let open = cursor.withLock(\.self) { return try await open.nextPage() }
    let open = FeatureCursor(try pool.acquire(), of: pool, table: table, query: query)
    cursor.withLock { $0 = open }
    return try await open.nextPage()
  }
}
