internal import PortolanGeometry

/// A shape in well-known text that may begin with the number of its spatial reference, as PostGIS
/// writes it: `SRID=3857;POINT (1 2)`; or in the hexadecimal digits of well-known binary, which
/// PostGIS writes into text files.
struct NumberedShape: Hashable, Sendable {
  /// The shape, in the coordinates of the text.
  let geometry: Geometry
  /// The number; `nil` where none is given, or 0, with which PostGIS says that it is not known.
  let spatialReferenceID: Int?

  /// Reads a text or digits, in any letters.
  ///
  /// - Throws: ``GeometryError`` if it is no shape, or one of a kind that is not supported.
  init(cell: String) throws(GeometryError) {
    if let bytes = Self.bytes(ofDigits: cell) {
      try self.init(wellKnownBinary: bytes)
    } else {
      try self.init(wellKnownText: cell)
    }
  }

  private init(wellKnownBinary bytes: [UInt8]) throws(GeometryError) {
    geometry = try Geometry(wellKnownBinary: bytes.span.bytes)
    // Behind the byte for the order and the kind, which says whether there is a number.
    func whole(at offset: Int) -> UInt32 {
      let word = bytes[offset..<offset + 4]
      return (bytes[0] == 0 ? Array(word) : word.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
    }
    let number = whole(at: 1) & Self.numberFlag == 0 ? 0 : Int(whole(at: 5))
    spatialReferenceID = number == 0 ? nil : number
  }

  /// The bit of a kind of shape that says that a number follows.
  private static let numberFlag: UInt32 = 0x2000_0000
  /// The bytes that any shape takes: order, kind, and a number of parts or more.
  private static let leastByteCount = 9

  /// The bytes that pairs of hexadecimal digits stand for; `nil` if the text has anything else.
  private static func bytes(ofDigits text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2), digits.count >= 2 * leastByteCount,
      digits[0] == UInt8(ascii: "0"), [UInt8(ascii: "0"), UInt8(ascii: "1")].contains(digits[1])
    else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = value(ofDigit: digits[index]), let low = value(ofDigit: digits[index + 1])
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func value(ofDigit digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Reads a text, in any letters.
  ///
  /// - Throws: ``GeometryError`` if it is no shape, or one of a kind that is not supported.
  init(wellKnownText text: String) throws(GeometryError) {
    let start = text.drop(while: \.isWhitespace)
    guard start.prefix(4).lowercased() == "srid" else {
      geometry = try Geometry(wellKnownText: text)
      spatialReferenceID = nil
      return
    }
    let parts = start.dropFirst(4).split(separator: ";", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Self.number(parts[0]) else {
      throw .malformed(
        .wellKnownText, place: "its beginning",
        reason: "the number of the spatial reference is missing")
    }
    geometry = try Geometry(wellKnownText: parts[1])
    spatialReferenceID = number == 0 ? nil : number
  }

  /// The number between `SRID` and the shape, behind its equals sign.
  private static func number(_ text: Substring) -> Int? {
    let words = text.filter { !$0.isWhitespace }
    guard words.first == "=" else { return nil }
    let digits = words.dropFirst()
    return digits.allSatisfy { "0"..."9" ~= $0 } ? Int(digits) : nil
  }
}
