import Foundation

/// Bytes of protocol buffers.
struct ProtoMessage {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ field: Int, _ value: Int) {
    bytes += Self.varint(field << 3) + Self.varint(value)
  }

  mutating func add(_ field: Int, _ content: [UInt8]) {
    bytes += Self.varint(field << 3 | 2) + Self.varint(content.count) + content
  }

  static func varint(_ value: Int) -> [UInt8] {
    var rest = UInt(bitPattern: value)
    var bytes: [UInt8] = []
    while rest > 127 {
      bytes.append(UInt8(rest & 127) | 128)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  static func zigzag(_ value: Int) -> Int { value << 1 ^ value >> 63 }
}

/// A vector tile of 512 units, made for a test.
enum MadeVectorTile {
  enum Shape {
    case points([(Int, Int)])
    case line([(Int, Int)])
    case area([(Int, Int)])
  }

  struct Feature {
    var shape: Shape
    var properties: [(String, String)] = []
    var numbers: [(String, Double)] = []
  }

  static func tile(_ layers: [(name: String, features: [Feature])]) -> Data {
    var tile = ProtoMessage()
    for layer in layers { tile.add(3, Self.layer(layer.name, layer.features)) }
    return Data(tile.bytes)
  }

  private static func layer(_ name: String, _ features: [Feature]) -> [UInt8] {
    var layer = ProtoMessage()
    layer.add(15, 2)
    layer.add(1, Array(name.utf8))
    var count = 0
    for feature in features {
      var message = ProtoMessage()
      let total = feature.properties.count + feature.numbers.count
      message.add(
        2, (count..<count + total).flatMap { ProtoMessage.varint($0) + ProtoMessage.varint($0) })
      count += total
      message.add(3, feature.shape.kind)
      message.add(4, feature.shape.commands.flatMap { ProtoMessage.varint($0) })
      layer.add(2, message.bytes)
    }
    for feature in features {
      for name in feature.properties.map(\.0) + feature.numbers.map(\.0) {
        layer.add(3, Array(name.utf8))
      }
    }
    for feature in features {
      for (_, text) in feature.properties {
        var value = ProtoMessage()
        value.add(1, Array(text.utf8))
        layer.add(4, value.bytes)
      }
      for (_, number) in feature.numbers {
        let bits = number.bitPattern
        layer.add(4, [3 << 3 | 1] + (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) })
      }
    }
    layer.add(5, 512)
    return layer.bytes
  }
}

extension MadeVectorTile.Shape {
  var kind: Int {
    switch self {
    case .points: 1
    case .line: 2
    case .area: 3
    }
  }

  /// The moves of the pen: 9 moves once, 15 closes.
  var commands: [Int] {
    var last = (0, 0)
    func step(_ place: (Int, Int)) -> [Int] {
      defer { last = place }
      return [ProtoMessage.zigzag(place.0 - last.0), ProtoMessage.zigzag(place.1 - last.1)]
    }
    switch self {
    case .points(let places): return [places.count << 3 | 1] + places.flatMap(step)
    case .line(let places):
      return [9] + step(places[0]) + [(places.count - 1) << 3 | 2]
        + places.dropFirst().flatMap(step)
    case .area(let places):
      return [9] + step(places[0]) + [(places.count - 1) << 3 | 2]
        + places.dropFirst().flatMap(step) + [15]
    }
  }
}
