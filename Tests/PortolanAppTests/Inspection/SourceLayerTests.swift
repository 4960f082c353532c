import Foundation
import PortolanJSON
import PortolanPackages
import PortolanTestSupport
import PortolanTiles
import Testing

@testable import PortolanApp

/// The layers in vector tiles, as `inspect` reports them.
@Suite(.temporaryDirectory) struct SourceLayerTests {
  /// A source of which only what it says of itself matters.
  private struct DescribedTiles: TileSource {
    var document: JSONValue?
    var format = "pbf"
    var counts = [0: 1, 2: 4, 5: 16]

    var info: TileSourceInfo {
      TileSourceInfo(
        name: "Roads", scheme: .webMercator(tileSide: 512, levels: 0...5), declaredFormat: format)
    }
    var tileIDs: TileIDs { InMemoryTileSource(info: info, tiles: [:]).tileIDs }

    func tile(at id: TileID) throws(TileError) -> Tile? { nil }
    func tileCounts() throws(TileError) -> [Int: Int] { counts }
    func metadata() throws(TileError) -> JSONValue? { document }
  }

  private static let document: JSONValue = [
    "vector_layers": [
      [
        "id": "roads", "description": "Ways for cars", "minzoom": 2, "maxzoom": 5,
        "fields": ["name": "String", "lanes": "Number"],
      ],
      ["id": "rivers", "description": "rivers", "fields": [:]],
    ],
    "tilestats": ["layers": [["layer": "roads", "count": 12, "geometry": "LineString"]]],
  ]

  @Test func `Layers have their fields, levels and shapes as the document says`() async throws {
    let layers = await SourceLayer.layers(of: DescribedTiles(document: Self.document))
    let roads = try #require(layers.first)
    #expect(layers.map(\.name) == ["roads", "rivers"])
    #expect(roads.fields.map { "\($0.name) \($0.type)" } == ["lanes Number", "name String"])
    #expect(roads.levels == 2...5 && roads.count == 12 && roads.geometry == "LineString")
    #expect(roads.summary == "Ways for cars")
    // A description that only repeats the name says nothing.
    #expect(layers[1] == SourceLayer(name: "rivers"))
  }

  @Test func `Tiles of pictures and tiles without a document have no layers`() async {
    #expect(await SourceLayer.layers(of: DescribedTiles(document: nil)).isEmpty)
    let pictures = DescribedTiles(document: Self.document, format: "png")
    #expect(await SourceLayer.layers(of: pictures).isEmpty)
  }

  @Test func `The document of an inspection lists the layers`() async throws {
    var inspection = Inspection(kind: .pmtiles)
    inspection.tileSets = [
      try await Inspection.TileSet(of: DescribedTiles(document: Self.document))
    ]
    let layers = inspection.json["tileSets"]?[0]?["layers"]
    #expect(layers?[0]?["levels"] == [2, 5])
    #expect(layers?[0]?["fields"]?[0] == ["name": "lanes", "type": "Number"])
  }

  /// The number of tiles by level, and the levels of the layer that is declared on 2 to 5.
  private static let levels: [([Int: Int], ClosedRange<Int>?)] = [
    ([0: 1, 3: 2, 4: 1], 2...4), ([3: 1, 9: 1], 3...5), ([0: 1, 1: 4], nil), ([:], 2...5),
  ]

  @Test(arguments: levels)
  func `The levels of layers are those on which there are tiles`(
    _ counts: [Int: Int], _ levels: ClosedRange<Int>?
  ) async throws {
    let tiles = DescribedTiles(document: Self.document, counts: counts)
    #expect(try await Inspection.TileSet(of: tiles).layers.first?.levels == levels)
  }

  @Test(.needsSharedFiles) func `A package lists its layers`() async throws {
    let inspection = try await FileInspector(
      opener: DiskFileOpener(packages: FilePackageOpener(unpackingInto: temporaryDirectory))
    ).inspect(
      SharedFiles.url("samples/tile-packages/dodge_city.vtpk"))
    let layers = try #require(inspection.tileSets.first?.layers)
    #expect(layers.map(\.geometry) == ["LineString", "Point", "Polygon"])
  }
}
