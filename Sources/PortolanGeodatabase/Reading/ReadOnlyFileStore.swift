public import PortolanFeatures

/// A feature store in a file that is open for reading.
public protocol ReadOnlyFileStore: FileFeatureStore, ChangeTrackingStore {
  /// The connections to the file.
  var pool: ReaderPool { get }
}

extension ReadOnlyFileStore {
  /// Lends a reader for several synchronous calls; see ``GeodatabaseReader``.
  public func read<T: Sendable>(
    _ body: @Sendable (borrowing GeodatabaseReader) throws(FeatureStoreError) -> T
  ) async throws(FeatureStoreError) -> T {
    try await pool.read(body)
  }

  public func features(in table: String, matching query: QueryParameters) -> FeatureSequence {
    pool.features(in: table, matching: query)
  }

  public func close() async { await pool.close() }
}
