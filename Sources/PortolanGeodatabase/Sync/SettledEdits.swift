public import PortolanFeatures
internal import PortolanSQLite

/// The edits that a decision on a ``SyncIssue`` settles, as they are at a moment: those of its feature, of what
/// belongs together with that, and of their attachments.
///
/// A number stands for them, which means nothing to another process.
public struct SettledEdits: Hashable, Sendable {
  /// One of the edits, as it is at that moment.
  public struct Edit: Hashable, Sendable {
    /// What was edited.
    public let change: LocalChange
    /// What stands for all that the history has of it: another number once it was edited again.
    public let number: Int
  }

  /// The edits, by table and object id.
  public let edits: [Edit]
  private let number: Int

  init(_ edits: [Edit], number: Int) {
    self.edits = edits
    self.number = number
  }
}

extension GeodatabaseSync {
  /// The edits that could not be exchanged, oldest first, each with what a decision on it settles; `nil` where
  /// none can be made.
  func issuesToDecide() throws(FeatureEditError) -> [(issue: SyncIssue, edits: SettledEdits?)] {
    let all = try store.all()
    guard !all.isEmpty else { return [] }
    let decision = try state() == nil ? nil : SyncDecision(self, SyncIssueList(store))
    var found: [(issue: SyncIssue, edits: SettledEdits?)] = []
    for issue in all { found.append((issue, try decision?.edits(settledWith: issue))) }
    return found
  }

  /// Refuses a decision that would settle other edits than it was made about.
  func check(_ id: SyncIssue.ID, _ seen: SettledEdits?) throws(FeatureEditError) {
    guard let seen else { return }
    let issues = try SyncIssueList(store)
    guard let issue = issues.all.first(where: { $0.id == id }) else {
      throw .conflictChanged(EditPlace(table: "the conflicts"))
    }
    guard try SyncDecision(self, issues).edits(settledWith: issue) == seen else {
      throw .conflictChanged(EditPlace(table: issue.table, objectID: issue.objectID))
    }
  }
}

extension SyncDecision {
  /// What a decision on an issue settles.
  func edits(settledWith issue: SyncIssue) throws(FeatureEditError) -> SettledEdits {
    var hasher = Hasher()
    hasher.combine(issue)
    var edits: [SettledEdits.Edit] = []
    for member in members(settledWith: issue) {
      hasher.combine(member)
      hasher.combine(issuesByRow[member])
      guard let change = changes[member] else { continue }
      let edit = SettledEdits.Edit(change: change, number: try history(of: change))
      hasher.combine(edit)
      edits.append(edit)
    }
    return SettledEdits(edits, number: hasher.finalize())
  }

  /// What stands for all that the history has of an edit, that of its attachments included.
  private func history(of change: LocalChange) throws(FeatureEditError) -> Int {
    var hasher = Hasher()
    guard let table = try trackedTable(change.table) else { return hasher.finalize() }
    hasher.combine(try rows.edits(of: change.objectID, in: table))
    guard !change.attachments.isEmpty, let files = try sync.attachments(of: table) else {
      return hasher.finalize()
    }
    for file in change.attachments { hasher.combine(try rows.edits(of: file.id, in: files)) }
    return hasher.finalize()
  }

  /// A table with a history; `nil` if its edits are not known from one, so that no decision settles them.
  private func trackedTable(_ name: String) throws(FeatureEditError) -> EditedTable? {
    guard try sync.file.hasTable(name) else { return nil }
    do throws(FeatureEditError) {
      let table = try sync.file.table(name)
      return table.storage.isTracked ? table : nil
    } catch {
      guard case .tableNotEditable = error else { throw error }
      return nil
    }
  }
}

extension SyncRows {
  /// The versions of a row that began after the last synchronization, with all that the history has of them.
  fileprivate func edits(
    of objectID: Int64, in table: EditedTable
  ) throws(FeatureEditError) -> [[SQLValue]] {
    try file.rows(
      """
      SELECT * FROM \(table.storage.quotedName)
      WHERE \(SQLIdentifier.quoted(table.storage.objectIDColumn)) = ?1 AND gdb_from_date > ?2
      ORDER BY gdb_from_date
      """, [.integer(objectID), .real(since + Self.tolerance)], in: "the history of \(table.name)")
  }
}
