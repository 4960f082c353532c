import Foundation
import PortolanJSON
import Testing

/// The readable parts of damaged lists.
@Suite struct SalvagedJSONTests {
  private static let whole =
    #"{"a":{"x":1,"y":[2,3]}, "b \"c\"" : {"x":2},"#
    + "\n\"d\": {\"x\": 3, \"content\": [1]}\n}"

  private func names(_ text: String) throws -> [String]? {
    let document = try SalvagedJSON(parsing: Data(text.utf8))
    #expect(document.isDamaged)
    return document.value.object?.names
  }

  @Test func `A document that is whole is read as any other`() throws {
    let document = try SalvagedJSON(parsing: Data(Self.whole.utf8))
    #expect(!document.isDamaged)
    #expect(try document.value == JSONValue(parsing: Self.whole))
  }

  @Test(arguments: [
    // Cut in the last entry, and behind it.
    (#"{"a":{"x":1},"b":{"x":2},"c":{"x":"#, ["a", "b"]),
    (#"{"a":{"x":1},"b":{"x":2}"#, ["a", "b"]),
    // A byte that is another, in a value, a name, a brace and between two entries.
    (#"{"a":{"x":1},"b":{"x"?2},"c":{"x":3}}"#, ["a", "c"]),
    (#"{"a":{"x":1},?b":{"x":2},"c":{"x":3}}"#, ["a", "c"]),
    (#"{"a":{"x":1},"b":?"x":2},"c":{"x":3}}"#, ["a", "c"]),
    (#"{"a":{"x":1}?"b":{"x":2},"c":{"x":3}}"#, ["a", "c"]),
    (#"{"a":{"x":1},"b":{"x":2?,"c":{"x":3}}"#, ["a", "c"]),
    (#"{"a\\":{"x":1}, "b\"":{"x":2},"#, ["a\\", "b\""]),
  ])
  func `Complete entries of a damaged document are read`(
    _ text: String, _ expected: [String]
  ) throws {
    #expect(try names(text) == expected)
  }

  @Test func `Entries keep what they hold`() throws {
    let text = Self.whole.dropLast(1)
    let document = try SalvagedJSON(parsing: Data(text.utf8))
    #expect(document.isDamaged)
    #expect(try document.value == JSONValue(parsing: Self.whole))
  }

  @Test(arguments: ["", "{", "<html>", #"{"a":1,"#, #"{"a":{"x":1"#, "}}}}", #"":{}"#])
  func `Where no entry is whole the document is refused`(_ text: String) {
    #expect(throws: JSONError.self) { try SalvagedJSON(parsing: Data(text.utf8)) }
  }
}
