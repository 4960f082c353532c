public import PortolanFeatures

package import struct Foundation.URL

/// A feature store in a file that is open for editing.
///
/// Edits write the base tables directly, and do on their own what triggers and views of the file
/// would do. These stay off, so that a file from a stranger runs nothing, and because SQLite lets
/// no untrusted trigger write to a spatial index.
///
/// From the first edit to `close()` the file is in write-ahead mode, so that readers and the editor
/// do not wait for each other; then it is in its own mode again, and nothing is left beside it
/// unless others still have it open. Once another program has written to it, what was applied
/// before can no longer be undone here.
public protocol EditableFileStore: EditableFeatureStore, FileFeatureStore {
  /// The session that has the file open.
  var session: EditingSession { get }
}

/// An open file for editing, with readers for those who follow its features.
public struct EditingSession: Sendable {
  let reader: ReaderSession
  let pool: ReaderPool

  package init(_ url: URL, _ settings: EditingSettings) throws(FeatureEditError) {
    reader = try ReaderSession(editing: url, settings)
    pool = ReaderPool(GeodatabaseSource(.file(url), format: settings.format), mostShared: 2)
  }
}

// MARK: - Editing

extension EditableFileStore {
  /// Closes the file; every later call fails.
  ///
  /// Walks that were begun may continue.
  public func close() async {
    await session.pool.close()
    await session.reader.close()
  }

  public func apply(
    _ edits: [FeatureEdit]
  ) async throws(FeatureEditError) -> [FeatureEditResult] {
    try await session.reader.edit { editing throws(FeatureEditError) in try editing.apply(edits) }
  }

  public func undoCount() async -> Int { await session.reader.undoCount }

  public func undo() async throws(FeatureEditError) -> [LocalChange] {
    try await session.reader.edit { editing throws(FeatureEditError) in try editing.undo() }
  }

  public func localChanges() async throws(FeatureEditError) -> LocalChanges {
    try await session.reader.edit { editing throws(FeatureEditError) in
      try editing.localChanges()
    }
  }

  public func editability(
    of table: String
  ) async throws(FeatureEditError) -> TableEditability {
    try await session.reader.edit { editing throws(FeatureEditError) in
      try editing.editability(of: table)
    }
  }

  public func validator(of table: String) async throws(FeatureEditError) -> FeatureValidator {
    try await session.reader.edit { editing throws(FeatureEditError) in
      try editing.validator(of: table)
    }
  }
}

// MARK: - Reading

extension EditableFileStore {
  /// Lends a reader for several synchronous calls; see ``GeodatabaseReader``.
  public func read<T: Sendable>(
    _ body: @Sendable (borrowing GeodatabaseReader) throws(FeatureStoreError) -> T
  ) async throws(FeatureStoreError) -> T {
    try await session.reader.lend(body)
  }

  public func features(in table: String, matching query: QueryParameters) -> FeatureSequence {
    session.pool.features(in: table, matching: query)
  }
}
