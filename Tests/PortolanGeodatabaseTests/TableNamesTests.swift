import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

@Suite(.temporaryDirectory) struct TableNamesTests {
  @Test func `Names of as many characters as a database allows stay, and longer ones are cut`() {
    let long = String(repeating: "a", count: 64)
    var names = TableNames(.geodatabase)
    let schema = FeatureTableSchema(
      name: String(repeating: "t", count: 118),
      fields: [
        Field("OBJECTID", .objectID), Field(long, .string), Field(long.uppercased(), .string),
        Field(long + "b", .string),
      ])
    let adapted = names.adapt([schema, schema])
    #expect(
      adapted.first?.fields.map(\.name) == [
        "OBJECTID", long, String(repeating: "A", count: 62) + "_2",
        String(repeating: "a", count: 62) + "_3",
      ])
    #expect(schema.namingFieldsAsGeodatabase.fields == adapted.first?.fields)
    let third = names.adapt([schema]).first
    #expect(third?.name == String(repeating: "t", count: 116) + "_3")
  }

  @Test func `Names of tables have no points where those would end the name of a database`() {
    let schema = FeatureTableSchema(name: "trails.v1.2", fields: [Field("a.b", .objectID)])
    var names = TableNames(.geodatabase)
    let adapted = names.adapt([schema]).first
    #expect(adapted?.name == "trails_v1_2" && adapted?.fields.map(\.name) == ["a.b"])
    var others = TableNames(.geoPackage)
    #expect(others.adapt([schema]).first?.name == "trails.v1.2")
  }

  @Test(arguments: [
    ("gdb_items", "t_gdb_items"), ("SQLITE_x", "t_SQLITE_x"), ("st_areas", "t_st_areas"),
    ("", "table"), ("\n", "table"), ("A\u{7}B", "AB"), ("GISDB.GIS.Parcels", "GISDB_GIS_Parcels"),
    ("trails", "trails_2"),
  ])
  func `A name that a geodatabase keeps for itself or has already is another`(
    _ name: String, _ expected: String
  ) {
    var names = TableNames(.geodatabase)
    let first = names.name(ofTable: "Trails", hasAttachments: false)
    let second = names.name(ofTable: name, hasAttachments: false)
    #expect(first == "Trails" && second == expected)
  }

  @Test func `A name leaves room for the table of attachments, which gets that of no other`() {
    var names = TableNames(.geodatabase)
    let other = names.name(ofTable: "huts__attach", hasAttachments: false)
    let owner = names.name(ofTable: "Huts", hasAttachments: true)
    let late = names.name(ofTable: "Huts_2__ATTACH", hasAttachments: false)
    #expect([other, owner, late] == ["huts__attach", "Huts_2", "Huts_2__ATTACH_2"])
    let long = names.name(ofTable: String(repeating: "t", count: 118), hasAttachments: true)
    #expect(long == String(repeating: "t", count: 110))
  }

  @Test func `A field of a service keeps a name of as many characters as replicas have`()
    async throws
  {
    let (longest, tooLong) = (
      String(repeating: "a", count: 128), String(repeating: "b", count: 129)
    )
    let schema = FeatureTableSchema(
      name: "Huts", fields: [Field("OBJECTID", .objectID), Field(longest, .string)])
    #expect(schema.unstorableFieldNames.isEmpty)
    let file = temporaryDirectory.appending(path: "huts.geodatabase")
    func write(_ schema: FeatureTableSchema, _ values: [AttributeValue]) throws {
      let definition = GeodatabaseDefinition(
        name: "Huts", tables: [GeodatabaseDefinition.Table(schema)])
      let writer = try GeodatabaseWriter(
        at: file, definition, now: Date(timeIntervalSince1970: 0), makeID: { UUID() })
      let attributes = Attributes(FieldList(schema.fields), values)
      try writer.append(Feature(objectID: 1, attributes: attributes), to: "Huts")
      try writer.finish()
    }
    try write(schema, [.integer(1), .text("Carter")])
    let hut = try await Geodatabase.open(at: file)
      .features(in: "Huts", matching: QueryParameters()).collect().first
    #expect(hut?.attributes[longest] == .text("Carter"))
    var other = schema
    other.fields.append(Field(tooLong, .string))
    #expect(other.unstorableFieldNames == [tooLong])
    #expect(throws: GeodatabaseWriterError.self) {
      try write(other, [.integer(1), .null, .null])
    }
  }

  @Test func `The column of the shapes gives way to a field of its name`() async throws {
    let schema = FeatureTableSchema(
      name: "Signs", geometryType: .point, spatialReference: .webMercator,
      fields: [Field("OBJECTID", .objectID), Field("SHAPE", .string)])
    #expect(schema.unstorableFieldNames.isEmpty && schema.shapeFieldInGeodatabase == "Shape_2")
    let file = temporaryDirectory.appending(path: "signs.geodatabase")
    let definition = GeodatabaseDefinition(
      name: "Signs",
      tables: [
        GeodatabaseDefinition.Table(schema, shapeField: schema.shapeFieldInGeodatabase)
      ])
    let writer = try GeodatabaseWriter(
      at: file, definition, now: Date(timeIntervalSince1970: 0), makeID: { UUID() })
    let attributes = Attributes(FieldList(schema.fields), [.integer(1), .text("round")])
    let point = Geometry.point(Point(x: 100, y: 200))
    try writer.append(
      Feature(objectID: 1, attributes: attributes, geometry: point), to: "Signs")
    try writer.finish()
    let sign = try await Geodatabase.open(at: file)
      .features(in: "Signs", matching: QueryParameters()).collect().first
    #expect(sign?.attributes["SHAPE"] == .text("round"))
    #expect(sign?.geometry != nil)
  }
}
