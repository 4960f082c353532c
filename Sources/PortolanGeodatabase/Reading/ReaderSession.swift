internal import PortolanFeatures
internal import PortolanSQLite

internal import struct Foundation.URL

/// Lends a reader to one task at a time, on a queue of its own.
actor ReaderSession {
  private let executor: QueueExecutor
  private let location: GeodatabaseLocation
  private var interruption: Interruption
  private var held: HeldReader?
  private var stamp: FileStamp?
  private var editing: GeodatabaseEditing?
  private var cursors: [Int: Cursor] = [:]
  private var lastCursor = 0

  /// Where the features of a walk come from.
  private enum Cursor {
    case rows(FeatureRows)
    /// What was left of them when the rows were about to change.
    case features(ArraySlice<Feature>)
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  init(_ source: GeodatabaseSource) throws(FeatureStoreError) {
    self.init(HeldReader(try GeodatabaseReader(source)))
  }

  private init(_ held: HeldReader, _ editing: GeodatabaseEditing? = nil) {
    self.held = held
    self.editing = editing
    location = held.reader.source.location
    stamp = held.reader.source.location.stamp
    interruption = held.reader.connection.interruption
    executor = QueueExecutor(label: "PortolanGeodatabase \(location.name)")
  }

  /// Opens a file for editing.
  init(editing url: URL, _ settings: EditingSettings) throws(FeatureEditError) {
    let editing = try GeodatabaseEditing(url, settings)
    self.init(editing.held, editing)
  }

  /// Lends the reader; cancelling the task stops the running statement.
  func lend<T: Sendable>(
    _ body: @Sendable (borrowing GeodatabaseReader) throws(FeatureStoreError) -> T
  ) async throws(FeatureStoreError) -> T {
    let held = try openReader()
    return try await interruptibly { () throws(FeatureStoreError) in try body(held.reader) }
  }

  /// Starts to read the features of a query; ``closeCursor(_:)`` must follow.
  func openCursor(
    in table: String, matching query: QueryParameters
  ) async throws(FeatureStoreError) -> Int {
    let held = try openReader()
    return try await interruptibly { () throws(FeatureStoreError) in
      let rows = try held.reader.rows(in: table, matching: query)
      lastCursor += 1
      cursors[lastCursor] = .rows(rows)
      return lastCursor
    }
  }

  /// Some of the next features of a cursor; empty at its end.
  func nextPage(of cursor: Int) async throws(FeatureStoreError) -> [Feature] {
    try await interruptibly { () throws(FeatureStoreError) in
      switch cursors[cursor] {
      case nil: return []
      case .rows(let rows): return try rows.nextPage()
      case .features(let features):
        cursors[cursor] = .features(features.dropFirst(Self.pageSize))
        return Array(features.prefix(Self.pageSize))
      }
    }
  }

  /// How many cursors are open.
  var cursorCount: Int { cursors.count }

  /// Lets go of the statement of a cursor.
  func closeCursor(_ cursor: Int) { cursors[cursor] = nil }

  /// Changes the file; cancelling the task takes back what was begun.
  func edit<T: Sendable>(
    _ body: @Sendable (GeodatabaseEditing) throws(FeatureEditError) -> T
  ) async throws(FeatureEditError) -> T {
    do { try detachCursors() } catch { throw FeatureEditError(error) }
    return try await consult(body)
  }

  /// Asks what knows about edits; cancelling the task stops the running statement.
  func consult<T: Sendable>(
    _ body: @Sendable (GeodatabaseEditing) throws(FeatureEditError) -> T
  ) async throws(FeatureEditError) -> T {
    guard let editing else { throw .closed(file: location.name) }
    return try await interruptibly { () throws(FeatureEditError) in try body(editing) }
  }

  /// How many groups of edits can be undone.
  var undoCount: Int { editing?.undoCount ?? 0 }

  /// Reads to their end the rows that walks have begun, before they change.
  ///
  /// Statements that a transaction runs beside would see some rows before and others after it.
  private func detachCursors() throws(FeatureStoreError) {
    for (number, cursor) in cursors {
      guard case .rows(let rows) = cursor else { continue }
      var features: [Feature] = []
      while let feature = try rows.next() { features.append(feature) }
      cursors[number] = .features(features[...])
    }
  }

  /// Closes the file; every later call fails.
  func close() {
    cursors = [:]
    editing = nil
    held = nil
  }

  private static let pageSize = 256

  /// The reader, on a new connection if somebody has written to the file.
  ///
  /// A file that nobody was editing is read without locks, so that SQLite itself would not notice.
  /// Walks that were begun go on with the connection that they have.
  private func openReader() throws(FeatureStoreError) -> HeldReader {
    guard let held else { throw .unreadable(file: location.name, reason: "it was closed") }
    guard editing == nil else { return held }
    let stamp = location.stamp
    guard stamp != self.stamp else { return held }
    held.reader.source.forget()
    let fresh = HeldReader(try GeodatabaseReader(held.reader.source))
    interruption = fresh.reader.connection.interruption
    self.held = fresh
    self.stamp = stamp
    return fresh
  }

  /// Calls `body` on the session's queue; cancelling the task stops the running statement.
  private func interruptibly<T: Sendable, Failure: Error>(
    _ body: () throws(Failure) -> T
  ) async throws(Failure) -> T where Failure: Cancellable {
    guard !Task.isCancelled else { throw .cancelled }
    let interruption = interruption
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

/// An error that a cancelled task can be given.
protocol Cancellable: Error {
  static var cancelled: Self { get }
}

extension FeatureStoreError: Cancellable {}
extension FeatureEditError: Cancellable {}

/// A reader that can be let go of, and its connection with it.
final class HeldReader {
  let reader: GeodatabaseReader

  init(_ reader: consuming GeodatabaseReader) { self.reader = reader }
}
