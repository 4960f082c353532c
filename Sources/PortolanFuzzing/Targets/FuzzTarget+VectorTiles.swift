internal import Foundation
internal import PortolanArchives
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap
internal import PortolanPackages
internal import PortolanRendering
internal import PortolanTileFiles
internal import PortolanTiles

extension FuzzTarget {
  /// A vector tile is read and drawn, without a style.
  static let vectorTile = FuzzTarget(
    "vector-tile", cost: 2, seeds: VectorStyleSeeds.tiles
  ) { data in
    let source = InMemoryTileSource(
      info: TileSourceInfo(
        name: "t", scheme: .webMercator, levels: 0...0, declaredFormat: "pbf"),
      tiles: [TileID(level: 0, row: 0, column: 0): Tile(data: data, format: .vectorTile)])
    try await draw(.tiles(source))
  }

  /// Letters of a package of vector tiles are read, and a text is set in them.
  static let glyphs = FuzzTarget(
    "glyphs", cost: 8, seeds: VectorStyleSeeds.letters
  ) { data in
    try await draw(replacing: 1, by: data)
  }

  /// A style of vector tiles is read, and a small tile is drawn with it.
  static let vectorStyle = FuzzTarget(
    "vector-style", cost: 8, words: FormatWords.json + VectorStyleSeeds.words, form: .json,
    texts: VectorStyleSeeds.styles
  ) { data in
    try await draw(replacing: 0, by: data)
  }

  private static func draw(replacing part: Int, by data: Data) async throws {
    let files = PackagePart.files(
      of: try VectorStyleSeeds.parts(), replacing: part, by: data)
    let archive = MemoryByteSource(StoredArchive.data(of: files), name: "fuzzed.vtpk")
    try await draw(.vectorTiles(try VectorTilePackage.open(archive)))
  }

  private static func draw(_ content: LayerContent) async throws {
    let layer = DrawnLayer(layer: Layer(json: ["title": "Tiles"]), content: content)
    let frame = MapFrame(
      center: Coordinate(x: 0, y: 0), scale: 250_000_000, width: 64, height: 64,
      spatialReference: .webMercator, properties: .webMercator)
    _ = try await MapRenderer(layers: [layer]).picture(
      MapPictureRequest(frame: frame, concurrency: 1))
  }
}
