internal import PortolanJSON

extension Geometry {
  /// The shape as well-known text (OGC 06-103r4, 7), such as `LINESTRING (1 2, 3 4)`.
  ///
  /// Coordinates are written as they are, to the last bit. Heights are kept, measures are not; a box
  /// becomes a polygon, and several paths or areas the multi-part kind.
  public func wellKnownText() -> String {
    let value = geoJSON()
    let type = value["type"]?.string?.uppercased() ?? ""
    guard let coordinates = value["coordinates"], coordinates.array?.isEmpty == false else {
      return "\(type) EMPTY"
    }
    if type == "POINT" {
      let hasHeight = (coordinates.array?.count ?? 0) > 2
      return "POINT \(hasHeight ? "Z " : "")(\(Self.position(coordinates)))"
    }
    return type + (Self.hasHeight(coordinates) ? " Z " : " ") + Self.nested(coordinates)
  }

  /// Reads well-known text, in any letters; a number of a reference before it (`SRID=4326;`) is left
  /// out, as measures are.
  ///
  /// - Throws: ``GeometryError/malformed(_:place:reason:)``,
  ///   ``GeometryError/unsupported(_:feature:)`` for collections and curves.
  public init(wellKnownText text: some StringProtocol) throws(GeometryError) {
    var reader = WellKnownTextReader(text)
    self = try Geometry(geoJSON: try reader.geometry())
  }

  private static func hasHeight(_ value: JSONValue) -> Bool {
    guard let first = value.array?.first else { return false }
    return first.array == nil ? (value.array?.count ?? 0) > 2 : hasHeight(first)
  }

  private static func nested(_ value: JSONValue) -> String {
    let parts = value.array ?? []
    let texts = parts.map { part in
      part.array?.first?.array == nil ? position(part) : nested(part)
    }
    return "(" + texts.joined(separator: ", ") + ")"
  }

  private static func position(_ value: JSONValue) -> String {
    (value.array ?? []).map { $0.text() }.joined(separator: " ")
  }
}

/// Reads well-known text into the lists of GeoJSON, whose nesting is the same.
private struct WellKnownTextReader {
  private static let types = [
    "POINT": "Point", "LINESTRING": "LineString", "POLYGON": "Polygon", "MULTIPOINT": "MultiPoint",
    "MULTILINESTRING": "MultiLineString", "MULTIPOLYGON": "MultiPolygon",
  ]
  /// How deep lists may lie in one another: areas of several parts have three, a position less.
  private static let mostLists = 3

  private let bytes: [UInt8]
  private var index = 0
  /// Whether positions have a measure behind their last coordinate.
  private var hasMeasures = false

  init(_ text: some StringProtocol) { bytes = Array(text.utf8) }

  mutating func geometry() throws(GeometryError) -> JSONValue {
    var word = self.word()
    if word == "SRID", let end = bytes.firstIndex(of: UInt8(ascii: ";")) {
      index = end + 1
      word = self.word()
    }
    let flags = ["ZM", "Z", "M"]
    var flag = ""
    if Self.types[word] == nil, let found = flags.first(where: word.hasSuffix) {
      (flag, word) = (found, String(word.dropLast(found.count)))
    }
    guard let type = Self.types[word] else {
      guard word.isEmpty else {
        throw .unsupported(.wellKnownText, feature: "a shape of the kind \(word)")
      }
      throw fault("the kind of shape is missing")
    }
    var next = self.word()
    if flags.contains(next) { (flag, next) = (next, self.word()) }
    hasMeasures = flag.hasSuffix("M")
    if next == "EMPTY" { return try end(type, []) }
    guard next.isEmpty else { throw fault("\"(\" is missing") }
    let coordinates = try list(depth: 0)
    switch type {
    case "Point":
      guard coordinates.count == 1 else { throw fault("a point has one position") }
      return try end(type, coordinates[0])
    case "MultiPoint":
      // Each point may be in brackets of its own.
      let points = coordinates.map { part in
        if let inner = part.array?.first, inner.array != nil { inner } else { part }
      }
      return try end(type, .array(points))
    default: return try end(type, .array(coordinates))
    }
  }

  /// Makes sure that nothing follows.
  private mutating func end(
    _ type: String, _ coordinates: JSONValue
  ) throws(GeometryError)
    -> JSONValue
  {
    skipBlanks()
    guard index == bytes.count else { throw fault("something follows the shape") }
    return ["type": .string(type), "coordinates": coordinates]
  }

  /// The lists or positions between two brackets.
  private mutating func list(depth: Int) throws(GeometryError) -> [JSONValue] {
    guard take("(") else { throw fault("\"(\" is missing") }
    guard depth < Self.mostLists else { throw fault("lists are nested too deeply") }
    var parts: [JSONValue] = []
    repeat {
      skipBlanks()
      if index < bytes.count, bytes[index] == UInt8(ascii: "(") {
        parts.append(.array(try list(depth: depth + 1)))
      } else {
        parts.append(.array(try position()))
      }
    } while take(",")
    guard take(")") else { throw fault("\")\" is missing") }
    return parts
  }

  private mutating func position() throws(GeometryError) -> [JSONValue] {
    var numbers: [JSONValue] = []
    while true {
      skipBlanks()
      let start = index
      while index < bytes.count, !" \t\r\n,()".utf8.contains(bytes[index]) { index += 1 }
      if index == start { break }
      let text = String(decoding: bytes[start..<index], as: UTF8.self)
      guard let number = Double(text), number.isFinite else {
        throw fault("\"\(text.prefix(40))\" is no number")
      }
      numbers.append(.number(number))
    }
    if hasMeasures { numbers = Array(numbers.dropLast()) }
    guard numbers.count >= 2 else { throw fault("a position has two numbers") }
    return Array(numbers.prefix(3))
  }

  /// The next word, in capital letters; empty where none is.
  private mutating func word() -> String {
    skipBlanks()
    let start = index
    while index < bytes.count, UInt8(ascii: "A")...UInt8(ascii: "Z") ~= bytes[index] & 0xDF {
      index += 1
    }
    return String(decoding: bytes[start..<index], as: UTF8.self).uppercased()
  }

  private mutating func take(_ character: Character) -> Bool {
    skipBlanks()
    guard index < bytes.count, bytes[index] == character.asciiValue else { return false }
    index += 1
    return true
  }

  private mutating func skipBlanks() {
    while index < bytes.count, " \t\r\n".utf8.contains(bytes[index]) { index += 1 }
  }

  private func fault(_ reason: String) -> GeometryError {
    .malformed(.wellKnownText, place: "character \(index + 1)", reason: reason)
  }
}
