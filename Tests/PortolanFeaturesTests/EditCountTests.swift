import PortolanFeatures
import Testing

@Suite struct EditCountTests {
  private func change(
    _ kind: LocalChange.Kind?, attachments: Int = 0
  ) -> LocalChange {
    LocalChange(
      table: "Huts", objectID: 1, kind: kind,
      attachments: (0..<attachments).map {
        LocalChange.AttachmentChange(id: Int64($0), kind: .add)
      })
  }

  @Test func `Attachments are counted beside features, but for those that went with theirs`() {
    let changes = [
      change(.add, attachments: 1), change(.update), change(.delete, attachments: 4),
      change(nil, attachments: 2),
    ]
    #expect(EditCount(of: changes) == EditCount(features: 3, attachments: 3))
    #expect(EditCount(of: []) == EditCount())
  }

  @Test(arguments: [
    (0, 0, "0 edits"), (1, 0, "1 edit"), (3, 2, "3 edits, 2 attachments"),
    (0, 1, "1 attachment"), (1, 1, "1 edit, 1 attachment"),
  ])
  func `It is told without what is not there`(
    _ features: Int, _ attachments: Int, _ text: String
  ) {
    #expect(EditCount(features: features, attachments: attachments).text == text)
  }
}
