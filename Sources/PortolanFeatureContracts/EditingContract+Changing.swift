internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import Testing

extension EditingContract {
  static let changing = [
    EditingContract("A feature is added with defaults, ids and who added it") {
      store async throws in
      let shape = Geometry.point(Point(x: 1.5, y: 2, z: 3))
      let result = try #require(
        try await store.apply([
          .add(
            NewFeature(attributes: ["name": .text("Dom"), "AREA": .integer(7)], geometry: shape),
            table: "HUTS")
        ]).first)
      #expect(result.table == "Huts")
      #expect(result.objectID == 10)
      let hut = try #require(try await store.feature(10, in: "Huts"))
      #expect(hut.geometry == shape)
      #expect(hut.attributes["NAME"] == .text("Dom"))
      #expect(hut.attributes["KIND"] == .integer(1))
      #expect(hut.attributes["AREA"] == .double(7))
      #expect(hut.attributes["BEDS"] == .null)
      #expect(hut.attributes["created_by"] == .text(EditingTables.user))
      #expect(hut.attributes["created_at"] == .date(EditingTables.moment))
      #expect(hut.attributes["edited_by"] == .text(EditingTables.user))
      let globalID = try #require(result.globalID)
      #expect(hut.attributes["GlobalID"] == .text(globalID))
      #expect(globalID.count == 38)
    },
    EditingContract("Only what is named changes") { store async throws in
      let before = try #require(try await store.feature(4, in: "Huts"))
      let results = try await store.apply([
        .update(4, table: "Huts", attributes: ["beds": .integer(2), "SHARE": .double(0.1)])
      ])
      #expect(results.map(\.objectID) == [4])
      #expect(results.first?.globalID == EditingTables.hutID(4))
      let after = try #require(try await store.feature(4, in: "Huts"))
      var expected = before
      expected.attributes["BEDS"] = .integer(2)
      expected.attributes["SHARE"] = .double(Double(Float(0.1)))
      expected.attributes["edited_by"] = .text(EditingTables.user)
      expected.attributes["edited_at"] = .date(EditingTables.moment)
      #expect(after == expected)
      #expect(try await store.count(in: "Huts", matching: QueryParameters()) == 3)
    },
    EditingContract("A shape is changed, found where it is, and removed") { store async throws in
      let shape = Geometry.point(Point(x: -20, y: -10.5, z: 0))
      try await store.apply(.update(4, table: "Huts", attributes: [:], geometry: .set(shape)))
      #expect(try await store.feature(4, in: "Huts")?.geometry == shape)
      let there = QueryParameters(extent: Envelope(xMin: -21, yMin: -11, xMax: -19, yMax: -10))
      #expect(try await store.ids(in: "Huts", there) == [4])
      let old = QueryParameters(extent: Envelope(xMin: 1.9, yMin: 44, xMax: 2.1, yMax: 46))
      #expect(try await store.ids(in: "Huts", old) == [])
      try await store.apply(.update(4, table: "Huts", attributes: [:], geometry: .remove))
      #expect(try await store.feature(4, in: "Huts")?.geometry == nil)
      #expect(try await store.ids(in: "Huts", there) == [])
    },
    EditingContract("Values of every kind come back as they went in") { store async throws in
      let values: [String: AttributeValue] = [
        "NAME": .text("Ö'\"…"), "KIND": .integer(2), "BEDS": .integer(40), "AREA": .double(-1e300),
        "SHARE": .double(-0.25), "BUILT": .date(Date(timeIntervalSince1970: -1_000_000.125)),
        "SEAL": .blob(Data([0, 255, 0])), "OWNER": .text(EditingTables.hutID(1)),
      ]
      try await store.apply(.update(3, table: "Huts", attributes: values))
      let hut = try #require(try await store.feature(3, in: "Huts"))
      for (name, value) in values { #expect(hut.attributes[name] == value) }
      let nothing = values.filter { $0.key != "NAME" && $0.key != "KIND" }.mapValues { _ in
        AttributeValue.null
      }
      try await store.apply(.update(3, table: "Huts", attributes: nothing))
      let empty = try #require(try await store.feature(3, in: "Huts"))
      for name in nothing.keys { #expect(empty.attributes[name] == .null) }
    },
    EditingContract("A group is applied as a whole") { store async throws in
      let results = try await store.apply([
        .add(NewFeature(attributes: ["NAME": .text("New")]), table: "Huts"),
        .update(.added(by: 0), table: "Huts", attributes: ["BEDS": .integer(3)]),
        .delete(9, table: "Huts"),
        .update(1, table: "Parcels", attributes: ["NO": .integer(8)]),
      ])
      #expect(results.map(\.objectID) == [10, 10, 9, 1])
      #expect(try await store.ids(in: "Huts") == [3, 4, 10])
      #expect(try await store.feature(10, in: "Huts")?.attributes["BEDS"] == .integer(3))
      #expect(try await store.feature(1, in: "Parcels")?.attributes["NO"] == .integer(8))
    },
    EditingContract("A group with one wrong edit changes nothing") { store async throws in
      let before = try await store.contents()
      await expectError(
        store,
        [
          .add(NewFeature(attributes: ["NAME": .text("New")]), table: "Huts"),
          .delete(3, table: "Huts"), .update(99, table: "Huts", attributes: ["AREA": .double(1)]),
        ], .noSuchRow(objectID: 99, EditPlace(edit: 2, table: "Huts", objectID: 99)))
      #expect(try await store.contents() == before)
      #expect(try await store.localChanges().changes.isEmpty)
      #expect(await store.undoCount() == 0)
    },
    EditingContract("A sequence that was begun ends with the features as they were") {
      store async throws in
      var iterator = store.features(in: "Huts", matching: QueryParameters()).makeAsyncIterator()
      let first = try await iterator.next()
      #expect(first?.objectID == 3)
      try await store.apply(
        .delete(4, table: "Huts"), .update(9, table: "Huts", attributes: ["NAME": .text("x")]))
      #expect(try await iterator.next()?.attributes["NAME"] == .text("Berg"))
      #expect(try await iterator.next()?.attributes["NAME"] == .text("Col"))
      #expect(try await iterator.next() == nil)
    },
  ]

  /// Expects edits to be refused with an error.
  static func expectError(
    _ store: any EditableFeatureStore, _ edits: [FeatureEdit], _ error: FeatureEditError,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await #expect(throws: error, sourceLocation: sourceLocation) { try await store.apply(edits) }
  }
}

extension EditableFeatureStore {
  /// Applies a group whose results do not matter.
  func apply(_ edits: FeatureEdit...) async throws(FeatureEditError) {
    _ = try await apply(edits)
  }
}
