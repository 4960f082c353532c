import Foundation
import PortolanJSON
import PortolanTiles
import Testing

@testable import PortolanTileFiles

@Suite struct VectorTileMapTests {
  static func map(_ text: String) throws -> VectorTileMap {
    try VectorTileMap(JSONValue(parsing: text), file: "test.vtpk", place: "tilemap/root.json")
  }

  @Test func `Children are north-west, north-east, south-west, south-east`() throws {
    let map = try Self.map(#"{"index":[1,0,0,[0,1,0,0]]}"#)
    #expect(map.tileCounts == [0: 1, 1: 2, 2: 1])
    #expect(map.contains(TileID(level: 0, row: 0, column: 0)))
    #expect(map.contains(TileID(level: 1, row: 0, column: 0)))
    #expect(map.contains(TileID(level: 1, row: 1, column: 1)))
    #expect(map.contains(TileID(level: 2, row: 2, column: 3)))
    #expect(!map.contains(TileID(level: 1, row: 0, column: 1)))
    #expect(!map.contains(TileID(level: 2, row: 0, column: 0)))
  }

  @Test func `Leaves that represent finer tiles are counted`() throws {
    let map = try Self.map(#"{"index":[1,0,0,[0,1,0,[1,1,0,0]]]}"#)
    #expect(map.leafCount(aboveLevel: 3) == 2)
    #expect(map.leafCount(aboveLevel: 2) == 1)
    #expect(map.leafCount(aboveLevel: 1) == 0)
  }

  @Test(arguments: [
    (TileID(level: 5, row: 7, column: 9), TileID(level: 1, row: 0, column: 0)),
    (TileID(level: 2, row: 2, column: 3), TileID(level: 2, row: 2, column: 3)),
    (TileID(level: 23, row: 5 << 20, column: 7 << 20), TileID(level: 2, row: 2, column: 3)),
    (TileID(level: 2, row: 3, column: 3), nil),
    (TileID(level: 1, row: 0, column: 1), nil),
    (TileID(level: 1, row: 2, column: 0), nil),
    (TileID(level: -1, row: 0, column: 0), nil),
    (TileID(level: 99, row: 0, column: 0), nil),
    (TileID(level: 3, row: -1, column: 0), nil),
  ])
  func `A leaf represents all tiles below it`(_ tile: TileID, _ expected: TileID?) throws {
    let map = try Self.map(#"{"index":[1,0,0,[0,1,0,0]]}"#)
    #expect(map.tileToOverzoom(for: tile) == expected)
  }

  @Test func `A package may consist of one tile, or of none`() throws {
    let one = try Self.map(#"{"index":1}"#)
    #expect(one.tileCounts == [0: 1])
    #expect(
      one.tileToOverzoom(for: TileID(level: 7, row: 3, column: 3))
        == TileID(level: 0, row: 0, column: 0))
    let none = try Self.map(#"{"index":0}"#)
    #expect(none.tileCounts.isEmpty)
    #expect(!none.contains(TileID(level: 0, row: 0, column: 0)))
  }

  @Test(arguments: [
    #"{}"#, #"[]"#, #"{"index":2}"#, #"{"index":[1,1,1]}"#, #"{"index":[1,1,1,1,1]}"#,
    #"{"index":[1,1,1,"1"]}"#, #"{"index":[1,1,1,null]}"#, #"{"index":{"index":[1,1,1,1]}}"#,
    #"{"index":[0,0,0,-1]}"#, #"{"index":[0,0,0,0.5]}"#,
  ])
  func `A node that means nothing is refused`(_ text: String) {
    #expect(throws: TileError.self) { try Self.map(text) }
  }

  @Test(arguments: [40, 500]) func `A tree of too many levels is refused`(_ depth: Int) {
    let text =
      String(repeating: "[0,0,0,", count: depth) + "1" + String(repeating: "]", count: depth)
    #expect(throws: TileError.self) { try Self.map(#"{"index":\#(text)}"#) }
  }
}
