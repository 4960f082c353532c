internal import PortolanFeatures
internal import PortolanSQLite

internal import struct Foundation.URL

/// Lends a reader to one task at a time, on a queue of its own.
///
/// The connection is opened when it is first used, and again when the file was replaced.
actor ReaderSession {
  private let executor: QueueExecutor
  private let source: GeodatabaseSource
  private var held: HeldReader?
  private var editing: GeodatabaseEditing?
  /// The cursor of the walk that has the session for itself.
  private var cursor: FeatureCursor?
  private var isClosed = false

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// Describes a session; what cannot be opened is refused when it is used.
  init(_ source: GeodatabaseSource) {
    self.source = source
    executor = Self.makeExecutor(source)
  }

  /// Opens a session for reading.
  init(opening source: GeodatabaseSource) throws(FeatureStoreError) {
    let held = HeldReader(try GeodatabaseReader(source))
    self.source = source
    executor = Self.makeExecutor(source)
    self.held = held
  }

  /// Opens a file for editing.
  init(editing url: URL, _ settings: EditingSettings) throws(FeatureEditError) {
    let editing = try GeodatabaseEditing(url, settings)
    source = editing.held.reader.source
    executor = Self.makeExecutor(editing.held.reader.source)
    held = editing.held
    self.editing = editing
  }

  // Closing may write, which is nothing for the thread that happens to let go.
  isolated deinit { close() }

  private static func makeExecutor(_ source: GeodatabaseSource) -> QueueExecutor {
    QueueExecutor(label: "PortolanGeodatabase \(source.location.name)")
  }

  /// Lends the reader for one state of the file; cancelling the task stops the running statement.
  func lend<T: Sendable>(
    _ body: @Sendable (borrowing GeodatabaseReader) throws(FeatureStoreError) -> T
  ) async throws(FeatureStoreError) -> T {
    let held = try openReader()
    return try await interruptibly(held) { () throws(FeatureStoreError) in
      try held.reading { reader throws(FeatureStoreError) in try body(reader) }
    }
  }

  /// Closes the file; every later call fails.
  func close() {
    endWalk()
    isClosed = true
    editing = nil
    held = nil
  }

  /// Closes the file if the walk that had the session has ended.
  func closeUnlessWalking() {
    if cursor == nil { close() }
  }

  /// The reader, on a new connection if the file was replaced by another.
  private func openReader() throws(FeatureStoreError) -> HeldReader {
    guard !isClosed else {
      throw .unreadable(file: source.location.name, reason: "it was closed")
    }
    if let held, editing != nil || held.reader.connection.isCurrent { return held }
    // Others may have changed the file since its tables were looked at.
    source.forget()
    let fresh = HeldReader(try GeodatabaseReader(source))
    held = fresh
    return fresh
  }

  /// Calls `body` on the session's queue; cancelling the task stops the running statement.
  private func interruptibly<T: Sendable, Failure: Error>(
    _ held: HeldReader, _ body: () throws(Failure) -> T
  ) async throws(Failure) -> T where Failure: Cancellable {
    guard !Task.isCancelled else { throw .cancelled }
    let interruption = held.reader.connection.interruption
    let operation = interruption.begin()
    let result = await withTaskCancellationHandler {
      // Only a closure that names the actor runs on it; others are taken off it.
      run(body)
    } onCancel: {
      interruption.request(operation)
    }
    return try result.get()
  }

  private func run<T, Failure: Error>(
    _ body: () throws(Failure) -> T
  ) -> Result<T, Failure> {
    Result { () throws(Failure) in try body() }
  }
}

// MARK: - Walking

extension ReaderSession {
  /// Begins a walk, for which the session must not be used otherwise until ``endWalk()``.
  func beginWalk(
    in table: String, matching query: QueryParameters
  ) async throws(FeatureStoreError) {
    let held = try openReader()
    try await interruptibly(held) { () throws(FeatureStoreError) in
      try held.beginReading()
      do throws(FeatureStoreError) {
        cursor = try held.reader.cursor(in: table, matching: query)
      } catch {
        held.endReading()
        throw error
      }
    }
  }

  /// Some of the next features of the walk; empty at its end.
  func nextPage() async throws(FeatureStoreError) -> [Feature] {
    guard let held, let cursor else { return [] }
    do {
      let page = try await interruptibly(held) { () throws(FeatureStoreError) in
        try cursor.nextPage()
      }
      if page.isEmpty || cursor.isFinished { endWalk() }
      return page
    } catch {
      // After a row that cannot be read there may be others.
      if case .unreadableRow = error { throw error }
      endWalk()
      throw error
    }
  }

  /// Ends the walk and its transaction.
  func endWalk() {
    guard cursor != nil else { return }
    cursor = nil
    held?.endReading()
  }
}

// MARK: - Editing

extension ReaderSession {
  /// Changes the file; cancelling the task rolls back what was begun.
  func edit<T: Sendable>(
    _ body: @Sendable (GeodatabaseEditing) throws(FeatureEditError) -> T
  ) async throws(FeatureEditError) -> T {
    guard let editing, let held else { throw .closed(file: source.location.name) }
    return try await interruptibly(held) { () throws(FeatureEditError) in try body(editing) }
  }

  /// How many groups of edits can be undone.
  var undoCount: Int { editing?.undoCount ?? 0 }
}

/// An error that a cancelled task can be given.
protocol Cancellable: Error {
  static var cancelled: Self { get }
}

extension FeatureStoreError: Cancellable {}
extension FeatureEditError: Cancellable {}
