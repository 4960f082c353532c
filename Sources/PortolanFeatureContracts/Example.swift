package import Foundation
package import PortolanFeatures
package import PortolanGeodatabase
internal import PortolanGeometry
package import PortolanJSON

/// Tables with one of everything, and a geodatabase of them.
package enum Example {
  package static let moment = Date(timeIntervalSince1970: 1_562_929_819)

  /// Ids that are the same every time.
  package static func ids() -> () -> UUID {
    var numbers = SplitMix64(seed: 1)
    return {
      let (high, low) = (numbers.next(), numbers.next())
      return withUnsafeBytes(of: (high, low)) { $0.loadUnaligned(as: UUID.self) }
    }
  }

  package static let kinds = Domain.codedValue(
    CodedValueDomain(
      name: "Kinds",
      codedValues: [
        CodedValue(code: .integer(1), name: "National"),
        CodedValue(code: .integer(2), name: "State"),
      ]))
  package static let lengths = Domain.range(
    RangeDomain(name: "Lengths", minimum: .double(0), maximum: .double(500)))

  package static let parkFields = FieldList([
    Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
    Field("NAME", .string, alias: "Name", length: 40),
    Field("KIND", .smallInteger, domain: kinds, defaultValue: .integer(2)),
    Field("AREA", .double), Field("VISITED", .date), Field("PHOTO", .blob),
    Field("GlobalID", .globalID, length: 38, isNullable: false, isEditable: false),
    Field("EDITOR", .string, length: 255), Field("EDITED", .date),
  ])

  package static let trailFields = FieldList([
    Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
    Field("LABEL", .string, length: 20), Field("PARK", .guid, length: 38),
    Field("MILES", .single, domain: lengths), Field("NUMBER", .bigInteger),
    Field("OPENED", .dateOnly), Field("NOTES", .string),
  ])

  package static let rangerFields = FieldList([
    Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
    Field("NAME", .string, length: 60),
  ])

  package static func relationship(
    _ id: Int, _ name: String, to table: String, _ role: RelationshipInfo.Role, _ key: String,
    _ relatedKey: String
  ) -> RelationshipInfo {
    RelationshipInfo(
      id: id, name: name, relatedTable: table, cardinality: .oneToMany, role: role,
      keyField: key, relatedKeyField: relatedKey, isComposite: true)
  }

  package static func pairs(
    to table: String, _ role: RelationshipInfo.Role, _ key: String, _ relatedKey: String,
    _ joinKey: String, _ relatedJoinKey: String
  ) -> RelationshipInfo {
    RelationshipInfo(
      id: 2, name: "ParkRangers", relatedTable: table, cardinality: .manyToMany, role: role,
      keyField: key, relatedKeyField: relatedKey,
      joinTable: .init(
        name: "ParkRangers", keyField: joinKey, relatedKeyField: relatedJoinKey))
  }

  package static let parkSchema = FeatureTableSchema(
    name: "Parks", alias: "Parks of Maine", geometryType: .polygon,
    spatialReference: .webMercator, fields: parkFields.fields, globalIDField: "GlobalID",
    displayField: "NAME", typeIDField: "KIND",
    types: [
      FeatureType(
        id: .integer(1), name: "National",
        templates: [FeatureTemplate(name: "National", prototype: ["KIND": .integer(1)])]),
      FeatureType(id: .integer(2), name: "State", domains: ["KIND": kinds]),
    ],
    relationships: [
      relationship(1, "ParkTrails", to: "Trails", .origin, "GlobalID", "PARK"),
      pairs(to: "Rangers", .origin, "GlobalID", "OBJECTID", "PARKID", "RANGERID"),
    ],
    hasAttachments: true,
    editorTracking: EditorTracking(editorField: "EDITOR", editDateField: "EDITED"),
    serviceLayerID: 0)

  package static let trailSchema = FeatureTableSchema(
    name: "Trails", geometryType: .polyline, hasZ: true, spatialReference: .wgs84,
    fields: trailFields.fields, displayField: "LABEL",
    templates: [FeatureTemplate(name: "Trail", drawingTool: "esriFeatureEditToolLine")],
    relationships: [
      relationship(1, "TrailsPark", to: "Parks", .destination, "PARK", "GlobalID")
    ], isChangeTracked: true, serviceLayerID: 1)

  package static let rangerSchema = FeatureTableSchema(
    name: "Rangers", fields: rangerFields.fields, displayField: "NAME",
    relationships: [
      pairs(to: "Parks", .destination, "OBJECTID", "GlobalID", "RANGERID", "PARKID")
    ], serviceLayerID: 5)

  package static let drawingInfo: JSONValue = [
    "renderer": [
      "type": "simple",
      "symbol": ["type": "esriSFS", "style": "esriSFSSolid", "color": [0, 128, 0, 255]],
    ]
  ]

  package static let definition = GeodatabaseDefinition(
    name: "Example", summary: "One of everything",
    tables: [
      .init(parkSchema, drawingInfo: drawingInfo), .init(trailSchema), .init(rangerSchema),
    ])

  package static let parkID = "{0FC1A2B3-0000-4000-8000-000000000001}"

  package static let parks = [
    Feature(
      objectID: 1,
      attributes: Attributes(
        parkFields,
        [
          .integer(1), .text("Acadia"), .integer(1), .integer(198), .date(moment),
          .blob(Data([1, 2])), .text(parkID), .text("maine"), .date(moment),
        ]),
      geometry: .polygon(
        Polygon(rings: [
          Path([
            Coordinate(x: -7_600_000, y: 5_500_000), Coordinate(x: -7_590_000, y: 5_500_000),
            Coordinate(x: -7_590_000, y: 5_510_000), Coordinate(x: -7_600_000, y: 5_500_000),
          ])
        ]))),
    Feature(
      objectID: 0, attributes: Attributes(parkFields, [.null, .text("Baxter"), .integer(2)]),
      geometry: nil),
  ]

  package static let trails = [7, 8, 12].map { id in
    Feature(
      objectID: Int64(id),
      attributes: Attributes(
        trailFields,
        [
          .null, .text("Trail \(id)"), .text(parkID), .double(Double(id) / 4), .integer(1 << 40),
          .text("2024-02-29"), .null,
        ]),
      geometry: .polyline(
        Polyline(paths: [
          Path(
            [Coordinate(x: -68.25, y: 44.25 + Double(id)), Coordinate(x: -68.5, y: 44.5)],
            z: [10, 20.5])
        ])))
  }

  package static let rangers = ["Ann", "Bob"].map {
    Feature(objectID: 0, attributes: Attributes(rangerFields, [.null, .text($0)]))
  }

  package static func write(to url: URL) throws {
    let writer = try GeodatabaseWriter(at: url, definition, now: moment, makeID: ids())
    let photo = NewAttachment(name: "a.jpg", contentType: "image/jpeg", data: Data([1, 2, 3]))
    try writer.append(parks[0], to: "Parks", attachments: [photo])
    try writer.append(parks[1], to: "Parks")
    try writer.append(contentsOf: trails, to: "Trails")
    try writer.append(contentsOf: rangers, to: "Rangers")
    let pair = FieldList([Field("PARKID", .guid), Field("RANGERID", .integer)])
    for ranger in 1...2 {
      let attributes = Attributes(pair, [.text(parkID), .integer(Int64(ranger))])
      try writer.append(Feature(objectID: 0, attributes: attributes), to: "ParkRangers")
    }
    try writer.finish()
  }

  package static let badRows: [(String, Feature)] = [
    ("NAME", bad("NAME", .text(String(repeating: "x", count: 41)))),
    ("KIND", bad("KIND", .integer(40_000))), ("AREA", bad("AREA", .text("large"))),
    ("GlobalID", bad("GlobalID", .text("none"))),
    (
      "Shape",
      Feature(objectID: 9, attributes: Attributes(parkFields), geometry: .point(Point(x: 0, y: 0)))
    ),
    (
      "Shape",
      Feature(
        objectID: 9, attributes: Attributes(parkFields),
        geometry: .envelope(Envelope(xMin: 0, yMin: 0, xMax: 1e300, yMax: 1)))
    ),
  ]

  private static func bad(_ field: String, _ value: AttributeValue) -> Feature {
    var attributes = Attributes(parkFields)
    attributes[field] = value
    return Feature(objectID: 9, attributes: attributes)
  }

  package static let badSchemas: [(String, FeatureTableSchema)] = [
    ("empty", FeatureTableSchema(name: "", fields: [])),
    ("reserved", FeatureTableSchema(name: "GDB_Items", fields: [])),
    ("zero byte", FeatureTableSchema(name: "a\0b", fields: [])),
    ("twice", FeatureTableSchema(name: "T", fields: [Field("a", .integer), Field("A", .double)])),
    (
      "taken",
      FeatureTableSchema(name: "T", geometryType: .point, fields: [Field("shape", .string)])
    ),
    ("archive", FeatureTableSchema(name: "T", fields: [Field("gdb_to_date", .date)])),
    ("no field", FeatureTableSchema(name: "T", fields: [], globalIDField: "GlobalID")),
    ("no guid", FeatureTableSchema(name: "T", fields: [Field("G", .integer)], globalIDField: "G")),
    ("text id", FeatureTableSchema(name: "T", fields: [Field("OBJECTID", .string)])),
    ("envelopes", FeatureTableSchema(name: "T", geometryType: .envelope, fields: [])),
    ("shape field", FeatureTableSchema(name: "T", fields: [Field("S", .geometry)])),
    ("length", FeatureTableSchema(name: "T", fields: [Field("S", .string, length: 0)])),
    (
      "related",
      FeatureTableSchema(
        name: "T", fields: [Field("K", .integer)],
        relationships: [relationship(0, "r", to: "None", .origin, "K", "K")])
    ),
  ]
}
