internal import Foundation
internal import PortolanArchives
internal import PortolanJSON
internal import PortolanProtobuf
internal import PortolanTiles

/// The layers that vector tiles have, gathered tile by tile for files that have to name them.
///
/// - SeeAlso: [MBTiles 1.3, vector tileset metadata](https://github.com/mapbox/mbtiles-spec)
struct VectorTileLayers {
  /// The most bytes of a tile, decompressed.
  private static let largestTile = 64 << 20
  /// Layers, and fields of a layer, beyond these are not listed: no map has so many.
  private static let mostNames = 4_096

  private struct Layer {
    var levels: ClosedRange<Int>
    var fields: [String: String] = [:]
  }

  private var layers: [String: Layer] = [:]

  /// Takes note of the layers of a tile; those before its first damage, if it is damaged.
  mutating func add(_ data: Data, at id: TileID) {
    let plain =
      Gzip.isCompressed(data)
      // What cannot be decompressed has no layers that anyone could draw.
      ? try? Gzip.decompress(data, limit: Self.largestTile, name: "tile") : data
    guard let plain else { return }
    unsafe plain.withUnsafeBytes { bytes in
      var message = unsafe PBFCursor(bytes)
      // What comes before the damage counts.
      try? add(&message, id.level)
    }
  }

  /// Takes in the layers of others.
  mutating func formUnion(_ other: VectorTileLayers) {
    layers.merge(other.layers) { mine, theirs in
      let lowest = min(mine.levels.lowerBound, theirs.levels.lowerBound)
      let highest = max(mine.levels.upperBound, theirs.levels.upperBound)
      return Layer(
        levels: lowest...highest,
        fields: mine.fields.merging(theirs.fields) { $0 == $1 ? $0 : "String" })
    }
  }

  /// Their metadata, with the layers that are declared but in no tile that is here.
  func metadata(completing told: JSONValue?) -> JSONValue {
    let missing = (told?["vector_layers"]?.array ?? []).filter { layer in
      layer["id"]?.string.map { layers[$0] == nil } ?? false
    }
    return ["vector_layers": .array((metadata["vector_layers"]?.array ?? []) + missing)]
  }

  /// What files say about them: an object with `vector_layers`.
  var metadata: JSONValue {
    [
      "vector_layers": .array(
        layers.sorted { $0.key < $1.key }.map { name, layer in
          let fields = layer.fields.sorted { $0.key < $1.key }
          return [
            "id": .string(name), "minzoom": .integer(Int64(layer.levels.lowerBound)),
            "maxzoom": .integer(Int64(layer.levels.upperBound)),
            "fields": .object(
              JSONObject(fields.map { .init(name: $0.key, value: .string($0.value)) })),
          ]
        })
    ]
  }

  private mutating func add(_ tile: inout PBFCursor, _ level: Int) throws(PBFError) {
    while !tile.isAtEnd {
      let tag = try tile.tag()
      guard tag.field == 3, tag.type == .lengthDelimited else {
        try tile.skip(tag.type)
        continue
      }
      var layer = try tile.message()
      try add(layer: &layer, level)
    }
  }

  private mutating func add(layer message: inout PBFCursor, _ level: Int) throws(PBFError) {
    var name = ""
    var (keys, types, features) = ([String](), [String](), [PBFCursor]())
    while !message.isAtEnd {
      let tag = try message.tag()
      switch (tag.field, tag.type) {
      case (1, .lengthDelimited): name = try message.string()
      case (2, .lengthDelimited): features.append(try message.message())
      case (3, .lengthDelimited): keys.append(try message.string())
      case (4, .lengthDelimited): types.append(try Self.type(try message.message()))
      default: try message.skip(tag.type)
      }
    }
    guard layers[name] != nil || layers.count < Self.mostNames else { return }
    var layer = layers[name] ?? Layer(levels: level...level)
    layer.levels = min(level, layer.levels.lowerBound)...max(level, layer.levels.upperBound)
    defer { layers[name] = layer }
    for feature in features { try Self.add(feature, keys, types, to: &layer.fields) }
  }

  /// Takes note of the fields of a feature; one that has values of several types is text.
  private static func add(
    _ feature: PBFCursor, _ keys: [String], _ types: [String], to fields: inout [String: String]
  ) throws(PBFError) {
    var feature = feature
    while !feature.isAtEnd {
      let tag = try feature.tag()
      guard tag.field == 2, tag.type == .lengthDelimited else {
        try feature.skip(tag.type)
        continue
      }
      var pairs = try feature.message()
      while !pairs.isAtEnd {
        let (key, value) = (try pairs.varint(), try pairs.varint())
        guard key < UInt64(keys.count), value < UInt64(types.count) else { continue }
        let (name, type) = (keys[Int(key)], types[Int(value)])
        guard let known = fields[name] else {
          if fields.count < mostNames { fields[name] = type }
          continue
        }
        if known != type { fields[name] = "String" }
      }
    }
  }

  /// The type of a value, in the words of the specification.
  private static func type(_ message: PBFCursor) throws(PBFError) -> String {
    var message = message
    while !message.isAtEnd {
      let tag = try message.tag()
      switch tag.field {
      case 1: return "String"
      case 2...6: return "Number"
      case 7: return "Boolean"
      default: try message.skip(tag.type)
      }
    }
    return "String"
  }
}
