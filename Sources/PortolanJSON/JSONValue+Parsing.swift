internal import CSimdJSON
public import Foundation

extension JSONValue {
  /// How deep arrays and objects may be nested.
  public static let maximumDepth = 512

  /// Reads a document in UTF-8, with or without a byte order mark.
  public init(parsing data: Data) throws(JSONError) {
    self = try JSONDocument(data).root()
  }

  /// Reads a document.
  public init(parsing text: String) throws(JSONError) {
    try self.init(parsing: Data(text.utf8))
  }
}

/// A parsed document, as simdjson leaves it: a tape of 64-bit words and a buffer of strings.
///
/// - SeeAlso: [The tape](https://github.com/simdjson/simdjson/blob/v3.0.1/doc/tape.md)
@safe
private struct JSONDocument: ~Copyable {
  private let parser: OpaquePointer
  private let tape: UnsafePointer<UInt64>
  private let strings: UnsafePointer<UInt8>

  init(_ data: Data) throws(JSONError) {
    guard let parser = unsafe csimdjson_create() else {
      throw .malformed(reason: "not enough memory", offset: nil)
    }
    let hasMark = data.starts(with: [0xEF, 0xBB, 0xBF])
    let body = hasMark ? data.dropFirst(3) : data
    let code = unsafe body.withUnsafeBytes { bytes in
      unsafe csimdjson_parse(
        parser, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count,
        JSONValue.maximumDepth)
    }
    guard code == 0, let tape = unsafe csimdjson_tape(parser),
      let strings = unsafe csimdjson_strings(parser)
    else {
      let message = unsafe String(cString: csimdjson_message(code))
      unsafe csimdjson_destroy(parser)
      throw JSONSyntax.error(in: body, message: message)
    }
    unsafe self.parser = parser
    unsafe self.tape = tape
    unsafe self.strings = strings
  }

  deinit { unsafe csimdjson_destroy(parser) }

  func root() -> JSONValue {
    var position = 1  // after the root word
    return value(at: &position)
  }

  /// Recursion is bounded by ``JSONValue/maximumDepth``, which the parser has enforced.
  private func value(at position: inout Int) -> JSONValue {
    let word = unsafe tape[position]
    position += 1
    switch UInt8(truncatingIfNeeded: word >> 56) {
    case UInt8(ascii: "{"): return .object(object(at: &position))
    case UInt8(ascii: "["): return .array(array(at: &position))
    case UInt8(ascii: "\""): return .string(string(of: word))
    case UInt8(ascii: "l"): return .integer(Int64(bitPattern: payload(at: &position)))
    case UInt8(ascii: "u"): return .number(Double(payload(at: &position)))
    case UInt8(ascii: "d"): return .number(Double(bitPattern: payload(at: &position)))
    case UInt8(ascii: "t"): return .bool(true)
    case UInt8(ascii: "f"): return .bool(false)
    default: return .null
    }
  }

  private func payload(at position: inout Int) -> UInt64 {
    defer { position += 1 }
    return unsafe tape[position]
  }

  private func array(at position: inout Int) -> [JSONValue] {
    var elements: [JSONValue] = []
    while !isEnd("]", at: position) { elements.append(value(at: &position)) }
    position += 1
    return elements
  }

  private func object(at position: inout Int) -> JSONObject {
    var members: [JSONObject.Member] = []
    while !isEnd("}", at: position) {
      let name = unsafe string(of: tape[position])
      position += 1
      members.append(JSONObject.Member(name: name, value: value(at: &position)))
    }
    position += 1
    return JSONObject(members)
  }

  private func isEnd(_ bracket: Unicode.Scalar, at position: Int) -> Bool {
    unsafe UInt8(truncatingIfNeeded: tape[position] >> 56) == UInt8(ascii: bracket)
  }

  private func string(of word: UInt64) -> String {
    let start = unsafe strings + Int(word & 0x00FF_FFFF_FFFF_FFFF)
    let count = unsafe Int(UnsafeRawPointer(start).loadUnaligned(as: UInt32.self))
    return unsafe String(
      decoding: UnsafeBufferPointer(start: start + 4, count: count), as: UTF8.self)
  }
}
