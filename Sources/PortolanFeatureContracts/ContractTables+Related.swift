internal import PortolanFeatures
internal import PortolanGeometry

extension ContractTables {
  // MARK: Parks: areas, one to many towns, many to many rangers

  static let parkFields = [Field("FID", .objectID, isNullable: false), Field("PARKNO", .integer)]

  static let parks = FeatureTableContents(
    schema: FeatureTableSchema(
      name: "Parks", geometryType: .polygon, spatialReference: .wgs84, fields: parkFields,
      objectIDField: "FID",
      relationships: [
        RelationshipInfo(
          id: 1, name: "TownsOfPark", relatedTable: "Towns", cardinality: .oneToMany,
          role: .origin, keyField: "PARKNO", relatedKeyField: "PARK"),
        guarding(.origin),
      ], serviceLayerID: 1),
    features: [
      park(1, 10, Envelope(xMin: -70, yMin: 43, xMax: -69, yMax: 44.5)),
      park(2, 11, Envelope(xMin: -68.5, yMin: 44, xMax: -68, yMax: 45)),
      park(3, nil, nil),
    ])

  private static func park(_ id: Int64, _ number: Int64?, _ box: Envelope?) -> Feature {
    Feature(
      objectID: id,
      attributes: Attributes(
        FieldList(parkFields), [.integer(id), number.map { .integer($0) } ?? .null]),
      geometry: box.map { .polygon($0.polygon) })
  }

  // MARK: Rangers: no shapes, a text for a key

  static let rangerFields = [
    Field("OBJECTID", .objectID, isNullable: false), Field("BADGE", .string, length: 8),
  ]

  static let rangers = FeatureTableContents(
    schema: FeatureTableSchema(
      name: "Rangers", fields: rangerFields, relationships: [guarding(.destination)],
      serviceLayerID: 2),
    features: [("a-1", 1), ("b-2", 2), ("c-3", 3)].map { badge, id in
      Feature(
        objectID: id,
        attributes: Attributes(FieldList(rangerFields), [.integer(id), .text(badge)]))
    })

  // MARK: Guards: which ranger guards which park

  private static func guarding(_ role: RelationshipInfo.Role) -> RelationshipInfo {
    let isOrigin = role == .origin
    return RelationshipInfo(
      id: 2, name: "Guarding", relatedTable: isOrigin ? "Rangers" : "Parks",
      cardinality: .manyToMany, role: role, keyField: isOrigin ? "PARKNO" : "BADGE",
      relatedKeyField: isOrigin ? "BADGE" : "PARKNO",
      joinTable: .init(
        name: "Guards", keyField: isOrigin ? "PARK" : "RANGER",
        relatedKeyField: isOrigin ? "RANGER" : "PARK"))
  }

  static let guardFields = [
    Field("OBJECTID", .objectID, isNullable: false), Field("PARK", .integer),
    Field("RANGER", .string, length: 8),
  ]

  static let guards = FeatureTableContents(
    schema: FeatureTableSchema(name: "Guards", fields: guardFields, serviceLayerID: 3),
    features: [(10, "a-1"), (10, "c-3"), (11, "a-1"), (99, "b-2")].enumerated().map { index, pair in
      Feature(
        objectID: Int64(index + 1),
        attributes: Attributes(
          FieldList(guardFields),
          [.integer(Int64(index + 1)), .integer(Int64(pair.0)), .text(pair.1)]))
    })

  // MARK: Stones: more than fit a page

  static let stoneFields = [
    Field("OBJECTID", .objectID, isNullable: false), Field("WEIGHT", .integer),
  ]

  static let stones = FeatureTableContents(
    schema: FeatureTableSchema(
      name: "Stones", geometryType: .point, spatialReference: .wgs84, fields: stoneFields,
      serviceLayerID: 4),
    features: (1...1000).map { number in
      Feature(
        objectID: number,
        attributes: Attributes(
          FieldList(stoneFields), [.integer(number), .integer(number * 7919 % 1009)]),
        geometry: .point(Point(x: Double(number % 40) / 2, y: Double(number / 40) / 2)))
    })
}
