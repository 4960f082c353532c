import PortolanFeatures
import Testing

@testable import PortolanApp

/// In which order edits are taken back, and which of them no longer can be.
@Suite struct UndoableEditsTests {
  private let one = InMemoryFeatureStore([])
  private let other = InMemoryFeatureStore([])

  private func edits(in stores: [InMemoryFeatureStore]) -> UndoableEdits {
    var edits = UndoableEdits()
    for store in stores { edits.add(.init(number: edits.makeNumber(), store: store)) }
    return edits
  }

  @Test func `An edit that could not be taken back returns to its place`() {
    var edits = edits(in: [one, other, one])
    let last = edits.popLast()
    let before = edits.popLast()
    for edit in [last, before].compactMap(\.self) { edits.add(edit) }
    #expect(edits.nextNumber == 3 && edits.count == 3)
    #expect(edits.makeNumber() == 4)
  }

  @Test func `Edits that were made or undone while a store was asked stay as they are`() {
    var edits = edits(in: [one, one, other])
    let known = edits.numbers(of: one)
    // Made after the store has counted two.
    edits.add(.init(number: edits.makeNumber(), store: one))
    edits.keepLast(2, among: known)
    #expect(edits.count == 4)
    // Undone before it has counted one.
    _ = edits.popLast()
    _ = edits.popLast()
    let asked = edits.numbers(of: one)
    _ = edits.popLast()
    edits.keepLast(1, among: asked)
    #expect(edits.count == 1 && edits.nextNumber == 1)
    edits.keepLast(0, among: asked)
    #expect(edits.count == 0 && edits.nextNumber == nil)
  }
}
