internal import PortolanGeometry
public import PortolanJSON

/// The ground of a region as a document.
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
  /// - Returns: `nil` if it is none.
  public init?(json: JSONValue) {
    if let box = json["box"]?.array?.compactMap(\.double), box.count == 4 {
      self = .box(west: box[0], south: box[1], east: box[2], north: box[3])
    } else if let rings = json["polygon"]?.array {
      self = .polygon(Polygon(rings: rings.map { Path(Self.coordinates($0)) }))
    } else if let circle = json["circle"]?.array?.compactMap(\.double), circle.count == 3 {
      self = .circle(center: Coordinate(x: circle[0], y: circle[1]), radius: circle[2])
    } else if let line = json["corridor"], let padding = json["padding"]?.double {
      self = .corridor(along: Self.coordinates(line), padding: padding)
    } else if let regions = json["several"]?.array {
      self = .several(regions.compactMap { TileRegion(json: $0) })
    } else {
      return nil
    }
  }

  private static func json(_ line: [Coordinate]) -> JSONValue {
    .array(line.map { [.number($0.x), .number($0.y)] })
  }

  private static func coordinates(_ json: JSONValue) -> [Coordinate] {
    (json.array ?? []).compactMap { place in
      guard let x = place[0]?.double, let y = place[1]?.double else { return nil }
      return Coordinate(x: x, y: y)
    }
  }
}
