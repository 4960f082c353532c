import Foundation
import PortolanGeometry
import PortolanTiles
import Testing

@testable import PortolanTileCache

/// Squares of tiles, in which regions note what they have.
@Suite struct TileBlockTests {
  /// Rows 128 to 255 and columns 256 to 383 of level 9.
  private let empty = TileBlock(level: 9, row: 1, column: 2)

  private func tile(_ row: Int, _ column: Int) -> TileID {
    TileID(level: 9, row: row, column: column)
  }

  private func stretches(_ block: TileBlock) -> [String] {
    block.stretches.map { "\($0.row): \($0.columns.lowerBound)..<\($0.columns.upperBound)" }
  }

  @Test func `A block is known again by its bytes, up to its corners`() {
    let tiles = [tile(128, 256), tile(200, 300), tile(255, 383)]
    var block = empty
    for tile in tiles { block.insert(tile) }
    #expect(block.tiles == tiles && block.count == 3 && !block.isEmpty)
    #expect(tiles.allSatisfy { TileBlock(around: $0) == empty && block.contains($0) })
    #expect(!block.contains(tile(128, 257)))
    let bytes = block.data
    #expect(TileBlock(level: 9, row: 1, column: 2, bits: bytes) == block)
    // Of more or fewer bytes than there should be those are read that belong to it.
    #expect(TileBlock(level: 9, row: 1, column: 2, bits: bytes + Data([255])) == block)
    let part = TileBlock(level: 9, row: 1, column: 2, bits: bytes.prefix(1))
    #expect(part.tiles == [tile(128, 256)])
    block.remove(tile(200, 300))
    #expect(block.tiles == [tile(128, 256), tile(255, 383)])
  }

  /// Triangles whose edge crosses the antimeridian where a row of tiles ends, a little less or more than
  /// numbers can tell.
  @Test(
    arguments: [(0.1, 5), (0.6, 1), (1.2, 1), (1.7, 3), (2, 1), (2.3, 5)] as [(Double, Double)])
  func `What crosses the antimeridian where a row ends has no empty columns`(
    _ latitude: Double, _ width: Double
  ) {
    let triangle = Polygon(rings: [
      Path([
        Coordinate(x: -180 - width, y: latitude), Coordinate(x: -180 + width, y: -latitude),
        Coordinate(x: -180 + width, y: latitude),
      ])
    ])
    for level in 6...9 {
      let plan = RegionPlan(.polygon(triangle), levels: level...level)
      var planned: Set<TileID> = []
      for row in plan.shape.rows(level: level) ?? 0..<0 {
        for columns in plan.shape.columns(level: level, row: row) {
          #expect(!columns.isEmpty && columns.upperBound <= 1 << level)
          planned.formUnion(columns.map { TileID(level: level, row: row, column: $0) })
        }
      }
      #expect(plan.count == planned.count)
      #expect(Set(PlannedBlocks(plan).flatMap(\.tiles)) == planned)
    }
  }

  @Test func `Levels that no map has are in no plan, and make no record of a region`() {
    #expect(RegionPlan(.world, levels: -3...2).levels == 0...2)
    #expect(RegionPlan(.world, levels: 29...70).levels == 29...30)
    #expect(RegionPlan(.world, levels: 0...70).count > 1 << 60)
    let record = RegionDefinition(
      RegionPlan(.world, levels: 3...4), planned: 1, skipsBlank: false, blankTile: nil,
      isImported: false
    ).record
    #expect(RegionDefinition(record)?.plan.levels == 3...4)
    for levels in ["[3,64]", "[-1,4]", "[4,3]"] {
      let text = String(decoding: record, as: UTF8.self).replacing("[3,4]", with: levels)
      #expect(RegionDefinition(Data(text.utf8)) == nil)
    }
  }

  @Test func `Stretches end at holes, at the ends of rows and at those of the block`() {
    var block = empty
    block.insert(row: 130, columns: 250..<260)
    #expect(stretches(block) == ["130: 256..<260"])
    block.remove(row: 130, columns: 257..<258)
    #expect(stretches(block) == ["130: 256..<257", "130: 258..<260"])
    block.insert(row: 140, columns: 380..<400)
    block.insert(row: 141, columns: 256..<258)
    #expect(stretches(block).suffix(2) == ["140: 380..<384", "141: 256..<258"])
  }

  @Test func `Completed work is subtracted from what is planned, and nothing else`() {
    var (planned, done) = (empty, empty)
    planned.insert(row: 130, columns: 256..<260)
    done.insert(row: 130, columns: 258..<300)
    #expect(planned.subtracting(done).tiles == [tile(130, 256), tile(130, 257)])
    #expect(planned.subtracting(planned).isEmpty && done.subtracting(planned).count == 40)
  }

  @Test(arguments: [
    TileRegion.box(west: 80, south: -2, east: 100, north: 2),
    .box(west: 175, south: 60, east: -175, north: 62),
    .circle(center: Coordinate(x: 90, y: 0), radius: 200_000),
  ])
  func `The blocks of a plan hold its tiles, each once, level by level`(_ region: TileRegion) {
    let plan = RegionPlan(region, levels: 5...9)
    let tiles = PlannedBlocks(plan).flatMap(\.tiles)
    #expect(tiles.count == plan.count && Set(tiles).count == tiles.count)
    #expect(tiles.allSatisfy(plan.contains))
    #expect(tiles.map(\.level) == tiles.map(\.level).sorted())
    #expect(Array(PlannedBlocks(plan)).count > plan.levels.count)
  }
}
