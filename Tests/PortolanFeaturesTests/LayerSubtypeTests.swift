import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import Testing

@Suite struct LayerSubtypeTests {
  static let newer: JSONValue = [
    "name": "Roads", "subtypeField": "CLASS", "defaultSubtypeCode": 2, "typeIdField": "CLASS",
    "types": [],
    "fields": [
      ["name": "OBJECTID", "type": "esriFieldTypeOID"],
      ["name": "CLASS", "type": "esriFieldTypeInteger"],
      ["name": "LANES", "type": "esriFieldTypeSmallInteger"],
    ],
    "subtypes": [
      [
        "code": 1, "name": "Highway", "defaultValues": ["LANES": 4],
        "domains": ["LANES": ["type": "range", "name": "Lanes", "range": [2, 8]]],
      ],
      ["code": 2, "name": "Street", "domains": ["LANES": ["type": "inherited"]]],
      ["name": "no code"], nil,
    ],
  ]

  @Test func `Subtypes are read where there are no types`() throws {
    let schema = try #require(FeatureTableSchema(layerJSON: Self.newer))
    #expect(schema.typeIDField == "CLASS")
    #expect(schema.defaultTypeID == .integer(2))
    #expect(schema.types.map(\.name) == ["Highway", "Street"])
    #expect(
      schema.types.first?.domains
        == ["LANES": .range(.init(name: "Lanes", minimum: .integer(2), maximum: .integer(8)))])
    #expect(
      schema.types.first?.templates
        == [
          FeatureTemplate(
            name: "Highway", prototype: ["LANES": .integer(4), "CLASS": .integer(1)])
        ])
    #expect(schema.types.last?.domains == [:])
  }

  @Test func `A schema with everything survives being written and read back`() throws {
    var schema = FeatureTableSchema(
      name: "main", alias: "For people", geometryType: .point, hasZ: true, hasM: true,
      spatialReference: SpatialReference(wkt: "LOCAL_CS[\"x\"]"),
      extent: Envelope(xMin: 0.1, yMin: -2, xMax: 3, yMax: 4.25),
      fields: [
        Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
        Field("KIND", .integer, alias: "Kind", isNullable: false, defaultValue: .integer(1)),
        Field(
          "SEEN", .date,
          domain: .range(
            RangeDomain(
              name: "Since", minimum: .date(.init(timeIntervalSince1970: 0)),
              maximum: .date(.init(timeIntervalSince1970: 1_486_846_504.5))))),
        Field(
          "CODE", .string, length: 5,
          domain: .codedValue(
            CodedValueDomain(
              name: "Codes", codedValues: [CodedValue(code: .text("a"), name: "Alpha")]))),
        Field("G", .guid, defaultValue: .text("{5B966567-FB87-4DDE-938B-B4B37423539D}")),
      ],
      displayField: "CODE", typeIDField: "KIND",
      types: [FeatureType(id: .integer(1), name: "One", templates: [FeatureTemplate(name: "t")])],
      defaultTypeID: .integer(1), hasAttachments: true,
      editorTracking: EditorTracking(creatorField: "WHO", editDateField: "WHEN"),
      serviceLayerID: 12)
    schema.templates = [
      FeatureTemplate(
        name: "T", summary: "S", prototype: ["SEEN": .date(.init(timeIntervalSince1970: 1))],
        drawingTool: "esriFeatureEditToolPoint")
    ]
    let json = JSONValue.object(schema.layerJSON())
    let text = try JSONValue(parsing: json.encoded())
    let layer = LayerResource(tableName: "main", json: text)
    #expect(FeatureTableSchema.schemas(of: [layer]) == [schema])
  }

  @Test func `The extent that means none is none`() throws {
    let json: JSONValue = [
      "fields": [],
      "extent": [
        "xmin": 9.999e35, "ymin": 9.999e35, "xmax": -9.999e35, "ymax": -9.999e35,
        "spatialReference": ["wkid": 26912],
      ],
    ]
    let schema = try #require(FeatureTableSchema(layerJSON: json))
    #expect(schema.extent == nil)
    #expect(schema.spatialReference == SpatialReference(wkid: 26912))
  }
}
