import Foundation
import PortolanJSON
import Testing

@Suite struct JSONValueTests {
  @Test func `A document keeps order, whole numbers and every member`() throws {
    let text = #"{"b":1,"a":[1.5,-2,true,null,"ü\n"],"c":{"x":1e300}}"#
    let value = try JSONValue(parsing: text)
    #expect(value.object?.names == ["b", "a", "c"])
    #expect(value["b"] == .integer(1))
    #expect(value["a"]?[0] == .number(1.5))
    #expect(value["a"]?[4]?.string == "ü\n")
    #expect(try JSONValue(parsing: value.encoded()) == value)
    #expect(try JSONValue(parsing: value.text(.indented)) == value)
  }

  @Test func `A byte order mark is skipped`() throws {
    #expect(try JSONValue(parsing: Data([0xEF, 0xBB, 0xBF] + Array("[1]".utf8))) == [1])
  }

  @Test(arguments: [
    ("", 0), ("{", 1), ("[1,]", 3), (#"{"a" 1}"#, 5), (#"["abc"#, 5), ("[1] x", 4),
    ("[nil]", 1), (#"{"a":1 "b":2}"#, 7), ("[\"a\u{1}\"]", 3),
  ])
  func `Invalid JSON is refused with its place`(_ text: String, _ offset: Int) {
    #expect {
      try JSONValue(parsing: text)
    } throws: { error in
      guard case JSONError.malformed(_, let found) = error else { return false }
      return found == offset
    }
  }

  @Test func `A document nested a million deep is refused`() {
    #expect(throws: JSONError.nestedTooDeep(limit: JSONValue.maximumDepth)) {
      try JSONValue(parsing: String(repeating: "[", count: 1_000_000))
    }
  }

  @Test func `Objects are equal whatever the order of their members`() {
    #expect(["a": 1, "b": 2] as JSONValue == ["b": 2, "a": 1])
    #expect(["a": 1] as JSONValue != ["a": 2])
    #expect(["a": 1, "b": 1] as JSONValue != ["a": 1, "c": 1])
  }

  @Test func `Numbers are equal by value, however they were written`() throws {
    #expect(try JSONValue(parsing: "[1, -0.0, 2e3]") == JSONValue(parsing: "[1.0, 0, 2000]"))
    #expect(JSONValue.integer(1).hashValue == JSONValue.number(1).hashValue)
    #expect(JSONValue.integer(1) != .number(1.5))
    #expect(JSONValue.integer(.max) != .number(9_223_372_036_854_775_808))
  }

  @Test(arguments: [
    ("18446744073709551616", 18_446_744_073_709_551_616.0),
    ("-9223372036854775809", -9_223_372_036_854_775_809.0),
    ("123456789012345678901234567890", 123_456_789_012_345_678_901_234_567_890.0),
  ])
  func `Whole numbers beyond 64 bits are rounded, and cost nothing else of a document`(
    _ text: String, _ number: Double
  ) throws {
    let document = #"{"id": \#(text), "name": "no \"\#(text)\"", "list": [1, \#(text)]}"#
    let value = try JSONValue(parsing: document)
    #expect(value["id"] == .number(number))
    #expect(value["name"] == .string("no \"\(text)\""))
    #expect(value["list"] == [1, .number(number)])
    #expect(try JSONValue(parsing: text) == .number(number))
  }

  @Test(arguments: ["01", "[18446744073709551616, 01]", "[18446744073709551616", "1."])
  func `Numbers that are none are refused beside those beyond 64 bits`(_ text: String) {
    #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
  }

  @Test func `Deep documents are compared in little time`() throws {
    func nested(_ innermost: String) throws -> JSONValue {
      let depth = JSONValue.maximumDepth - 2
      return try JSONValue(
        parsing: String(repeating: #"{"a":"#, count: depth) + innermost
          + String(repeating: "}", count: depth))
    }
    #expect(try nested("1") == nested("1"))
    #expect(try nested("1") != nested("2"))
    #expect(try nested(#"{"x":1,"y":2}"#) == nested(#"{"y":2,"x":1}"#))
  }

  @Test func `Numbers that JSON cannot hold are written as null`() {
    #expect(([.number(.nan), .number(2), .number(0.1)] as JSONValue).text() == "[null,2,0.1]")
  }
}
