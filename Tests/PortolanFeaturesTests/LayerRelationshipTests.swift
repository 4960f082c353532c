import PortolanFeatures
import PortolanJSON
import Testing

@Suite struct LayerRelationshipTests {
  /// An entry of `relationships`.
  static func entry(
    id: JSONValue, to table: JSONValue, _ role: String, key: JSONValue,
    cardinality: String = "OneToMany", join: JSONValue = nil, joinKey: JSONValue = nil
  ) -> JSONValue {
    [
      "id": id, "name": "rel", "relatedTableId": table, "role": .string("esriRelRole" + role),
      "keyField": key, "cardinality": .string("esriRelCardinality" + cardinality),
      "composite": true, "relationshipTableId": join, "keyFieldInRelationshipTable": joinKey,
    ]
  }

  static func layer(_ id: Int64, _ fields: [String], _ entries: [JSONValue] = []) -> LayerResource {
    LayerResource(
      tableName: "t\(id)",
      json: [
        "id": .integer(id), "name": .string("Layer \(id)"), "relationships": .array(entries),
        "fields": .array(fields.map { ["name": .string($0), "type": "esriFieldTypeInteger"] }),
      ])
  }

  @Test func `The key of the other end is found there`() throws {
    let schemas = FeatureTableSchema.schemas(of: [
      Self.layer(0, ["ID"], [Self.entry(id: 7, to: 4, "Origin", key: "ID")]),
      Self.layer(4, ["PARENT"], [Self.entry(id: 7, to: 0, "Destination", key: "PARENT")]),
    ])
    let origin = try #require(schemas.first?.relationships.first)
    #expect(
      origin
        == RelationshipInfo(
          id: 7, name: "rel", relatedTable: "t4", cardinality: .oneToMany, role: .origin,
          keyField: "ID", relatedKeyField: "PARENT", isComposite: true))
    let destination = try #require(schemas.last?.relationships.first)
    #expect(destination.relatedTable == "t0")
    #expect(destination.relatedKeyField == "ID")
    #expect(destination.role == .destination)
  }

  @Test func `Many to many goes through the table between`() throws {
    let layers = [
      Self.layer(
        0, ["A"],
        [
          Self.entry(
            id: 1, to: 1, "Origin", key: "A", cardinality: "ManyToMany", join: 2, joinKey: "A_ID")
        ]),
      Self.layer(
        1, ["B"],
        [
          Self.entry(
            id: 1, to: 0, "Destination", key: "B", cardinality: "ManyToMany", join: 2,
            joinKey: "B_ID")
        ]),
      Self.layer(2, ["A_ID", "B_ID"]),
    ]
    let schemas = FeatureTableSchema.schemas(of: layers)
    let relationship = try #require(schemas.first?.relationships.first)
    #expect(relationship.cardinality == .manyToMany)
    #expect(
      relationship.joinTable == .init(name: "t2", keyField: "A_ID", relatedKeyField: "B_ID"))
    let written = schemas.map {
      LayerResource(tableName: $0.name, json: .object($0.layerJSON(among: schemas)))
    }
    #expect(FeatureTableSchema.schemas(of: written) == schemas)
  }

  @Test func `A table related to itself has two ends`() throws {
    let schemas = FeatureTableSchema.schemas(of: [
      Self.layer(
        3, ["ID", "PARENT"],
        [
          Self.entry(id: 1, to: 3, "Origin", key: "ID"),
          Self.entry(id: 1, to: 3, "Destination", key: "PARENT"),
        ])
    ])
    let ends = try #require(schemas.first?.relationships)
    #expect(ends.map(\.keyField) == ["ID", "PARENT"])
    #expect(ends.map(\.relatedKeyField) == ["PARENT", "ID"])
  }

  @Test func `A relation whose other end says nothing uses a key of the same name`() throws {
    let schemas = FeatureTableSchema.schemas(of: [
      Self.layer(0, ["WELL"], [Self.entry(id: 1, to: 1, "Origin", key: "WELL")]),
      Self.layer(1, ["well"]),
    ])
    #expect(schemas.first?.relationships.first?.relatedKeyField == "well")
  }

  static let unusable: [JSONValue] = [
    entry(id: 1, to: 9, "Origin", key: "ID"), entry(id: 1, to: nil, "Origin", key: "ID"),
    entry(id: 1, to: 1, "Origin", key: nil), entry(id: 1, to: 1, "Origin", key: ""),
    entry(id: nil, to: 1, "Origin", key: "ID"), entry(id: 1, to: 1, "Origin", key: "OTHER"),
    ["id": 3, "name": "Well 2 Tops", "relatedTableId": 1], nil, 5,
  ]

  @Test(arguments: unusable) func `A relation that cannot be followed is left out`(
    _ entry: JSONValue
  ) {
    let schemas = FeatureTableSchema.schemas(of: [
      Self.layer(0, ["ID"], [entry]), Self.layer(1, ["ID"]),
    ])
    #expect(schemas.map(\.relationships) == [[], []])
  }
}
