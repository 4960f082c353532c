public import Foundation
public import PortolanFeatures

/// A mobile geodatabase, opened for editing.
///
/// Edits write the base tables directly, and do on their own what Esri's views and triggers do:
/// history, spatial index, object ids. Views and triggers of the file stay off, so that a file
/// from a stranger runs nothing, and because SQLite lets no untrusted trigger write to a spatial
/// index.
///
/// From the first edit to ``close()`` the file is in write-ahead mode, so that readers and the editor
/// do not wait for each other; then it is in its own mode again, and nothing is left beside it
/// unless others still have it open. Once somebody else has written to it, what was applied before can
/// no longer be undone here.
///
/// - SeeAlso: Docs/FORMATS.md, 2.6
public final class EditableGeodatabase: EditableFeatureStore {
  private let session: ReaderSession
  private let pool: ReaderPool

  private init(_ url: URL, _ settings: EditingSettings) throws(FeatureEditError) {
    session = try ReaderSession(editing: url, settings)
    pool = ReaderPool(GeodatabaseSource(.file(url)), mostShared: 2)
  }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - user: Who edits, for editor tracking; `nil` if nobody is signed in.
  ///   - undoLimit: How many groups of edits can be undone at most.
  ///   - now: The clock of histories and editor tracking.
  ///   - makeID: What makes the global ids of new rows.
  /// - Returns: The open file.
  /// - Throws: ``FeatureEditError``: `fileReadOnly`, `folderReadOnly`, `unreadable`, `damaged`.
  public static func open(
    at url: URL, user: String? = nil, undoLimit: Int = 100,
    now: @escaping @Sendable () -> Date, makeID: @escaping @Sendable () -> UUID
  ) throws(FeatureEditError) -> EditableGeodatabase {
    try EditableGeodatabase(
      url, EditingSettings(user: user, undoLimit: undoLimit, now: now, makeID: makeID))
  }

  /// Closes the file; every later call fails.
  ///
  /// Walks that were begun may go on.
  public func close() async {
    await pool.close()
    await session.close()
  }

  // MARK: - Editing

  public func apply(
    _ edits: [FeatureEdit]
  ) async throws(FeatureEditError) -> [FeatureEditResult] {
    try await session.edit { editing throws(FeatureEditError) in try editing.apply(edits) }
  }

  public func undoCount() async -> Int { await session.undoCount }

  public func undo() async throws(FeatureEditError) -> [LocalChange] {
    try await session.edit { editing throws(FeatureEditError) in try editing.undo() }
  }

  public func localChanges() async throws(FeatureEditError) -> LocalChanges {
    try await session.edit { editing throws(FeatureEditError) in try editing.localChanges() }
  }

  public func editability(
    of table: String
  ) async throws(FeatureEditError) -> TableEditability {
    try await session.edit { editing throws(FeatureEditError) in
      try editing.editability(of: table)
    }
  }

  public func validator(of table: String) async throws(FeatureEditError) -> FeatureValidator {
    try await session.edit { editing throws(FeatureEditError) in
      try editing.validator(of: table)
    }
  }
}

// MARK: - Reading

extension EditableGeodatabase: FileFeatureStore {
  /// Lends a reader for several synchronous calls; see ``GeodatabaseReader``.
  public func read<T: Sendable>(
    _ body: @Sendable (borrowing GeodatabaseReader) throws(FeatureStoreError) -> T
  ) async throws(FeatureStoreError) -> T {
    try await session.lend(body)
  }

  public func features(in table: String, matching query: QueryParameters) -> FeatureSequence {
    pool.features(in: table, matching: query)
  }
}
