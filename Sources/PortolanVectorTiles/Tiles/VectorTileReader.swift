internal import Foundation
internal import PortolanArchives
internal import PortolanExpressions
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanImages
internal import PortolanProtobuf

/// Reads Mapbox vector tiles.
///
/// - SeeAlso: [Vector tile specification 2.1](https://github.com/mapbox/vector-tile-spec)
struct VectorTileReader {
  /// Tiles that decompress to more than this are no tiles.
  private static let maximumSize = 1 << 25
  /// Vertices of one tile; a few bytes can ask for many.
  private static let maximumVertices = 4_000_000

  private var vertices = 0

  /// Reads a tile, compressed with gzip or not; empty data are a tile without layers.
  static func tile(_ data: Data) throws(ImageDecodingError) -> VectorTile {
    do {
      let plain =
        Gzip.isCompressed(data)
        ? try Gzip.decompress(data, limit: maximumSize, name: "tile") : data
      guard plain.count <= maximumSize else { throw ImageDecodingError.damaged }
      var reader = VectorTileReader()
      return try unsafe plain.withUnsafeBytes { bytes in
        try unsafe reader.tile(PBFCursor(bytes))
      }
    } catch {
      throw .damaged
    }
  }

  private mutating func tile(_ message: PBFCursor) throws -> VectorTile {
    var message = message
    var layers: [VectorTileLayer] = []
    while !message.isAtEnd {
      let tag = try message.tag()
      guard tag.field == 3, tag.type == .lengthDelimited else {
        try message.skip(tag.type)
        continue
      }
      layers.append(try layer(try message.message()))
    }
    return VectorTile(layers: layers)
  }

  private mutating func layer(_ message: PBFCursor) throws -> VectorTileLayer {
    var message = message
    var layer = VectorTileLayer(name: "", extent: 4096, features: [])
    var keys: [String] = []
    var values: [StyleValue] = []
    var features: [PBFCursor] = []
    while !message.isAtEnd {
      let tag = try message.tag()
      switch (tag.field, tag.type) {
      case (1, .lengthDelimited): layer.name = try message.string()
      case (2, .lengthDelimited): features.append(try message.message())
      case (3, .lengthDelimited): keys.append(try message.string())
      case (4, .lengthDelimited): values.append(try Self.value(try message.message()))
      case (5, .varint): layer.extent = max(Double(try message.varint()), 1)
      default: try message.skip(tag.type)
      }
    }
    for feature in features {
      if let feature = try self.feature(feature, keys, values) { layer.features.append(feature) }
    }
    return layer
  }

  private static func value(_ message: PBFCursor) throws -> StyleValue {
    var message = message
    var value = StyleValue.null
    while !message.isAtEnd {
      let tag = try message.tag()
      switch (tag.field, tag.type) {
      case (1, .lengthDelimited): value = .text(try message.string())
      case (2, .fixed32): value = .number(Double(Float(bitPattern: try message.fixed32())))
      case (3, .fixed64): value = .number(try message.double())
      case (4, .varint): value = .number(Double(Int64(bitPattern: try message.varint())))
      case (5, .varint): value = .number(Double(try message.varint()))
      case (6, .varint): value = .number(Double(try message.zigzag()))
      case (7, .varint): value = .bool(try message.varint() != 0)
      default: try message.skip(tag.type)
      }
    }
    return value
  }

  private mutating func feature(
    _ message: PBFCursor, _ keys: [String], _ values: [StyleValue]
  ) throws -> VectorTileFeature? {
    var message = message
    var id: StyleValue?
    var kind: VectorTileFeature.Kind?
    var properties: FeatureProperties = [:]
    var paths: [[Coordinate]] = []
    while !message.isAtEnd {
      let tag = try message.tag()
      switch (tag.field, tag.type) {
      case (1, .varint): id = .number(Double(try message.varint()))
      case (2, .lengthDelimited):
        var tags = try message.message()
        while !tags.isAtEnd {
          let (key, value) = (try tags.varint(), try tags.varint())
          guard key < keys.count, value < values.count else { continue }
          properties[keys[Int(key)]] = values[Int(value)]
        }
      case (3, .varint): kind = Self.kind(try message.varint())
      case (4, .lengthDelimited): paths = try self.paths(try message.message())
      default: try message.skip(tag.type)
      }
    }
    return kind.map {
      VectorTileFeature(id: id, kind: $0, properties: properties, paths: paths)
    }
  }

  private static func kind(_ number: UInt64) -> VectorTileFeature.Kind? {
    switch number {
    case 1: .point
    case 2: .line
    case 3: .polygon
    default: nil
    }
  }

  /// Follows the pen: commands with their number of repeats, and steps from vertex to vertex.
  private mutating func paths(_ list: PBFCursor) throws -> [[Coordinate]] {
    var list = list
    var paths: [[Coordinate]] = []
    var (x, y) = (Int64(0), Int64(0))
    while !list.isAtEnd {
      let command = try list.varint()
      let (kind, count) = (command & 7, command >> 3)
      guard kind == 1 || kind == 2 else {
        guard kind == 7 else { throw ImageDecodingError.damaged }
        continue
      }
      // Each step takes two bytes at the least.
      guard count <= UInt64(list.count / 2) else { throw ImageDecodingError.damaged }
      vertices += Int(count)
      guard vertices <= Self.maximumVertices else { throw ImageDecodingError.damaged }
      for _ in 0..<count {
        x &+= try list.zigzag()
        y &+= try list.zigzag()
        let place = Coordinate(x: Double(x), y: Double(y))
        if kind == 1 {
          paths.append([place])
        } else {
          paths.indices.last.map { paths[$0].append(place) }
        }
      }
    }
    return paths
  }
}
