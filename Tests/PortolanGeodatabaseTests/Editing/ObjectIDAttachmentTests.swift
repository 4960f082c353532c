import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanTestSupport
import Testing

/// Attachments of tables without global ids, which belong to an object id.
@Suite(.temporaryDirectory) struct ObjectIDAttachmentTests {
  private var url: URL { temporaryDirectory.appending(path: "file.geodatabase") }

  private static let fields = [
    Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
    Field("NAME", .string, length: 40),
  ]

  /// Two sheds, the first of which has a file.
  private func store(isChangeTracked: Bool) throws -> EditableGeodatabase {
    let contents = FeatureTableContents(
      schema: FeatureTableSchema(name: "Sheds", fields: Self.fields, hasAttachments: true),
      features: [1, 2].map { id in
        Feature(
          objectID: id,
          attributes: Attributes(FieldList(Self.fields), [.integer(id), .text("old")]))
      },
      attachedFiles: [
        .init(objectID: 1, name: "a", contentType: "t", data: Data([1]))
      ])
    try ContractGeodatabase.write([contents], isChangeTracked: isChangeTracked, to: url)
    return try ContractGeodatabase.edited(url)
  }

  private func file(_ name: String) -> NewAttachment {
    NewAttachment(name: name, contentType: "t", data: Data(name.utf8))
  }

  private func names(_ store: EditableGeodatabase) async throws -> [[String]] {
    var names: [[String]] = []
    for id in 1...2 as ClosedRange<Int64> {
      names.append(try await store.attachments(of: id, in: "Sheds").map(\.name))
    }
    return names
  }

  @Test(arguments: [false, true])
  func `Files are attached, replaced, listed as changes, and go with their feature`(
    isChangeTracked: Bool
  ) async throws {
    let store = try store(isChangeTracked: isChangeTracked)
    #expect(try await names(store) == [["a"], []])
    let added = try await store.apply([.addAttachment(file("b"), to: 2, table: "Sheds")])
    #expect(added.map(\.attachmentID) == [2])
    _ = try await store.apply([.updateAttachment(1, file("c"), table: "Sheds")])
    _ = try await store.apply([.update(1, table: "Sheds", attributes: ["NAME": .text("new")])])
    #expect(try await names(store) == [["c"], ["b"]])
    #expect(try await store.data(of: 1, in: "Sheds") == Data("c".utf8))
    let second = LocalChange(
      table: "Sheds", objectID: 2, kind: nil, attachments: [.init(id: 2, kind: .add)])
    let changed = LocalChange(
      table: "Sheds", objectID: 1, kind: .update, attachments: [.init(id: 1, kind: .update)])
    #expect(try await store.localChanges().changes == [changed, second])
    _ = try await store.apply([.delete(1, table: "Sheds")])
    #expect(try await names(store) == [[], ["b"]])
    let removed = LocalChange(
      table: "Sheds", objectID: 1, kind: .delete, attachments: [.init(id: 1, kind: .delete)])
    #expect(try await store.localChanges().changes == [removed, second])
    for _ in 1...4 { _ = try await store.undo() }
    #expect(try await names(store) == [["a"], []])
    #expect(try await store.data(of: 1, in: "Sheds") == Data([1]))
    #expect(try await store.localChanges().changes.isEmpty)
    await store.close()
  }
}
