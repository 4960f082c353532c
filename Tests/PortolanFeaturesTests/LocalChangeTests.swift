import Foundation
import Testing

@testable import PortolanFeatures

/// The sum of several changes of the same row.
@Suite struct LocalChangeTests {
  private func change(
    _ kind: LocalChange.Kind, of objectID: Int64 = 1, globalID: String? = nil,
    attachment: Int64? = nil, table: String = "Huts"
  ) -> RowChange {
    RowChange(
      table: table, objectID: objectID, globalID: globalID,
      attachment: attachment.map { AttachmentRow(id: $0, globalID: nil, objectID: objectID) },
      kind: kind)
  }

  private static let pairs: [(LocalChange.Kind, LocalChange.Kind, LocalChange.Kind?)] = [
    (.add, .add, .add), (.add, .update, .add), (.add, .delete, nil), (.update, .add, .update),
    (.update, .update, .update), (.update, .delete, .delete), (.delete, .add, .update),
    (.delete, .update, .update), (.delete, .delete, .delete),
  ]

  @Test(arguments: pairs)
  func `Two changes of a feature are one`(
    _ pair: (first: LocalChange.Kind, second: LocalChange.Kind, both: LocalChange.Kind?)
  ) {
    let merged = LocalChange.merged(
      [change(pair.first), change(pair.second)], orderOfTables: ["Huts"])
    #expect(merged.map(\.kind) == (pair.both.map { [$0] } ?? []))
  }

  @Test(arguments: pairs)
  func `Two changes of an attachment are one, and none of its feature`(
    _ pair: (first: LocalChange.Kind, second: LocalChange.Kind, both: LocalChange.Kind?)
  ) {
    let merged = LocalChange.merged(
      [change(pair.first, attachment: 7), change(pair.second, attachment: 7)],
      orderOfTables: ["Huts"])
    #expect(merged.flatMap(\.attachments).map(\.kind) == (pair.both.map { [$0] } ?? []))
    #expect(merged.allSatisfy { $0.kind == nil })
  }

  @Test func `Unrelated rows and attachments stay separate`() {
    let merged = LocalChange.merged(
      [
        change(.update, of: 2), change(.add, of: 1, attachment: 9),
        change(.delete, of: 1, attachment: 7), change(.delete, of: 1, table: "Notes"),
      ], orderOfTables: ["Notes", "Huts"])
    #expect(merged.map(\.table) == ["Notes", "Huts", "Huts"])
    #expect(merged.map(\.objectID) == [1, 1, 2])
    #expect(merged.map(\.kind) == [.delete, nil, .update])
    #expect(merged[1].attachments.map(\.id) == [7, 9])
    #expect(merged[1].attachments.map(\.kind) == [.delete, .add])
  }

  @Test func `A feature that was added and removed may still have lost an attachment`() {
    let merged = LocalChange.merged(
      [change(.add), change(.update, attachment: 7), change(.delete)], orderOfTables: ["Huts"])
    #expect(merged.map(\.kind) == [nil])
    #expect(merged.first?.attachments.map(\.kind) == [.update])
  }

  @Test func `The name of a table counts in any case, and a global id once it is known`() {
    let merged = LocalChange.merged(
      [change(.update, table: "HUTS"), change(.update, globalID: "{1}", table: "huts")],
      orderOfTables: ["Huts"])
    #expect(merged.count == 1)
    #expect(merged.first?.globalID == "{1}")
  }
}
