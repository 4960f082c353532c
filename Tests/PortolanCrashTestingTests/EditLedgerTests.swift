import Testing

@testable import PortolanCrashTesting

@Suite struct EditLedgerTests {
  private static func marks(
    _ added: [Int: Int], changed: Int?, unsent: Int, of table: String = "a"
  ) -> EditMarks {
    var marks = EditMarks(table: table)
    marks.added = added
    marks.changed = changed
    marks.unsent = unsent
    return marks
  }

  private func ledger() -> EditLedger {
    var ending = ChildEnding()
    ending.begunEdits = [0, 1, 2]
    ending.doneEdits = [0, 1]
    var ledger = EditLedger()
    ledger.add(ending)
    return ledger
  }

  @Test func `An edit that was begun may be there or not`() {
    #expect(ledger().faults([Self.marks([0: 1, 1: 1], changed: 1, unsent: 3)]).isEmpty)
    #expect(ledger().faults([Self.marks([0: 1, 1: 1, 2: 1], changed: 2, unsent: 4)]).isEmpty)
    #expect(ledger().next == 3)
  }

  @Test func `An edit once seen must stay`() {
    var ledger = ledger()
    ledger.settle([Self.marks([0: 1, 1: 1, 2: 1], changed: 2, unsent: 4)])
    #expect(
      ledger.faults([Self.marks([0: 1, 1: 1], changed: 1, unsent: 3)])
        == ["edits [2] of a are lost"])
  }

  @Test func `An edit that was taken back is gone, and one that was being taken back may be`() {
    var ending = ChildEnding()
    (ending.begunEdits, ending.doneEdits) = ([0, 1, 2, 3], [0, 1, 2, 3])
    (ending.begunUndos, ending.doneUndos, ending.failedUndos) = ([1, 2, 3], [3], [1])
    var ledger = EditLedger()
    ledger.add(ending)
    #expect(ledger.faults([Self.marks([0: 1, 1: 1], changed: 1, unsent: 3)]).isEmpty)
    #expect(ledger.faults([Self.marks([0: 1, 1: 1, 2: 1], changed: 2, unsent: 4)]).isEmpty)
    #expect(
      ledger.faults([Self.marks([0: 1, 1: 1, 2: 1, 3: 1], changed: 3, unsent: 5)])
        == ["edits [3] of a were never made"])
    #expect(
      ledger.faults([Self.marks([0: 1], changed: 0, unsent: 2)]) == ["edits [1] of a are lost"])
  }

  @Test func `An edit that is reported twice was lost in between`() {
    var ledger = ledger()
    var ending = ChildEnding()
    ending.doneEdits = [1]
    ledger.add(ending)
    #expect(
      ledger.faults([Self.marks([0: 1, 1: 1], changed: 1, unsent: 3)])
        == ["edits [1] were lost and made again"])
  }

  @Test(arguments: [
    ([0: 1, 1: 2], 1, 3, "a has edit 1 2 times"),
    ([0: 1, 1: 1], 0, 3, "a has half an edit: the last added is 1, the last changed 0"),
    ([0: 1], 0, 2, "edits [1] of a are lost"),
    ([0: 1, 1: 1, 7: 1], 7, 4, "edits [7] of a were never made"),
    ([0: 1, 1: 1], 1, 2, "2 changes of a count as not sent, not 3"),
  ])
  func `Every difference is reported`(
    _ added: [Int: Int], _ changed: Int, _ unsent: Int, _ fault: String
  ) {
    #expect(
      ledger().faults([Self.marks(added, changed: changed, unsent: unsent)]).contains(fault))
  }

  @Test func `A group that is in one table only is half an edit`() {
    let whole = Self.marks([0: 1, 1: 1], changed: 1, unsent: 3)
    let half = Self.marks([0: 1, 1: 1, 2: 1], changed: 2, unsent: 4, of: "b")
    #expect(
      ledger().faults([whole, half]) == ["half an edit: tables have different ones"])
  }
}
