import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanTestSupport
import Testing

@Suite struct LayerResourceTests {
  @Test(.needsSharedFiles)
  func `Every recorded layer is understood`() throws {
    var count = 0
    for (file, layers) in try RecordedLayers.all() {
      let schemas = FeatureTableSchema.schemas(of: layers)
      #expect(schemas.count == layers.count, "\(file)")
      for (schema, layer) in zip(schemas, layers) {
        count += 1
        let names = (layer.json["fields"]?.array ?? [])
          .filter { $0["type"]?.string != "esriFieldTypeGeometry" }
          .compactMap { $0["name"]?.string }
        #expect(schema.fields.map(\.name) == names, "\(file)")
        #expect(schema.name == layer.json["name"]?.string, "\(file)")
        #expect(schema.spatialReference != nil || schema.geometryType == nil, "\(file)")
        #expect(schema.field(named: schema.objectIDField) != nil, "\(file) \(schema.name)")
      }
    }
    #expect(count > 90)
  }

  @Test(.needsSharedFiles)
  func `Every recorded layer survives being written and read back`() throws {
    for (file, layers) in try RecordedLayers.all() {
      let schemas = FeatureTableSchema.schemas(of: layers)
      let written = schemas.map {
        LayerResource(tableName: $0.name, json: .object($0.layerJSON(among: schemas)))
      }
      let back = FeatureTableSchema.schemas(of: written)
      for (old, new) in zip(schemas, back) {
        var expected = old
        expected.serviceLayerID = new.serviceLayerID
        #expect(new == expected, "\(file): \(old.name)")
      }
    }
  }

  @Test(.needsSharedFiles)
  func `A layer of a replica is read in full`() throws {
    let json = try JSONValue(
      parsing: SharedFiles.data(
        "fixtures/featureserver/gdb-serviceitems__canyonlands_type1_item0_CNP_Roads.json"))
    let schema = try #require(FeatureTableSchema(layerJSON: json))
    #expect(schema.name == "CNP_Roads")
    #expect(schema.geometryType == .polyline)
    #expect(schema.spatialReference == .webMercator)
    #expect(schema.extent?.xMin == -12_268_913.236206532)
    #expect(schema.objectIDField == "FID")
    #expect(schema.globalIDField == "GlobalID_2")
    #expect(schema.displayField == "NAME")
    #expect(schema.typeIDField == nil)
    #expect(schema.serviceLayerID == 0)
    #expect(schema.fields.count == 62)
    let field = try #require(schema.field(named: "rdname"))
    #expect(field == Field("RDNAME", .string, length: 80))
    #expect(schema.field(named: "GlobalID_2")?.isEditable == false)
    #expect(schema.field(named: "GlobalID_2")?.defaultValue == nil)
    #expect(schema.templates.first?.drawingTool == "esriFeatureEditToolLine")
  }

  @Test(.needsSharedFiles)
  func `Types inherit the domains of their fields`() throws {
    let json = try JSONValue(
      parsing: SharedFiles.data(
        "fixtures/featurequery/pyesridump__us-esri-test_us-esri-test-metadata.json"))
    let schema = try #require(FeatureTableSchema(layerJSON: json))
    #expect(schema.types.count == 11)
    #expect(schema.types.first?.name == "Trail Head")
    #expect(schema.types.first?.domains == [:])
    let list = FieldList(schema.fields)
    var attributes = Attributes(list)
    attributes[schema.typeIDField ?? ""] = .integer(0)
    guard case .codedValue(let domain) = schema.domain(of: "facility", in: attributes) else {
      Issue.record("no coded values")
      return
    }
    #expect(domain.name(of: .integer(4)) == "Drinking Water")
    #expect(domain.name(of: .double(4)) == "Drinking Water")
  }

  @Test func `That the time zone of dates is unknown is read and written`() throws {
    let json: JSONObject = [
      "name": "Wells", "fields": [["name": "DAY", "type": "esriFieldTypeDate"]],
      "datesInUnknownTimezone": true, "editFieldsInfo": ["editDateField": "EDITED"],
    ]
    let schema = try #require(FeatureTableSchema(layerJSON: .object(json)))
    #expect(schema.hasDatesInUnknownTimeZone)
    #expect(schema.isTimeZoneUnknown(of: "DAY") && !schema.isTimeZoneUnknown(of: "edited"))
    #expect(schema.layerJSON()["datesInUnknownTimezone"] == true)
    let other = try #require(FeatureTableSchema(layerJSON: ["fields": []]))
    #expect(!other.hasDatesInUnknownTimeZone && !other.isTimeZoneUnknown(of: "DAY"))
    #expect(other.layerJSON()["datesInUnknownTimezone"] == nil)
  }

  static let notLayers: [JSONValue] = [
    nil, 1, "x", [], [:], ["fields": nil], ["fields": 3], ["name": "a", "type": "Group Layer"],
  ]

  @Test(arguments: notLayers) func `JSON without a list of fields is no table`(_ json: JSONValue) {
    #expect(FeatureTableSchema(layerJSON: json) == nil)
  }

  @Test func `Members of the wrong kind count as missing`() throws {
    let members = [
      "name", "geometryType", "hasZ", "extent", "objectIdField", "globalIdField", "typeIdField",
      "types", "subtypes", "subtypeField", "templates", "relationships", "hasAttachments",
      "editFieldsInfo", "id", "displayField", "defaultSubtypeCode", "spatialReference",
      "datesInUnknownTimezone",
    ]
    let kinds: [JSONValue] = [
      nil, 1, 1.5, "x", true, [], [1, nil, [:]], [:], ["a": 1], [["a": [1]]],
    ]
    for member in members {
      for kind in kinds {
        let json: JSONObject = [
          member: kind, "fields": [nil, 3, [:], ["name": "A"], ["name": "B", "domain": kind]],
        ]
        let schema = try #require(FeatureTableSchema(layerJSON: .object(json)))
        #expect(schema.fields.map(\.name) == ["A", "B"])
      }
    }
  }
}
