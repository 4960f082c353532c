internal import PortolanGeometry
public import PortolanJSON

/// The extent of a region as a document.
extension TileRegion {
  /// The document.
  public var json: JSONValue {
    switch self {
    case .box(let west, let south, let east, let north):
      ["box": [.number(west), .number(south), .number(east), .number(north)]]
    case .polygon(let polygon):
      ["polygon": .array(polygon.rings.map { Self.json($0.coordinates) })]
    case .circle(let center, let radius):
      ["circle": [.number(center.x), .number(center.y), .number(radius)]]
    case .corridor(let line, let padding):
      ["corridor": Self.json(line), "padding": .number(padding)]
    case .several(let regions): ["several": .array(regions.map(\.json))]
    }
  }

  /// Reads a document.
  ///
  /// - Returns: `nil` if it is none, or a part of it is none.
  public init?(json: JSONValue) {
    if let box = Self.numbers(json["box"]), box.count == 4 {
      self = .box(west: box[0], south: box[1], east: box[2], north: box[3])
    } else if let rings = json["polygon"]?.array {
      let lines = rings.compactMap(Self.coordinates)
      guard lines.count == rings.count else { return nil }
      self = .polygon(Polygon(rings: lines.map { Path($0) }))
    } else if let circle = Self.numbers(json["circle"]), circle.count == 3 {
      self = .circle(center: Coordinate(x: circle[0], y: circle[1]), radius: circle[2])
    } else if let padding = json["padding"]?.double,
      let line = json["corridor"].flatMap(Self.coordinates)
    {
      self = .corridor(along: line, padding: padding)
    } else if let parts = json["several"]?.array {
      let regions = parts.compactMap { TileRegion(json: $0) }
      guard regions.count == parts.count else { return nil }
      self = .several(regions)
    } else {
      return nil
    }
  }

  private static func json(_ line: [Coordinate]) -> JSONValue {
    .array(line.map { [.number($0.x), .number($0.y)] })
  }

  /// The numbers of an array that holds nothing else.
  private static func numbers(_ json: JSONValue?) -> [Double]? {
    guard let array = json?.array else { return nil }
    let numbers = array.compactMap(\.double)
    return numbers.count == array.count ? numbers : nil
  }

  private static func coordinates(_ json: JSONValue) -> [Coordinate]? {
    guard let places = json.array else { return nil }
    let coordinates = places.compactMap { place -> Coordinate? in
      guard let x = place[0]?.double, let y = place[1]?.double else { return nil }
      return Coordinate(x: x, y: y)
    }
    return coordinates.count == places.count ? coordinates : nil
  }
}
