internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap
internal import PortolanProtobuf

/// The style of the vector tiles, with what it refers to.
struct VectorTileStyle: Sendable {
  /// The font that labels are written in; its glyphs are empty, for nothing here draws text.
  static let font = "Portolan Sans Regular"

  /// The files beside the style, by their paths below `resources`.
  let resources: [(path: String, data: Data)]

  init() throws {
    resources = [
      ("sprites/sprite.json", Self.spriteIndex(1).encoded()),
      ("sprites/sprite.png", try Self.sprite(1)),
      ("sprites/sprite@2x.json", Self.spriteIndex(2).encoded()),
      ("sprites/sprite@2x.png", try Self.sprite(2)),
      ("fonts/\(Self.font)/0-255.pbf", Self.glyphs("0-255")),
      ("fonts/\(Self.font)/256-511.pbf", Self.glyphs("256-511")),
    ]
  }

  /// The style; its addresses are relative to its own.
  static let json: JSONValue = [
    "version": 8, "sprite": "../sprites/sprite", "glyphs": "../fonts/{fontstack}/{range}.pbf",
    "sources": ["esri": ["type": "vector", "url": "../../"]],
    "layers": [
      layer("Parks", "fill", ["fill-color": "#b7d3a8"]),
      layer("Lakes", "fill", ["fill-color": "#9cc3dd", "fill-outline-color": "#5e8ca8"]),
      layer("Trails", "line", ["line-color": "#8a5a2b", "line-width": 1.5]),
      layer("Towns", "circle", ["circle-color": "#444444", "circle-radius": 3]),
      layer("Lighthouses", "symbol", [:], ["icon-image": "Lighthouses"]),
      layer(
        "Towns", "symbol", ["text-color": "#222222"],
        ["text-field": "{NAME}", "text-font": [.string(font)], "text-size": 11], id: "Names"),
    ],
  ]

  private static func layer(
    _ source: String, _ type: String, _ paint: JSONValue, _ layout: JSONValue = [:],
    id: String? = nil
  ) -> JSONValue {
    [
      "id": .string(id ?? source), "type": .string(type), "source": "esri",
      "source-layer": .string(source), "layout": layout, "paint": paint,
    ]
  }

  private static func spriteIndex(_ scale: Int64) -> JSONValue {
    [
      "Lighthouses": [
        "x": 0, "y": 0, "width": .integer(12 * scale), "height": .integer(12 * scale),
        "pixelRatio": .integer(scale), "sdf": false,
      ]
    ]
  }

  /// A red diamond.
  private static func sprite(_ scale: Int) throws -> Data {
    let extent = Envelope(xMin: 0, yMin: 0, xMax: 12, yMax: 12)
    let canvas = try Canvas(
      of: extent, width: 12 * scale, height: 12 * scale,
      background: RGBAColor(red: 255, green: 255, blue: 255, alpha: 0))
    let corners = [(6.0, 1.0), (11, 6), (6, 11), (1, 6), (6, 1)].map {
      Coordinate(x: $0.0, y: $0.1)
    }
    canvas.fill(Polygon(rings: [Path(corners)]), RGBAColor(red: 178, green: 34, blue: 34))
    return try canvas.pngData()
  }

  /// A font stack without glyphs.
  private static func glyphs(_ range: String) -> Data {
    var writer = ProtobufWriter()
    writer.message(field: 1) { stack in
      stack.string(font, field: 1)
      stack.string(range, field: 2)
    }
    return writer.data
  }
}
