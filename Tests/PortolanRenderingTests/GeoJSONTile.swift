import Foundation
import PortolanJSON

/// GeoJSON as the one tile of the world, for tests of styles that name it as a source.
enum GeoJSONTile {
  static func tile(_ json: JSONValue, name: String, zoom: Int) -> Data {
    let side = 8192 << zoom
    var layer = ProtoMessage()
    layer.add(15, 2)
    layer.add(1, Array(name.utf8))
    var values: [JSONValue] = []
    var keys: [String] = []
    for feature in features(json) {
      guard let shape = shape(feature["geometry"] ?? .null, side) else { continue }
      var message = ProtoMessage()
      if let id = feature["id"]?.int, id >= 0 { message.add(1, id) }
      var tags: [Int] = []
      for member in feature["properties"]?.object?.members ?? [] {
        tags += [keys.count, values.count]
        keys.append(member.name)
        values.append(member.value)
      }
      message.add(2, tags.flatMap(ProtoMessage.varint))
      message.add(3, shape.kind)
      message.add(4, shape.commands.flatMap(ProtoMessage.varint))
      layer.add(2, message.bytes)
    }
    for key in keys { layer.add(3, Array(key.utf8)) }
    for value in values { layer.add(4, bytes(value)) }
    layer.add(5, side)
    var tile = ProtoMessage()
    tile.add(3, layer.bytes)
    return Data(tile.bytes)
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

  private static func shape(_ json: JSONValue, _ side: Int) -> (kind: Int, commands: [Int])? {
    let places = json["coordinates"] ?? .null
    let list = places.array ?? []
    switch json["type"]?.string {
    case "Point": return (1, commands([[places]], side, kind: 1))
    case "MultiPoint": return (1, commands([list], side, kind: 1))
    case "LineString": return (2, commands([list], side, kind: 2))
    case "MultiLineString": return (2, commands(list.map { $0.array ?? [] }, side, kind: 2))
    case "Polygon": return (3, commands(list.map { $0.array ?? [] }, side, kind: 3))
    case "MultiPolygon":
      return (3, commands(list.flatMap { $0.array ?? [] }.map { $0.array ?? [] }, side, kind: 3))
    default: return nil
    }
  }

  private static func commands(_ paths: [[JSONValue]], _ side: Int, kind: Int) -> [Int] {
    var last = (x: 0, y: 0)
    func step(_ position: JSONValue) -> [Int] {
      let place = Self.place(position, side)
      defer { last = place }
      return [ProtoMessage.zigzag(place.x - last.x), ProtoMessage.zigzag(place.y - last.y)]
    }
    return paths.flatMap { path -> [Int] in
      let path = kind == 3 ? Array(path.dropLast()) : path
      guard let first = path.first else { return [] }
      if kind == 1 { return [path.count << 3 | 1] + path.flatMap(step) }
      return [9] + step(first) + [(path.count - 1) << 3 | 2] + path.dropFirst().flatMap(step)
        + (kind == 3 ? [15] : [])
    }
  }

  private static func place(_ position: JSONValue, _ side: Int) -> (x: Int, y: Int) {
    let longitude = position[0]?.double ?? 0
    let sine = sin(min(max(position[1]?.double ?? 0, -85.06), 85.06) * .pi / 180)
    let down = 0.5 - 0.25 * log((1 + sine) / (1 - sine)) / .pi
    return (
      Int(((longitude + 180) / 360 * Double(side)).rounded()), Int((down * Double(side)).rounded())
    )
  }
}
