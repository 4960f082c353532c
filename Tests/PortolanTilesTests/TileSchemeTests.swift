import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanTestSupport
import PortolanTiles
import Testing

@Suite struct TileSchemeTests {
  let scheme = TileScheme.webMercator

  @Test func `The web scheme halves resolution and scale with each level`() throws {
    #expect(scheme.levels.map(\.level) == Array(0...23))
    let last = try #require(scheme.levels.last)
    #expect(abs(last.resolution - 0.018661383852976041) < 1e-11)
    #expect(abs(last.scale - 70.5310735) < 1e-6)
  }

  @Test func `One tile of level 0 covers the world`() throws {
    let world = try #require(scheme.envelope(of: TileID(level: 0, row: 0, column: 0)))
    #expect(abs(world.xMax - 20_037_508.342787) < 0.02)
    #expect(abs(world.yMin + 20_037_508.342787) < 0.02)
  }

  @Test(arguments: [
    (Coordinate(x: 0, y: 0), 1, TileID(level: 1, row: 1, column: 1)),
    (Coordinate(x: -0.1, y: 0.1), 1, TileID(level: 1, row: 0, column: 0)),
    // Portland, Maine.
    (Coordinate(x: -7_820_000, y: 5_412_000), 10, TileID(level: 10, row: 373, column: 312)),
    (
      Coordinate(x: -20_037_508.342787, y: 20_037_508.342787), 23,
      .init(level: 23, row: 0, column: 0)
    ),
  ])
  func `A place lies in its tile`(_ place: Coordinate, _ level: Int, _ expected: TileID) throws {
    let tile = try #require(scheme.tile(containing: place, level: level))
    #expect(tile == expected)
    let envelope = try #require(scheme.envelope(of: tile))
    #expect(envelope.expanded(by: 1e-6).contains(place))
  }

  @Test(arguments: [
    Coordinate(x: -20_037_600, y: 0), Coordinate(x: 0, y: 20_037_600), Coordinate(x: .nan, y: 0),
    Coordinate(x: 0, y: -.infinity), Coordinate(x: 1e300, y: 0),
  ])
  func `A place that no tile can hold has none`(_ place: Coordinate) {
    #expect(scheme.tile(containing: place, level: 3) == nil)
    #expect(scheme.tile(containing: Coordinate(x: 0, y: 0), level: 99) == nil)
  }

  @Test(arguments: [TileID(level: 4, row: 6, column: 5), TileID(level: 17, row: 40_000, column: 9)])
  func `The envelope of a tile is covered by that tile alone`(_ tile: TileID) throws {
    let envelope = try #require(scheme.envelope(of: tile))
    let range = try #require(scheme.range(covering: envelope, level: tile.level))
    #expect(Array(range) == [tile])
  }

  @Test(arguments: [(1e-9, 1), (1e-3, 9)])
  func `An edge that is rounded past that of a tile does not call for the next one`(
    _ share: Double, _ count: Int
  ) throws {
    let tile = TileID(level: 10, row: 400, column: 300)
    let envelope = try #require(scheme.envelope(of: tile))
    let wider = envelope.expanded(by: envelope.width * share)
    let range = try #require(scheme.range(covering: wider, level: tile.level))
    #expect(Array(range).count == count)
  }

  @Test func `A point is covered by one tile`() throws {
    let point = Envelope(xMin: 5, yMin: 5, xMax: 5, yMax: 5)
    let range = try #require(scheme.range(covering: point, level: 8))
    #expect(Array(range) == [TileID(level: 8, row: 127, column: 128)])
  }

  @Test func `Ranges count without being enumerated`() {
    let world = Envelope(xMin: -20_037_508, yMin: -20_037_508, xMax: 20_037_508, yMax: 20_037_508)
    let counts = scheme.ranges(covering: world, levels: 0...23).map(\.count)
    #expect(counts == (0...23).map { 1 << (2 * $0) })
  }

  @Test func `An endless envelope is cut off, a senseless one covers nothing`() throws {
    let endless = Envelope(xMin: -.infinity, yMin: -.infinity, xMax: .infinity, yMax: .infinity)
    let range = try #require(scheme.range(covering: endless, level: 0))
    #expect(range.columns == 0..<TileScheme.maximumSide)
    #expect(scheme.range(covering: .empty, level: 0) == nil)
    let nowhere = Envelope(xMin: .nan, yMin: 0, xMax: .nan, yMax: 1)
    #expect(scheme.range(covering: nowhere, level: 0) == nil)
  }

  @Test(arguments: [(156_543.03392800014, 0), (156_000, 1), (80_000, 1), (1e9, 0), (1e-9, 23)])
  func `The level for a resolution stretches no pixel`(_ resolution: Double, _ expected: Int) {
    #expect(scheme.level(forResolution: resolution)?.level == expected)
  }

  @Test(arguments: [(591_657_527.6, 0), (295_828_763.79577702, 1), (9_000, 17), (0, 23)])
  func `The level for a scale is at least as close`(_ scale: Double, _ expected: Int) {
    #expect(scheme.level(forScale: scale)?.level == expected)
  }

  @Test func `A scheme survives being written and read`() throws {
    let json = try JSONValue(parsing: scheme.tileInfo.encoded())
    #expect(try TileScheme(tileInfo: json, file: "test") == scheme)
  }

  @Test(.needsSharedFiles) func `The scheme of the official example is read`() throws {
    let path = "fixtures/tilepackage/Esri-tile-package-spec__root.json"
    let root = try JSONValue(parsing: SharedFiles.data(path))
    let scheme = try TileScheme(tileInfo: #require(root["tileInfo"]), file: path)
    #expect(scheme.levels.count == 24)
    #expect(scheme.origin == Coordinate(x: -20037508.342787001, y: 20037508.342787001))
    #expect(scheme.spatialReference.isWebMercator)
  }

  @Test func `Levels come out coarsest first, each once`() throws {
    let json: JSONValue = [
      "origin": ["x": 0, "y": 0],
      "lods": [
        ["level": 3, "resolution": 1, "scale": 4000], ["level": 1, "resolution": 4],
        ["level": 3, "resolution": 2], ["level": 9, "resolution": 0], ["level": "x"],
      ],
    ]
    let scheme = try TileScheme(tileInfo: json, file: "test")
    #expect(scheme.levels.map(\.level) == [1, 3])
    #expect(scheme.levels.map(\.resolution) == [4, 1])
  }

  @Test(arguments: [
    #"{}"#,
    #"{"origin":{"x":0,"y":0}}"#,
    #"{"origin":{"x":0,"y":0},"rows":0,"lods":[{"level":0,"resolution":1}]}"#,
    #"{"origin":{"x":0,"y":0},"cols":99999999,"lods":[{"level":0,"resolution":1}]}"#,
    #"{"origin":{"x":0,"y":0},"lods":[{"level":0,"resolution":-1}]}"#,
    #"[1,2]"#,
  ])
  func `A scheme that places no tile is refused`(_ text: String) throws {
    let json = try JSONValue(parsing: text)
    #expect(throws: TileError.self) { try TileScheme(tileInfo: json, file: "test") }
  }
}
