import Foundation
import PortolanFeatures
import PortolanJSON
import Testing

@Suite struct AttributeValueJSONTests {
  static let readings: [(JSONValue, FieldType, AttributeValue)] = [
    (nil, .integer, .null), (nil, .date, .null), (nil, .blob, .null), (nil, .guid, .null),
    (5, .objectID, .integer(5)), (5.0, .integer, .integer(5)), (5.5, .integer, .double(5.5)),
    ("12", .integer, .integer(12)), ("x", .integer, .text("x")), (true, .smallInteger, .integer(1)),
    (5, .double, .double(5)), ("NaN", .double, .null), ("1e3", .single, .double(1000)),
    ([1], .double, .null), ([:], .date, .null),
    (1_486_846_504_123, .date, .date(Date(timeIntervalSince1970: 1_486_846_504.123))),
    (-1, .date, .date(Date(timeIntervalSince1970: -0.001))),
    ("2017-02-11T20:55:04Z", .date, .date(Date(timeIntervalSince1970: 1_486_846_504))),
    ("someday", .date, .text("someday")),
    ("2017-02-11", .dateOnly, .text("2017-02-11")),
    (
      "5b966567-fb87-4dde-938b-b4b37423539d", .globalID,
      .text("{5b966567-fb87-4dde-938b-b4b37423539d}")
    ),
    (
      "{5B966567-FB87-4DDE-938B-B4B37423539D}", .guid,
      .text("{5B966567-FB87-4DDE-938B-B4B37423539D}")
    ),
    ("AAH/", .blob, .blob(Data([0, 1, 255]))), (3, .blob, .null),
    (7, .string, .text("7")), (["a": 1], .string, .text(#"{"a":1}"#)), ("", .string, .text("")),
  ]

  @Test(arguments: readings) func `A value is read as its field's kind`(
    json: JSONValue, type: FieldType, expected: AttributeValue
  ) {
    #expect(AttributeValue(json: json, as: type) == expected)
  }

  static let kept: [(AttributeValue, FieldType)] = [
    (.null, .string), (.integer(.max), .bigInteger), (.integer(.min), .bigInteger),
    (.double(0.1), .double), (.double(-1e300), .double), (.text("Ünïcødé\n\0"), .string),
    (.date(Date(timeIntervalSince1970: 1_486_846_504.123)), .date),
    (.date(Date(timeIntervalSince1970: -62_135_596_800)), .date), (.blob(Data()), .blob),
    (.blob(Data(0...255)), .blob), (.text("{5B966567-FB87-4DDE-938B-B4B37423539D}"), .guid),
  ]

  @Test(arguments: kept) func `A value survives being written and read back`(
    value: AttributeValue, type: FieldType
  ) throws {
    let json = try JSONValue(parsing: value.json(as: type).encoded())
    #expect(AttributeValue(json: json, as: type) == value)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
  func `A date that no calendar holds is written as null`(seconds: Double) {
    let value = AttributeValue.date(Date(timeIntervalSince1970: seconds))
    #expect(value.json(as: .date) == nil)
    #expect(value.json(as: .string) == nil)
  }
}
