import Foundation
import PortolanFeatures
import Testing

@Suite struct AttributesTests {
  @Test func `Names are compared without case`() {
    var attributes = Attributes(FieldList([Field("Name", .string)]), [.text("a")])
    #expect(attributes["NAME"] == .text("a"))
    attributes["name"] = .text("b")
    #expect(attributes["Name"] == .text("b"))
    #expect(attributes["other"] == nil)
  }

  @Test func `Case counts between fields that differ in nothing else`() {
    let list = FieldList([Field("fid", .integer), Field("FID", .objectID)])
    let attributes = Attributes(list, [.integer(1), .integer(2)])
    #expect(attributes["fid"] == .integer(1))
    #expect(attributes["FID"] == .integer(2))
    #expect(attributes["Fid"] == .integer(1))
    let schema = FeatureTableSchema(name: "t", fields: list.fields)
    #expect(schema.field(named: "FID")?.type == .objectID)
  }

  @Test func `Values fit the fields`() {
    let list = FieldList([Field("A", .integer), Field("B", .integer)])
    #expect(Attributes(list, [.integer(1)]).values == [.integer(1), .null])
    #expect(Attributes(list, [.null, .null, .null]).values == [.null, .null])
  }

  static let ascending: [AttributeValue] = [
    .null, .double(-.infinity), .integer(-5), .double(-0.5), .date(.init(timeIntervalSince1970: 0)),
    .integer(1), .double(1.5), .integer(.max), .text(""), .text("B"), .text("a"), .text("ä"),
    .blob(.init()), .blob(.init([1])),
  ]

  @Test func `Values have one order`() {
    for (place, value) in Self.ascending.enumerated() {
      for (otherPlace, other) in Self.ascending.enumerated() {
        let order = place == otherPlace ? 0 : place < otherPlace ? -1 : 1
        #expect(value.sortOrder(other) == order, "\(value) \(other)")
      }
    }
    #expect(AttributeValue.double(.nan).sortOrder(.null) == 0)
    #expect(AttributeValue.integer(2).sortOrder(.double(2)) == 0)
  }
}
