import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanRendering
import PortolanTestSupport
import PortolanTileFiles
import PortolanTiles

/// Draws a made tile with a style, as a package holds both; a unit of the tile is a pixel.
enum DrawnStyle {
  /// Street-like names along lines, places, and areas.
  static let town = MadeVectorTile.tile([
    (
      "areas",
      [
        .init(
          shape: .area([(40, 40), (200, 40), (200, 150), (40, 150)]),
          properties: [("name", "Long Meadow")])
      ]
    ),
    (
      "roads",
      [
        .init(
          shape: .line([(20, 230), (120, 225), (240, 205), (330, 165), (400, 110), (440, 40)]),
          properties: [("name", "Riverside Avenue")]),
        .init(shape: .line([(490, 300), (256, 300)]), properties: [("name", "Station Road")]),
        .init(shape: .line([(256, 300), (20, 300)]), properties: [("name", "Station Road")]),
      ]
    ),
    (
      "places",
      [
        .init(
          shape: .points([(300, 80)]), properties: [("name", "Old Harbour Lighthouse")],
          numbers: [("rank", 1)]),
        .init(shape: .points([(120, 370)]), properties: [("name", "Mill")], numbers: [("rank", 2)]),
        .init(
          shape: .points([(350, 370)]), properties: [("name", "Église")], numbers: [("rank", 3)]),
      ]
    ),
  ])

  static func package(
    _ style: JSONValue, tile: Data = town, resources: [(path: String, data: Data)] = []
  ) throws -> VectorTilePackage {
    let file = temporaryDirectory.appending(path: "\(UUID().uuidString).vtpk")
    let scheme = TileScheme(
      origin: Coordinate(x: -256, y: 256), tileWidth: 512, tileHeight: 512,
      spatialReference: .webMercator,
      levels: [TileScheme.Level(level: 0, resolution: 1, scale: 3779.527_559_055_1)])
    var writer = try VectorTilePackageWriter(
      at: file,
      TilePackageDescription(
        name: "Town", scheme: scheme,
        fullExtent: Envelope(xMin: -256, yMin: -256, xMax: 256, yMax: 256)), style: style,
      resources: resources)
    try writer.add(tile, at: TileID(level: 0, row: 0, column: 0))
    try writer.finish()
    return try VectorTilePackage.open(file)
  }

  static func picture(
    _ style: JSONValue, tile: Data = town, resources: [(path: String, data: Data)] = [],
    width: Double = 512, height: Double = 400, rotation: Double = 0, pixelRatio: Double = 1
  ) async throws -> MapPicture {
    let package = try package(style, tile: tile, resources: resources)
    return try await SmallMap.picture(
      [DrawnLayer(layer: Layer(json: ["title": "Town"]), content: .vectorTiles(package))],
      frame: SmallMap.frame(width: width, height: height, rotation: rotation),
      pixelRatio: pixelRatio)
  }
}
