/// The groups of edits of one map that must be found, and those that may be.
struct EditLedger: Hashable, Sendable {
  /// Reported as applied, or found once: they must never be missing again.
  private(set) var applied: Set<Int> = []
  /// Begun by a child that died before it could report how they ended.
  private(set) var open: Set<Int> = []
  /// Reported as applied twice.
  private(set) var repeated: Set<Int> = []

  /// A number that no group has had.
  var next: Int { (applied.union(open).max() ?? -1) + 1 }

  var isEmpty: Bool { applied.isEmpty && open.isEmpty }

  /// Takes note of what a child has reported.
  mutating func add(_ ending: ChildEnding) {
    // A number is given again only where the edit that had it is lost.
    repeated.formUnion(applied.intersection(ending.doneEdits))
    applied.formUnion(ending.doneEdits)
    open.formUnion(ending.begunEdits.subtracting(ending.doneEdits))
    open.subtract(ending.failedEdits)
    open.subtract(applied)
    // What was being taken back may be there or not.
    let undos = ending.begunUndos.subtracting(ending.failedUndos)
    applied.subtract(undos)
    open.formUnion(undos.subtracting(ending.doneUndos))
  }

  /// What must not be so of the edits that were found.
  func faults(_ marks: [EditMarks]) -> [String] {
    var faults = marks.flatMap { marks in marks.faults + self.faults(marks) }
    if Set(marks.map { Set($0.added.keys) }).count > 1 {
      faults.append("half an edit: tables have different ones")
    }
    if marks.isEmpty, !applied.isEmpty { faults.append("no table with edits is left") }
    if !repeated.isEmpty { faults.append("edits \(repeated.sorted()) were lost and made again") }
    return faults
  }

  private func faults(_ marks: EditMarks) -> [String] {
    let found = Set(marks.added.keys)
    let lost = applied.subtracting(found).sorted()
    let unknown = found.subtracting(applied).subtracting(open).sorted()
    var faults: [String] = []
    if !lost.isEmpty { faults.append("edits \(lost) of \(marks.table) are lost") }
    if !unknown.isEmpty { faults.append("edits \(unknown) of \(marks.table) were never made") }
    if !found.isEmpty, marks.unsent != found.count + 1 {
      faults.append(
        "\(marks.unsent) changes of \(marks.table) count as not sent, not \(found.count + 1)")
    }
    return faults
  }

  /// Settles whether an interrupted edit is there, as was just observed.
  mutating func settle(_ marks: [EditMarks]) {
    for marks in marks { applied.formUnion(marks.added.keys) }
    open = []
  }
}
