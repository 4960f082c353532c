import PortolanFeatures
import Testing

@testable import PortolanConversion

@Suite struct TableNamesTests {
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
}
