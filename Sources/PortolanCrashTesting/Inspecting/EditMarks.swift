/// The marks that numbered groups of edits have left in a table; see ``ChildEditor``.
struct EditMarks: Hashable, Sendable {
  let table: String
  /// How many features each group has added.
  var added: [Int: Int] = [:]
  /// The group that changed the marked feature last.
  var changed: Int?
  /// How many changes of the table count as not sent.
  var unsent = 0

  init(table: String) { self.table = table }

  /// What must not be so whatever happened: half a group, or a group twice.
  var faults: [String] {
    var faults = added.filter { $0.value != 1 }.sorted { $0.key < $1.key }.map {
      "\(table) has edit \($0.key) \($0.value) times"
    }
    if added.keys.max() != changed {
      faults.append(
        "\(table) has half an edit: the last added is \(added.keys.max() ?? -1), "
          + "the last changed \(changed ?? -1)")
    }
    return faults
  }
}
