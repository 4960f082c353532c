internal import Foundation
internal import PortolanFeatures
internal import Testing

extension EditingContract {
  static let relating = [
    EditingContract("A row is added to its parent") { store async throws in
      let results = try await store.apply([
        .add(NewFeature(attributes: ["NAME": .text("New")]), table: "Huts"),
        .add(
          NewFeature(
            attributes: ["TEXT": .text("first")], parent: .init(.added(by: 0), table: "Huts")),
          table: "Visits"),
        .add(NewFeature(parent: .init(4, table: "huts", relationshipID: 2)), table: "Notes"),
      ])
      let visit = try #require(try await store.feature(results[1].objectID, in: "Visits"))
      #expect(visit.attributes["HUT"] == results[0].globalID.map { .text($0) })
      let relation = try #require(EditingTables.huts.schema.relationships.first)
      let found = try await store.relatedFeatures(
        to: results[0].objectID, in: "Huts", through: relation)
      #expect(found.map(\.objectID) == [4])
      let note = try #require(try await store.feature(results[2].objectID, in: "Notes"))
      #expect(note.attributes["HUT"] == .text(EditingTables.hutID(4)))
    },
    EditingContract("Deleting an origin deletes its parts, and frees what only mentions it") {
      store async throws in
      try await store.apply(.delete(3, table: "Huts"))
      #expect(try await store.ids(in: "Huts") == [4, 9])
      #expect(try await store.ids(in: "Visits") == [3])
      #expect(try await store.ids(in: "Notes") == [1, 2])
      #expect(try await store.feature(1, in: "Notes")?.attributes["HUT"] == .null)
      let changes = try await store.localChanges().changes
      let expected = [
        LocalChange(
          table: "Huts", objectID: 3, globalID: EditingTables.hutID(3), kind: .delete,
          attachments: changes.first?.attachments ?? []),
        LocalChange(table: "Visits", objectID: 1, kind: .delete),
        LocalChange(table: "Visits", objectID: 2, kind: .delete),
        LocalChange(table: "Notes", objectID: 1, kind: .update),
      ]
      #expect(changes == expected)
      #expect(changes.first?.attachments.map(\.kind) == [.delete])
    },
    EditingContract("A parent that is not there, or has no relation, is refused") {
      store async throws in
      await expectError(
        store, [.add(NewFeature(parent: .init(99, table: "Huts")), table: "Visits")],
        .noSuchRow(objectID: 99, EditPlace(table: "Huts", objectID: 99)))
      await expectError(
        store, [.add(NewFeature(parent: .init(1, table: "Parcels")), table: "Visits")],
        .cannotRelate(
          to: "Parcels", reason: "no relation leads there", EditPlace(table: "Visits")))
      await expectError(
        store,
        [.add(NewFeature(parent: .init(1, table: "Visits", relationshipID: 1)), table: "Huts")],
        .cannotRelate(
          to: "Visits", reason: "the key is not in its own table", EditPlace(table: "Huts")))
    },
  ]

  static let attaching = [
    EditingContract("Files are attached, replaced and removed") { store async throws in
      let file = NewAttachment(name: "n.png", contentType: "image/png", data: Data([9, 0, 9]))
      let results = try await store.apply([
        .add(NewFeature(attributes: ["NAME": .text("New")]), table: "Huts"),
        .addAttachment(file, to: .added(by: 0), table: "Huts"),
      ])
      let id = try #require(results[1].attachmentID)
      let hut = results[1].objectID
      let expected = Attachment(id: id, name: "n.png", contentType: "image/png", size: 3)
      #expect(try await store.attachments(of: hut, in: "Huts") == [expected])
      #expect(try await store.data(of: id, in: "Huts") == file.data)
      let other = NewAttachment(name: "m.txt", contentType: "text/plain", data: Data())
      try await store.apply(.updateAttachment(id, other, table: "Huts"))
      #expect(try await store.attachments(of: hut, in: "Huts").map(\.name) == ["m.txt"])
      #expect(try await store.attachments(of: hut, in: "Huts").map(\.size) == [0])
      #expect(try await store.data(of: id, in: "Huts") == Data())
      try await store.apply(.deleteAttachment(id, table: "Huts"))
      #expect(try await store.attachments(of: hut, in: "Huts").isEmpty)
      #expect(try await store.attachments(of: 3, in: "Huts").count == 1)
    },
    EditingContract("Attachments go with their feature") { store async throws in
      let id = try #require(try await store.attachments(of: 3, in: "Huts").first?.id)
      try await store.apply(.delete(3, table: "Huts"))
      await expectError(
        store, [.deleteAttachment(id, table: "Huts")],
        .noSuchAttachment(id: id, EditPlace(table: "Huts")))
      #expect(try await store.attachments(of: 4, in: "Huts").count == 1)
    },
    EditingContract("A table without attachments takes none") { store async throws in
      let file = NewAttachment(name: "n", contentType: "t", data: Data([1]))
      await expectError(
        store, [.addAttachment(file, to: 1, table: "Parcels")],
        .noAttachments(EditPlace(table: "Parcels", objectID: 1)))
      let long = NewAttachment(
        name: String(repeating: "x", count: 251), contentType: "t", data: Data([1]))
      await expectError(
        store, [.addAttachment(long, to: 4, table: "Huts")],
        .textTooLong(
          field: "ATT_NAME", length: 251, limit: 250, EditPlace(table: "Huts", objectID: 4)))
    },
  ]

  static let undoing = [
    EditingContract("Groups are undone one after the other") { store async throws in
      let start = try await store.contents()
      try await store.apply(
        .update(3, table: "Huts", attributes: ["NAME": .text("One")]),
        .add(NewFeature(attributes: ["NAME": .text("Two")]), table: "Huts"))
      let middle = try await store.contents()
      try await store.apply(
        .delete(3, table: "Huts"),
        .update(4, table: "Huts", attributes: [:], geometry: .remove))
      #expect(await store.undoCount() == 2)
      let undone = try await store.undo()
      #expect(undone.filter { $0.table == "Huts" }.map(\.kind) == [.delete, .update])
      #expect(try await store.contents() == middle)
      #expect(try await store.attachments(of: 3, in: "Huts").map(\.name) == ["a.jpg"])
      _ = try await store.undo()
      #expect(try await store.contents() == start)
      #expect(await store.undoCount() == 0)
      await #expect(throws: FeatureEditError.nothingToUndo) { try await store.undo() }
      #expect(try await store.localChanges().changes.isEmpty)
    },
    EditingContract("A feature that a group changes more than once comes back as it was before") {
      store async throws in
      let start = try await store.contents()
      try await store.apply(
        .update(3, table: "Huts", attributes: ["NAME": .text("One")]),
        .update(3, table: "Huts", attributes: ["NAME": .text("Two"), "AREA": .double(5)]),
        .update(4, table: "Huts", attributes: ["NAME": .text("Three")]), .delete(4, table: "Huts"))
      #expect(try await store.feature(3, in: "Huts")?.attributes["NAME"] == .text("Two"))
      #expect(try await store.feature(4, in: "Huts") == nil)
      _ = try await store.undo()
      #expect(try await store.contents() == start)
      #expect(try await store.localChanges().changes.isEmpty)
    },
    EditingContract("An id is not given out twice") { store async throws in
      let new = FeatureEdit.add(NewFeature(attributes: ["NAME": .text("N")]), table: "Huts")
      #expect(try await store.apply([new]).map(\.objectID) == [10])
      _ = try await store.undo()
      #expect(try await store.apply([new]).map(\.objectID) == [11])
      try await store.apply(.delete(11, table: "Huts"))
      #expect(try await store.apply([new]).map(\.objectID) == [12])
    },
    EditingContract("Local changes say what remains of the edits") { store async throws in
      try await store.apply(
        .add(NewFeature(attributes: ["NAME": .text("New")]), table: "Huts"),
        .add(NewFeature(attributes: ["NAME": .text("Gone")]), table: "Huts"))
      try await store.apply(
        .update(10, table: "Huts", attributes: ["AREA": .double(2)]),
        .update(4, table: "Huts", attributes: ["AREA": .double(3)]))
      let file = NewAttachment(name: "n", contentType: "t", data: Data([1]))
      try await store.apply(
        .delete(11, table: "Huts"), .delete(9, table: "Huts"),
        .addAttachment(file, to: 3, table: "Huts"))
      let changes = try await store.localChanges().changes.filter { $0.table == "Huts" }
      #expect(changes.map(\.objectID) == [3, 4, 9, 10])
      #expect(changes.map(\.kind) == [nil, .update, .delete, .add])
      #expect(changes[0].attachments.map(\.kind) == [.add])
      #expect(changes[1].globalID == EditingTables.hutID(4))
      #expect(changes[3].globalID?.count == 38)
    },
  ]
}
