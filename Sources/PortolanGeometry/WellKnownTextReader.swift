internal import PortolanJSON

/// Reads well-known text: what has no arcs into the lists of GeoJSON, whose nesting is the same.
struct WellKnownTextReader {
  private static let flags = ["ZM", "Z", "M"]
  private static let types = [
    "POINT": "Point", "LINESTRING": "LineString", "POLYGON": "Polygon", "MULTIPOINT": "MultiPoint",
    "MULTILINESTRING": "MultiLineString", "MULTIPOLYGON": "MultiPolygon",
  ]
  /// The maximum depth of nested lists: areas of several parts have three, a position less.
  private static let mostLists = 3

  private let bytes: [UInt8]
  private var index = 0
  /// Whether positions have a measure behind their last coordinate.
  private(set) var hasMeasures = false
  /// Whether measures are read in the place of heights.
  private let takesMeasures: Bool
  /// The number of arcs that were replaced by straight lines.
  var arcCount = 0

  /// Reads a text; positions have a height and no measure, or with `takesMeasures` the measure in its place.
  init(_ text: some StringProtocol, takesMeasures: Bool = false) {
    bytes = Array(text.utf8)
    self.takesMeasures = takesMeasures
  }

  mutating func geometry() throws(GeometryError) -> Geometry {
    var kind = self.kind()
    if kind == "SRID", let end = bytes.firstIndex(of: UInt8(ascii: ";")) {
      index = end + 1
      kind = self.kind()
    }
    guard !kind.isEmpty else { throw fault("the kind of shape is missing") }
    let geometry: Geometry
    if let type = Self.types[kind] {
      geometry = try Geometry(
        geoJSON: ["type": .string(type), "coordinates": try coordinates(type)])
    } else if let curved = try curved(kind) {
      geometry = curved
    } else {
      throw .unsupported(.wellKnownText, feature: "a shape of the kind \(kind)")
    }
    skipBlanks()
    guard index == bytes.count else { throw fault("something follows the shape") }
    return geometry
  }

  /// The kind of a shape or part, in capital letters, behind which may be what its positions have;
  /// empty where none is.
  mutating func kind() -> String {
    let beginning = index
    var kind = word()
    // A part without a kind may be empty.
    if kind == "EMPTY" {
      index = beginning
      return ""
    }
    let isPlain = Self.types[kind] != nil || Self.curves.contains(kind)
    if !isPlain, let flag = Self.flags.first(where: kind.hasSuffix) {
      kind = String(kind.dropLast(flag.count))
      hasMeasures = flag.hasSuffix("M")
    }
    let start = index
    let flag = word()
    if Self.flags.contains(flag) {
      hasMeasures = flag.hasSuffix("M")
    } else {
      index = start
    }
    return kind
  }

  private mutating func coordinates(_ type: String) throws(GeometryError) -> JSONValue {
    guard try begins() else { return [] }
    let coordinates = try list(depth: 0)
    switch type {
    case "Point":
      guard coordinates.count == 1 else { throw fault("a point has one position") }
      return coordinates[0]
    case "MultiPoint":
      // Each point may be in brackets of its own.
      let points = coordinates.map { part in
        if let inner = part.array?.first, inner.array != nil { inner } else { part }
      }
      return .array(points)
    default: return .array(coordinates)
    }
  }

  /// Whether there is a list, which begins here, rather than the word for none.
  mutating func begins() throws(GeometryError) -> Bool {
    let word = word()
    if word == "EMPTY" { return false }
    skipBlanks()
    guard word.isEmpty, index < bytes.count, bytes[index] == UInt8(ascii: "(") else {
      throw fault("\"(\" is missing")
    }
    return true
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
        parts.append(.array(try position().map { .number($0) }))
      }
    } while take(",")
    guard take(")") else { throw fault("\")\" is missing") }
    return parts
  }

  mutating func position() throws(GeometryError) -> [Double] {
    var numbers: [Double] = []
    while true {
      skipBlanks()
      let start = index
      while index < bytes.count, !" \t\r\n,()".utf8.contains(bytes[index]) { index += 1 }
      if index == start { break }
      let text = String(decoding: bytes[start..<index], as: UTF8.self)
      // A measure that is missing is no number.
      guard let number = Double(text), number.isFinite || number.isNaN && hasMeasures else {
        throw fault("\"\(text.prefix(40))\" is no number")
      }
      numbers.append(number)
    }
    let measure = hasMeasures ? numbers.popLast() : nil
    guard numbers.count >= 2 else { throw fault("a position has two numbers") }
    guard numbers.allSatisfy(\.isFinite) else { throw fault("a coordinate is no number") }
    guard takesMeasures else { return Array(numbers.prefix(3)) }
    return Array(numbers.prefix(2)) + [measure ?? .nan]
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

  mutating func take(_ character: Character) -> Bool {
    skipBlanks()
    guard index < bytes.count, bytes[index] == character.asciiValue else { return false }
    index += 1
    return true
  }

  private mutating func skipBlanks() {
    while index < bytes.count, " \t\r\n".utf8.contains(bytes[index]) { index += 1 }
  }

  func fault(_ reason: String) -> GeometryError {
    .malformed(.wellKnownText, place: "character \(index + 1)", reason: reason)
  }
}
