internal import PortolanFeatures

/// The features of one walk along a ``FeatureSequence``, a page at a time.
///
/// Counts as a user of its session. When it goes, its statement is let go of on the session's own
/// queue, where alone it may be touched.
actor FeatureCursor {
  private let pool: ReaderPool
  private let session: ReaderSession
  private let table: String
  private let query: QueryParameters
  private var number: Int?

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe session.unownedExecutor }

  /// Creates a cursor on a session that was taken from the pool, and that it gives back.
  init(
    _ session: ReaderSession, of pool: ReaderPool, table: String, query: QueryParameters
  ) {
    self.pool = pool
    self.session = session
    self.table = table
    self.query = query
  }

  isolated deinit {
    if let number { session.assumeIsolated { $0.closeCursor(number) } }
    pool.release(session)
  }

  /// The next features; empty at the end.
  func nextPage() async throws(FeatureStoreError) -> [Feature] {
    if let number { return try await session.nextPage(of: number) }
    let number = try await session.openCursor(in: table, matching: query)
    self.number = number
    return try await session.nextPage(of: number)
  }
}
