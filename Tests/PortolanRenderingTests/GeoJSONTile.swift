import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanTiles

@testable import PortolanDrawing

/// GeoJSON cut into tiles, as renderers of styles do with sources of that kind.
struct GeoJSONTile {
  private static let side = 8192.0
  /// What of the tiles beside it a tile holds.
  private static let buffer = 2048.0

  private let id: TileID
  private var layer = ProtoMessage()
  private var keys: [String] = []
  private var values: [JSONValue] = []

  /// The bytes of a tile; its one layer is called `name`.
  static func tile(_ json: JSONValue, name: String, at id: TileID) -> Data {
    var tile = GeoJSONTile(id: id)
    tile.layer.add(15, 2)
    tile.layer.add(1, Array(name.utf8))
    for feature in features(json) { tile.add(feature) }
    for key in tile.keys { tile.layer.add(3, Array(key.utf8)) }
    for value in tile.values { tile.layer.add(4, bytes(value)) }
    tile.layer.add(5, Int(side))
    var message = ProtoMessage()
    message.add(3, tile.layer.bytes)
    return Data(message.bytes)
  }

  private init(id: TileID) { self.id = id }

  private mutating func add(_ feature: JSONValue) {
    guard let (kind, paths) = shape(feature["geometry"] ?? .null), !paths.isEmpty else { return }
    var message = ProtoMessage()
    if let id = feature["id"]?.int, id >= 0 { message.add(1, id) }
    var tags: [Int] = []
    for member in feature["properties"]?.object?.members ?? [] {
      tags += [keys.count, values.count]
      keys.append(member.name)
      values.append(member.value)
    }
    message.add(2, tags.flatMap(ProtoMessage.varint))
    message.add(3, kind)
    message.add(4, Self.commands(paths, kind: kind).flatMap(ProtoMessage.varint))
    layer.add(2, message.bytes)
  }

  private static func features(_ json: JSONValue) -> [JSONValue] {
    switch json["type"]?.string {
    case "FeatureCollection": json["features"]?.array ?? []
    case "Feature": [json]
    case nil: []
    default: [["type": "Feature", "properties": [:], "geometry": json]]
    }
  }

  private static func bytes(_ value: JSONValue) -> [UInt8] {
    var message = ProtoMessage()
    switch value {
    case .bool(let isTrue): message.add(7, isTrue ? 1 : 0)
    case .integer, .number:
      let bits = (value.double ?? 0).bitPattern
      return [3 << 3 | 1] + (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
    case .string(let text): message.add(1, Array(text.utf8))
    default: message.add(1, Array(value.text().utf8))
    }
    return message.bytes
  }
}

extension GeoJSONTile {
  /// The kind of a geometry and its parts in units of the tile, cut beside it.
  private func shape(_ json: JSONValue) -> (kind: Int, paths: [[Coordinate]])? {
    let places = json["coordinates"] ?? .null
    let list = places.array ?? []
    func lists(_ value: JSONValue) -> [JSONValue] { value.array ?? [] }
    switch json["type"]?.string {
    case "Point": return (1, points([places]))
    case "MultiPoint": return (1, points(list))
    case "LineString": return (2, lines([list]))
    case "MultiLineString": return (2, lines(list.map(lists)))
    case "Polygon": return (3, rings(list.map(lists)))
    case "MultiPolygon": return (3, list.flatMap { rings(lists($0).map(lists)) })
    default: return nil
    }
  }

  private var box: Envelope {
    Envelope(xMin: 0, yMin: 0, xMax: Self.side, yMax: Self.side).expanded(by: Self.buffer)
  }

  /// A line in the three worlds that the tile may see.
  private func worlds(_ places: [JSONValue]) -> [[Coordinate]] {
    let world = Self.side * exp2(Double(id.level))
    return [-1.0, 0, 1].map { number in
      places.map { position in
        let place = place(position)
        return Coordinate(x: place.x + number * world, y: place.y)
      }
    }
  }

  private func points(_ places: [JSONValue]) -> [[Coordinate]] {
    let points = worlds(places).joined().filter(box.contains)
    return points.isEmpty ? [] : [Array(points)]
  }

  private func lines(_ lines: [[JSONValue]]) -> [[Coordinate]] {
    lines.flatMap(worlds).flatMap { LineClipper.clip($0, to: box) }.filter { $0.count > 1 }
  }

  /// Outer rings run one way and holes the other, as tiles have it.
  private func rings(_ rings: [[JSONValue]]) -> [[Coordinate]] {
    [0, 1, 2].flatMap { world in
      rings.enumerated().compactMap { index, ring -> [Coordinate]? in
        let places = worlds(Array(ring.dropLast()))[world]
        let cut = RingClipper.clip(places, to: box)
        guard cut.count > 2 else { return nil }
        let area = zip(cut, cut.dropFirst() + cut.prefix(1))
          .reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y }
        return (area > 0) == (index == 0) ? cut : cut.reversed()
      }
    }
  }

  private func place(_ position: JSONValue) -> Coordinate {
    let longitude = position[0]?.double ?? 0
    let sine = sin(min(max(position[1]?.double ?? 0, -85.06), 85.06) * .pi / 180)
    let down = 0.5 - 0.25 * log((1 + sine) / (1 - sine)) / .pi
    let tiles = exp2(Double(id.level))
    return Coordinate(
      x: ((longitude + 180) / 360 * tiles - Double(id.column)) * Self.side,
      y: (down * tiles - Double(id.row)) * Self.side)
  }

  private static func commands(_ paths: [[Coordinate]], kind: Int) -> [Int] {
    var last = (x: 0, y: 0)
    func step(_ place: Coordinate) -> [Int] {
      let (x, y) = (Int(place.x.rounded()), Int(place.y.rounded()))
      defer { last = (x, y) }
      return [ProtoMessage.zigzag(x - last.x), ProtoMessage.zigzag(y - last.y)]
    }
    return paths.flatMap { path -> [Int] in
      if kind == 1 { return [path.count << 3 | 1] + path.flatMap(step) }
      return [9] + step(path[0]) + [(path.count - 1) << 3 | 2] + path.dropFirst().flatMap(step)
        + (kind == 3 ? [15] : [])
    }
  }
}
