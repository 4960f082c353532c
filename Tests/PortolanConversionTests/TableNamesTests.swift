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
}
