/// The tables of an ``InMemoryFeatureStore``, and its undo groups.
struct InMemoryState: Sendable {
  /// A group of edits that was applied.
  struct Group: Sendable {
    let tablesBefore: [InMemoryTable]
    let changes: [RowChange]
  }

  var tables: [InMemoryTable]
  /// The groups that can be undone, the last one last.
  private(set) var groups: [Group] = []
  /// The changes of groups that are too long ago to be undone.
  private var settledChanges: [RowChange] = []
  private let undoLimit: Int

  init(tables: [InMemoryTable], undoLimit: Int) {
    self.tables = tables
    self.undoLimit = undoLimit
  }

  /// Puts edited tables in place of the present ones.
  mutating func apply(_ edited: [InMemoryTable], _ changes: [RowChange]) {
    groups.append(Group(tablesBefore: tables, changes: changes))
    tables = edited
    if groups.count > max(0, undoLimit) { settledChanges += groups.removeFirst().changes }
  }

  /// Goes back to before the last group; `nil` if there is none.
  mutating func undo() -> [RowChange]? {
    guard let group = groups.popLast() else { return nil }
    tables = zip(group.tablesBefore, tables).map { before, after in
      // Ids that were given out are not given out again.
      var table = before
      table.nextObjectID = after.nextObjectID
      table.nextFileID = after.nextFileID
      return table
    }
    return group.changes
  }

  /// All changes that were not undone, in order.
  var changes: [RowChange] { settledChanges + groups.flatMap(\.changes) }
}
