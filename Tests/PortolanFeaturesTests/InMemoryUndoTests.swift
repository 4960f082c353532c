import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import Testing

/// The knowledge of a store in memory about edits that can no longer be undone, or were.
@Suite struct InMemoryUndoTests {
  private func store(undoLimit: Int = 100) -> InMemoryFeatureStore {
    InMemoryFeatureStore(
      EditingTables.all, user: EditingTables.user, undoLimit: undoLimit,
      now: { EditingTables.moment })
  }

  private static let new = FeatureEdit.add(
    NewFeature(attributes: ["TEXT": .text("new")]), table: "Notes")

  @Test(arguments: [0, 1, 2])
  func `Edits that can no longer be undone are still listed`(limit: Int) async throws {
    let store = store(undoLimit: limit)
    for id in [3, 4, 9] as [Int64] {
      _ = try await store.apply([
        .update(.objectID(id), table: "Huts", attributes: ["AREA": .double(1)])
      ])
    }
    #expect(await store.undoCount() == limit)
    #expect(try await store.localChanges().changes.map(\.objectID) == [3, 4, 9])
    for _ in 0..<limit { _ = try await store.undo() }
    await #expect(throws: FeatureEditError.nothingToUndo) { try await store.undo() }
    #expect(
      try await store.localChanges().changes.map(\.objectID) == Array([3, 4, 9].dropLast(limit)))
  }

  @Test func `An id that was given is not given again after an undo`() async throws {
    let store = store()
    let first = try await store.apply([Self.new]).map(\.objectID)
    _ = try await store.undo()
    #expect(try await store.apply([Self.new]).map(\.objectID) == first.map { $0 + 1 })
    let file = NewAttachment(name: "a", contentType: "t", data: Data([1]))
    let edit = FeatureEdit.addAttachment(file, to: 3, table: "Huts")
    let attached = try await store.apply([edit]).compactMap(\.attachmentID)
    _ = try await store.undo()
    #expect(try await store.apply([edit]).compactMap(\.attachmentID) == attached.map { $0 + 1 })
  }

  @Test func `A feature is not added to a parent where it is not clear through which relation`()
    async throws
  {
    let fields = [
      Field("OBJECTID", .objectID, isNullable: false, isEditable: false), Field("A", .integer),
      Field("B", .integer),
    ]
    func relation(_ id: Int, _ key: String) -> RelationshipInfo {
      RelationshipInfo(
        id: id, name: key, relatedTable: "Wholes", cardinality: .oneToMany, role: .destination,
        keyField: key, relatedKeyField: "A")
    }
    let store = InMemoryFeatureStore([
      FeatureTableContents(
        schema: FeatureTableSchema(name: "Wholes", fields: fields),
        features: [
          Feature(
            objectID: 1, attributes: Attributes(FieldList(fields), [.integer(1), .integer(7)]))
        ]),
      FeatureTableContents(
        schema: FeatureTableSchema(
          name: "Parts", fields: fields, relationships: [relation(1, "A"), relation(2, "B")]),
        features: []),
    ])
    await #expect(
      throws: FeatureEditError.cannotRelate(
        to: "Wholes", reason: "several relations lead there", EditPlace(table: "Parts"))
    ) {
      try await store.apply([
        .add(NewFeature(parent: .init(1, table: "Wholes")), table: "Parts")
      ])
    }
    _ = try await store.apply([
      .add(NewFeature(parent: .init(1, table: "Wholes", relationshipID: 2)), table: "Parts")
    ])
    let part = try await store.features(in: "Parts", matching: .init()).collect().first
    #expect(part?.attributes["B"] == .integer(7) && part?.attributes["A"] == .null)
  }

  /// Two tables each of which is a part of the other.
  private func circle() -> InMemoryFeatureStore {
    func table(_ name: String, _ other: String) -> FeatureTableContents {
      let fields = [
        Field("OBJECTID", .objectID, isNullable: false, isEditable: false), Field("ID", .integer),
        Field("WHOLE", .integer),
      ]
      func relation(_ id: Int, _ role: RelationshipInfo.Role) -> RelationshipInfo {
        RelationshipInfo(
          id: id, name: "R\(id)", relatedTable: other, cardinality: .oneToMany, role: role,
          keyField: role == .origin ? "ID" : "WHOLE",
          relatedKeyField: role == .origin ? "WHOLE" : "ID", isComposite: true)
      }
      let schema = FeatureTableSchema(
        name: name, fields: fields,
        relationships: [relation(1, .origin), relation(2, .destination)])
      let row = Feature(
        objectID: 1,
        attributes: Attributes(FieldList(fields), [.integer(1), .integer(1), .integer(1)]))
      return FeatureTableContents(schema: schema, features: [row])
    }
    return InMemoryFeatureStore([table("A", "B"), table("B", "A")])
  }

  @Test(.timeLimit(.minutes(5)))
  func `Features that are parts of each other go together, each once`() async throws {
    let store = circle()
    _ = try await store.apply([.delete(1, table: "A")])
    #expect(try await store.count(in: "A", matching: .init()) == 0)
    #expect(try await store.count(in: "B", matching: .init()) == 0)
    #expect(try await store.localChanges().changes.map(\.kind) == [.delete, .delete])
    _ = try await store.undo()
    #expect(try await store.count(in: "B", matching: .init()) == 1)
  }

  @Test func `A feature that is a part of itself is removed once, and comes back`() async throws {
    let fields = [
      Field("OBJECTID", .objectID, isNullable: false, isEditable: false), Field("A", .integer),
      Field("B", .integer),
    ]
    let schema = FeatureTableSchema(
      name: "Parts", fields: fields,
      relationships: [
        RelationshipInfo(
          id: 1, name: "Parts", relatedTable: "Parts", cardinality: .oneToMany, role: .origin,
          keyField: "A", relatedKeyField: "B", isComposite: true)
      ])
    let rows = [(1, 7, 7), (2, 8, 7), (3, 7, 8)] as [(Int64, Int64, Int64)]
    let store = InMemoryFeatureStore([
      FeatureTableContents(
        schema: schema,
        features: rows.map { id, own, whole in
          Feature(
            objectID: id,
            attributes: Attributes(
              FieldList(fields), [.integer(id), .integer(own), .integer(whole)]))
        })
    ])
    _ = try await store.apply([.delete(1, table: "Parts")])
    #expect(try await store.count(in: "Parts", matching: .init()) == 0)
    #expect(try await store.undo().map(\.objectID).sorted() == [1, 2, 3])
    #expect(try await store.count(in: "Parts", matching: .init()) == 3)
  }
}
