internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import Testing

extension EditingContract {
  private static let place = EditPlace(table: "Huts", objectID: 4)

  private static func type(
    _ field: String, _ type: FieldType, _ value: AttributeValue
  ) -> FeatureEditError {
    .wrongType(field: field, expected: type, found: value, place)
  }

  /// Values that the table of huts must not take, with what is to be said.
  private static let wrongValues: [(String, AttributeValue, FeatureEditError)] = [
    ("HEIGHT", .integer(1), .unknownField(name: "HEIGHT", place)),
    ("NAME", .integer(1), type("NAME", .string, .integer(1))),
    ("AREA", .text("1"), type("AREA", .double, .text("1"))),
    ("BEDS", .double(1.5), type("BEDS", .smallInteger, .double(1.5))),
    ("BUILT", .text("2020"), type("BUILT", .date, .text("2020"))),
    ("OWNER", .text("me"), type("OWNER", .guid, .text("me"))),
    ("SEAL", .text("me"), type("SEAL", .blob, .text("me"))),
    (
      "BEDS", .integer(70_000),
      .outOfRange(field: "BEDS", type: .smallInteger, found: .integer(70_000), place)
    ),
    (
      "AREA", .double(.infinity),
      .outOfRange(field: "AREA", type: .double, found: .double(.infinity), place)
    ),
    (
      "NAME", .text("thirteen long"),
      .textTooLong(field: "NAME", length: 13, limit: 12, place)
    ),
    ("NAME", .null, .nullNotAllowed(field: "NAME", place)),
    (
      "BEDS", .integer(41),
      .valueNotInDomain(field: "BEDS", value: .integer(41), domain: EditingTables.beds, place)
    ),
    (
      "KIND", .integer(3),
      .unknownSubtype(
        field: "KIND", value: .integer(3), available: EditingTables.huts.schema.types, place)
    ),
    (
      "KIND", .integer(1),
      .valueNotInDomain(field: "BEDS", value: .integer(30), domain: EditingTables.fewBeds, place)
    ),
    ("OBJECTID", .integer(5), .readOnlyField(name: "OBJECTID", .objectID, place)),
    ("globalid", .text("x"), .readOnlyField(name: "GlobalID", .globalID, place)),
    ("edited_by", .text("x"), .readOnlyField(name: "edited_by", .editorTracking, place)),
    ("FIXED", .text("x"), .readOnlyField(name: "FIXED", .notEditable, place)),
  ]

  static let refusingValues = [
    EditingContract("A wrong value is refused by name, and nothing changes") {
      store async throws in
      let before = try await store.contents()
      for (field, value, error) in wrongValues {
        await expectError(
          store, [.update(4, table: "Huts", attributes: [field: value])], error)
      }
      #expect(try await store.contents() == before)
    },
    EditingContract("A new feature needs the values that must be there") { store async throws in
      await expectError(
        store, [.add(NewFeature(), table: "Huts")],
        .nullNotAllowed(field: "NAME", EditPlace(table: "Huts")))
      await expectError(
        store,
        [
          .add(
            NewFeature(attributes: ["NAME": .text("x"), "BEDS": .integer(5)]), table: "Huts")
        ],
        .valueNotInDomain(
          field: "BEDS", value: .integer(5), domain: EditingTables.fewBeds,
          EditPlace(table: "Huts")))
      await expectError(
        store, [.add(NewFeature(attributes: ["NAME": .text("x"), "Name": .null]), table: "Huts")],
        .duplicateField(name: "NAME", EditPlace(table: "Huts")))
    },
    EditingContract("Tables, rows and edits that are not there are refused") {
      store async throws in
      await #expect {
        try await store.apply(.delete(1, table: "Hut"))
      } throws: {
        if case .noSuchTable("Hut", _)? = $0 as? FeatureEditError { true } else { false }
      }
      await expectError(
        store, [.delete(1, table: "Huts")],
        .noSuchRow(objectID: 1, EditPlace(table: "Huts", objectID: 1)))
      await expectError(
        store, [.delete(.added(by: 0), table: "Huts")],
        .noSuchEdit(number: 0, EditPlace(table: "Huts")))
      await expectError(
        store, [.delete(4, table: "Huts"), .delete(4, table: "Huts")],
        .noSuchRow(objectID: 4, EditPlace(edit: 1, table: "Huts", objectID: 4)))
    },
    EditingContract("A task that was cancelled edits nothing") { store async throws in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await store.apply(.delete(4, table: "Huts"))
      }
      await #expect(throws: FeatureEditError.cancelled) { try await task.value }
      #expect(try await store.ids(in: "Huts") == [3, 4, 9])
    },
  ]

  private static func ring(_ corners: (Double, Double)...) -> Path {
    Path(corners.map { Coordinate(x: $0.0, y: $0.1) })
  }

  private static let parcel = EditPlace(table: "Parcels", objectID: 1)

  /// Shapes that a table must not take, with what is to be said.
  private static let wrongShapes: [(String, Geometry, FeatureEditError)] = [
    (
      "Huts", .polyline(Polyline(paths: [ring((0, 0), (1, 1))])),
      .wrongGeometryType(expected: .point, found: .polyline, place)
    ),
    ("Huts", .point(Point(x: 1, y: 1)), .missingHeights(place)),
    ("Huts", .point(Point(x: 1, y: 1, z: 0, m: 1)), .surplusOrdinates(.m, place)),
    ("Huts", .point(Point(x: 1, y: .nan, z: 0)), .notFinite(.y, place)),
    (
      "Parcels", .polygon(Polygon(rings: [ring((0, 0), (1, 1), (1, 0), (0, 1))])),
      .ringsCross(parcel)
    ),
    (
      "Parcels",
      .polygon(
        Polygon(rings: [
          ring((0, 0), (4, 0), (4, 4), (0, 4)), ring((2, 2), (6, 2), (6, 6), (2, 6)),
        ])), .ringsCross(parcel)
    ),
    (
      "Parcels", .polygon(Polygon(rings: [ring((0, 0), (1, 1))])),
      .incompleteGeometry(reason: "a ring needs 3 vertices", parcel)
    ),
    (
      "Parcels", .polygon(Polygon(rings: [])),
      .incompleteGeometry(reason: "it has no vertices", parcel)
    ),
  ]

  static let refusingShapes = [
    EditingContract("A wrong shape is refused by name, and nothing changes") {
      store async throws in
      let before = try await store.contents()
      for (table, shape, error) in wrongShapes {
        let id: FeatureReference = table == "Huts" ? 4 : 1
        await expectError(
          store, [.update(id, table: table, attributes: [:], geometry: .set(shape))], error)
      }
      await expectError(
        store,
        [.update(1, table: "Notes", attributes: [:], geometry: .set(.point(Point(x: 1, y: 1))))],
        .geometryNotAllowed(EditPlace(table: "Notes", objectID: 1)))
      #expect(try await store.contents() == before)
    },
    EditingContract("A box is taken for an area, and an open ring is closed") {
      store async throws in
      let box = Envelope(xMin: 0, yMin: 0, xMax: 2, yMax: 2)
      try await store.apply(
        .update(1, table: "Parcels", attributes: [:], geometry: .set(.envelope(box))))
      #expect(try await store.feature(1, in: "Parcels")?.geometry == .polygon(box.polygon))
    },
  ]
}
