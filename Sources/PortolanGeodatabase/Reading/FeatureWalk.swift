internal import PortolanFeatures

/// A walk along the features of a query, on a session that it has for itself.
///
/// The session's read transaction shows one state of the file until the walk is at its end, was
/// cancelled, or is released.
actor FeatureWalk {
  private let pool: ReaderPool
  private let session: ReaderSession

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe session.unownedExecutor }

  /// Takes a session from the pool; the walk gives it back when it goes.
  init(in pool: ReaderPool) {
    self.pool = pool
    session = pool.takeForWalk()
  }

  isolated deinit {
    session.assumeIsolated { $0.endWalk() }
    pool.giveBack(session)
  }

  func begin(
    in table: String, matching query: QueryParameters
  ) async throws(FeatureStoreError) {
    try await session.beginWalk(in: table, matching: query)
  }

  /// The next features; empty at the end.
  func nextPage() async throws(FeatureStoreError) -> [Feature] { try await session.nextPage() }
}
