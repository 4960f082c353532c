import PortolanGeometry
import PortolanJSON
import PortolanTiles
import Testing

/// The extent of sources of vector tiles, by a style.
struct StyleSourceLimitTests {
  private static let land = [0xC0, 0x20, 0x40]
  private static let nothing = [255, 255, 255]

  /// The middle of a world of land in four tiles, at the zoom 1.
  private static func picture(_ declared: JSONObject) async throws -> StyledWorld.Picture {
    let whole = [(0, 0), (512, 0), (512, 512), (0, 512)]
    let tile = Tile(
      data: MadeVectorTile.tile([("land", [.init(shape: .area(whole))])]), format: .vectorTile)
    var tiles: [TileID: Tile] = [:]
    for row in 0...1 {
      for column in 0...1 { tiles[TileID(level: 1, row: row, column: column)] = tile }
    }
    let source = InMemoryTileSource(
      info: TileSourceInfo(
        name: "world", scheme: .webMercator(tileSide: 512, levels: 1...1), levels: 1...1,
        declaredFormat: "pbf"), tiles: tiles)
    var declaration: JSONObject = ["type": "vector"]
    for member in declared.members { declaration[member.name] = member.value }
    return try await StyledWorld.picture(
      [
        "version": 8, "sources": ["world": .object(declaration)],
        "layers": [
          [
            "id": "land", "type": "fill", "source": "world", "source-layer": "land",
            "paint": ["fill-color": "#c02040"],
          ]
        ],
      ], sources: ["world": source], zoom: 1)
  }

  @Test(
    arguments: [
      ([:], [land, land, land, land]),
      (["bounds": [-180, 0, 0, 85.0511]], [land, nothing, nothing, nothing]),
      (["bounds": [10, -80, 20, 80]], [nothing, land, nothing, land]),
      (["bounds": [20, 0, 10, 1]], [land, land, land, land]),
      (["minzoom": 1], [land, land, land, land]),
      (["minzoom": 2], [nothing, nothing, nothing, nothing]),
    ] as [(JSONObject, [[Int]])])
  func `Tiles are drawn where and from when on the style says that a source has any`(
    _ declared: JSONObject, _ expected: [[Int]]
  ) async throws {
    let picture = try await Self.picture(declared)
    #expect(picture.omissions == [])
    let places = [(100, 100), (400, 100), (100, 400), (400, 400)]
    #expect(places.map { picture.color($0.0, $0.1) } == expected)
  }
}
