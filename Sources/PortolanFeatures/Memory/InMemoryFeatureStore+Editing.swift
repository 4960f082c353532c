internal import Synchronization

/// Editing, with the same meaning as in files; nothing outlives the store.
extension InMemoryFeatureStore: EditableFeatureStore {
  public func apply(
    _ edits: [FeatureEdit]
  ) async throws(FeatureEditError) -> [FeatureEditResult] {
    let (makeID, user, moment) = (makeID, user, now())
    let outcome = state.withLock { state in
      Result { () throws(FeatureEditError) in
        var editor = FeatureEditor(
          InMemoryRows(state.tables, makeID: makeID), user: user, now: moment)
        let results = try editor.apply(edits)
        if !editor.changes.isEmpty { state.apply(editor.rows.tables, editor.changes) }
        return results
      }
    }
    return try outcome.get()
  }

  public func undoCount() async -> Int { state.withLock { $0.groups.count } }

  public func undo() async throws(FeatureEditError) -> [LocalChange] {
    let (changes, order) = state.withLock { ($0.undo(), $0.tables.map(\.schema.name)) }
    guard let changes else { throw .nothingToUndo }
    return LocalChange.merged(changes, orderOfTables: order)
  }

  public func localChanges() async throws(FeatureEditError) -> LocalChanges {
    let (changes, schemas) = state.withLock { ($0.changes, $0.tables.map(\.schema)) }
    return LocalChanges(
      changes: LocalChange.merged(changes, orderOfTables: schemas.map(\.name)),
      tablesWithoutHistory: schemas.filter { !$0.isChangeTracked }.map(\.name))
  }

  public func editability(
    of table: String
  ) async throws(FeatureEditError) -> TableEditability {
    _ = try await validator(of: table)
    return .editable
  }

  public func validator(of table: String) async throws(FeatureEditError) -> FeatureValidator {
    try InMemoryRows(state.withLock(\.tables), makeID: makeID).validator(of: table)
  }
}
