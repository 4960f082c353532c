internal import CSimdJSON
public import Foundation

/// A parsed document as simdjson leaves it, for readers of documents that are too large to be made
/// into values: a tape of 64-bit words and a buffer of strings.
///
/// Places on the tape are whole numbers. ``root`` is the first; others are reached from it with
/// ``first(in:)``, ``next(after:)`` and, in objects, where names and values take turns, ``value(of:)``.
/// A place that is none reads as `null`. The same tape serves one document after the other, so that
/// its memory is used again.
///
/// - SeeAlso: [The tape](https://github.com/simdjson/simdjson/blob/v3.0.1/doc/tape.md)
@safe
public struct JSONTape: ~Copyable {
  /// The kind of a word of the tape.
  public enum Kind: Sendable {
    case null, bool, integer, number, string, array, object
    /// The end of an array or object, or of the document.
    case end
  }

  @usableFromInline let words: UnsafePointer<UInt64>
  @usableFromInline let strings: UnsafePointer<UInt8>
  @usableFromInline let count: Int
  private let parser: OpaquePointer

  /// Parses a document in UTF-8, with or without a byte order mark; whole numbers beyond 64 bits are
  /// rounded to the nearest `Double`.
  public init(parsing data: Data) throws(JSONError) {
    guard let parser = unsafe csimdjson_create() else {
      throw .malformed(reason: "not enough memory", offset: nil)
    }
    let hasMark = data.starts(with: [0xEF, 0xBB, 0xBF])
    let body = hasMark ? data.dropFirst(3) : data
    var code = unsafe Self.parse(body, with: parser)
    if code != 0, JSONSyntax.firstError(in: body) == nil,
      let rounded = WideIntegers.rounded(in: body)
    {
      code = unsafe Self.parse(rounded, with: parser)
    }
    guard code == 0, let words = unsafe csimdjson_tape(parser),
      let strings = unsafe csimdjson_strings(parser)
    else {
      let message = unsafe String(cString: csimdjson_message(code))
      unsafe csimdjson_destroy(parser)
      throw JSONSyntax.error(in: body, message: message)
    }
    unsafe self.parser = parser
    unsafe self.words = words
    unsafe self.strings = strings
    // The root word holds the place of the last word.
    count = unsafe Int(truncatingIfNeeded: words[0] & 0x00FF_FFFF_FFFF_FFFF)
  }

  deinit { unsafe csimdjson_destroy(parser) }

  private static func parse(_ body: Data, with parser: OpaquePointer) -> Int32 {
    unsafe body.withUnsafeBytes { bytes in
      unsafe csimdjson_parse(
        parser, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count,
        JSONValue.maximumDepth)
    }
  }

  /// The place of the document's value.
  @inlinable public var root: Int { 1 }

  @inlinable
  func word(at place: Int) -> UInt64 {
    place > 0 && place < count ? unsafe words[place] : 0
  }

  @inlinable
  func tag(at place: Int) -> UInt8 { UInt8(truncatingIfNeeded: word(at: place) >> 56) }

  /// The kind of the word at `place`.
  @inlinable
  public func kind(at place: Int) -> Kind {
    switch tag(at: place) {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "l"): .integer
    case UInt8(ascii: "u"), UInt8(ascii: "d"): .number
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
    case UInt8(ascii: "n"): .null
    default: .end
    }
  }

  /// Whether an array or object, or the document, ends at `place`.
  @inlinable
  public func isEnd(at place: Int) -> Bool {
    switch tag(at: place) {
    case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "r"), 0: true
    default: false
    }
  }

  /// The place of the first element of an array, or of the first name of an object.
  @inlinable
  public func first(in place: Int) -> Int { place + 1 }

  /// The place after the value, or the name, at `place`.
  @inlinable
  public func next(after place: Int) -> Int {
    switch tag(at: place) {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      max(place + 1, Int(word(at: place) & 0xFFFF_FFFF))
    case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): place + 2
    default: place + 1
    }
  }

  /// The place of the value of the name at `place`.
  @inlinable
  public func value(of place: Int) -> Int { place + 1 }

  /// How many elements an array, or members an object, has; more than 16 million count as those.
  public func elementCount(at place: Int) -> Int { Int(word(at: place) >> 32 & 0xFF_FFFF) }
}
