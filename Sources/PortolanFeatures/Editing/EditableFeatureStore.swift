/// Tables of features that can be asked for and changed.
///
/// Reading sees what was applied. A sequence of features that was begun before a group is applied
/// ends with the features as they were.
public protocol EditableFeatureStore: ChangeTrackingStore {
  /// Carries out a group of edits, all of them or none.
  ///
  /// Everything is checked before the first row is written: types, lengths, missing values,
  /// domains, subtypes, shapes; see ``FeatureValidator``. Whatever fails, the store is as it was.
  ///
  /// - Returns: What each edit was carried out on, in the same order.
  @concurrent func apply(
    _ edits: [FeatureEdit]
  ) async throws(FeatureEditError) -> [FeatureEditResult]

  /// How many groups can be undone, one after the other, starting with the last.
  ///
  /// Only groups that this store applied since it was opened count, and not without end.
  @concurrent func undoCount() async -> Int

  /// Takes back the last group that was applied and not yet undone.
  ///
  /// The rows are as they were before, and so is their history; ids that were given out are not
  /// given out again.
  ///
  /// - Returns: The changes that were undone.
  @concurrent func undo() async throws(FeatureEditError) -> [LocalChange]

  /// Whether features of a table can be added, changed and deleted.
  @concurrent func editability(of table: String) async throws(FeatureEditError) -> TableEditability

  /// What checks the edits of a table; for forms that check while a person types.
  @concurrent func validator(of table: String) async throws(FeatureEditError) -> FeatureValidator
}

/// Whether the features of a table can be edited.
public enum TableEditability: Hashable, Sendable {
  case editable
  /// Not, for that reason.
  case readOnly(FeatureEditError)
}
