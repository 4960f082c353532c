internal import PortolanFeatures
internal import PortolanSQLite

/// Lends a reader to one task at a time, on a queue of its own.
actor ReaderSession {
  private let executor: QueueExecutor
  private let reader: GeodatabaseReader
  private let interruption: Interruption
  private var cursors: [Int: FeatureRows] = [:]
  private var lastCursor = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  init(_ source: GeodatabaseSource) throws(FeatureStoreError) {
    reader = try GeodatabaseReader(source)
    interruption = reader.connection.interruption
    executor = QueueExecutor(label: "PortolanGeodatabase \(source.location.name)")
  }

  /// Lends the reader; cancelling the task stops the running statement.
  func lend<T: Sendable>(
    _ body: @Sendable (borrowing GeodatabaseReader) throws(FeatureStoreError) -> T
  ) async throws(FeatureStoreError) -> T {
    try await interruptibly { () throws(FeatureStoreError) in try body(reader) }
  }

  /// Starts to read the features of a query; ``closeCursor(_:)`` must follow.
  func openCursor(
    in table: String, matching query: QueryParameters
  ) async throws(FeatureStoreError) -> Int {
    try await interruptibly { () throws(FeatureStoreError) in
      let rows = try reader.rows(in: table, matching: query)
      lastCursor += 1
      cursors[lastCursor] = rows
      return lastCursor
    }
  }

  /// Some of the next features of a cursor; empty at its end.
  func nextPage(of cursor: Int) async throws(FeatureStoreError) -> [Feature] {
    try await interruptibly { () throws(FeatureStoreError) in
      try cursors[cursor]?.nextPage() ?? []
    }
  }

  /// How many cursors are open.
  var cursorCount: Int { cursors.count }

  /// Lets go of the statement of a cursor.
  func closeCursor(_ cursor: Int) { cursors[cursor] = nil }

  private func interruptibly<T: Sendable>(
    _ body: () throws(FeatureStoreError) -> T
  ) async throws(FeatureStoreError) -> T {
    guard !Task.isCancelled else { throw .cancelled }
    let operation = interruption.begin()
    let result = await withTaskCancellationHandler {
      // Only a closure that names the actor runs on it; others are taken off it.
      run(body)
    } onCancel: {
      interruption.request(operation)
    }
    return try result.get()
  }

  private func run<T>(
    _ body: () throws(FeatureStoreError) -> T
  ) -> Result<T, FeatureStoreError> {
    Result { () throws(FeatureStoreError) in try body() }
  }
}
