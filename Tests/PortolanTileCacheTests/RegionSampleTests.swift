import Foundation
import PortolanGeometry
import PortolanTestSupport
import PortolanTiles
import PortolanTransport
import Testing

@testable import PortolanTileCache

/// The tiles of a region that are examined to estimate its size.
@Suite(.temporaryDirectory) struct RegionSampleTests {
  private static let shapes: [TileRegion] = [
    .box(west: 10, south: 10, east: 20, north: 20),
    .box(west: 170, south: -20, east: -179, north: 20),
    .circle(center: Coordinate(x: 15, y: 15), radius: 300_000),
    .corridor(
      along: [Coordinate(x: 10, y: 10), Coordinate(x: 15, y: 12), Coordinate(x: 20, y: 20)],
      padding: 20_000),
    .several([
      .box(west: 10, south: 10, east: 12, north: 12),
      .box(west: 15, south: 10, east: 25, north: 12),
    ]),
  ]

  @Test(arguments: shapes) func `A sample has no tile twice, and all where there are no more`(
    _ region: TileRegion
  ) {
    let plan = RegionPlan(region, levels: 8...8)
    let count = plan.count
    for size in [1, 7, count - 1, count, count + 5] {
      var numbers = SplitMix64(seed: 3)
      let tiles = plan.shape.sample(of: size, among: count, level: 8, &numbers)
      #expect(tiles.count == min(size, count) && Set(tiles).count == tiles.count)
      #expect(tiles == tiles.sorted() && tiles.allSatisfy { plan.contains($0) })
    }
  }

  @Test func `Tiles of short rows are no likelier than those of long ones`() {
    let shape = RegionShape(
      .several([
        .box(west: 0, south: 40, east: 1, north: 41), .box(west: 0, south: 10, east: 90, north: 11),
      ]))
    let count = shape.count(level: 8)
    let narrow = RegionShape(.box(west: 0, south: 40, east: 1, north: 41)).count(level: 8)
    var numbers = SplitMix64(seed: 1)
    var seen = 0
    for _ in 0..<2_000 {
      let tiles = shape.sample(of: 1, among: count, level: 8, &numbers)
      if tiles.allSatisfy({ $0.row < 100 }) { seen += 1 }
    }
    let expected = 2_000 * narrow / count
    #expect(seen > expected / 2 && seen < expected * 2)
  }

  @Test func `The size of a fully examined region is exact`() async throws {
    let server = TileServerStub()
    let cache = try MapCache.stub(server)
    let plan = RegionPlan(
      .box(west: 10, south: 10, east: 12.3, north: 12.3), levels: 7...9)
    let estimate = try await cache.estimate(plan, samples: 96)
    #expect(estimate.sampleCount == plan.count && server.requests.count == plan.count)
    let size = server.paths.reduce(0) { $0 + TileServerStub.picture($1).count }
    #expect(estimate.byteCount == size...size && estimate.likelyByteCount == size)
  }

  @Test func `A server that is silent is not waited for with every sample`() async throws {
    let server = TileServerStub()
    let cache = try MapCache.stub(server)
    let plan = RegionPlan(
      .box(west: 10, south: 10, east: 12.3, north: 12.3), levels: 7...9)
    let row = try #require(plan.shape.rows(level: 7)?.first)
    let columns = try #require(plan.shape.columns(level: 7, row: row).first)
    let tile = TileID(level: 7, row: row, column: columns.lowerBound)
    _ = try await cache.loadTile(at: tile)
    server.fail(.timedOut("https://h", phase: .firstByte))
    let estimate = try await cache.estimate(plan, samples: 96)
    #expect(server.requests.count == 3)
    // The stored tile counts.
    #expect(estimate.sampleCount == 1 && estimate.likelyByteCount != nil)
    #expect(estimate.failure == nil)
  }

  @Test func `Why no tile could be looked at is named`() async throws {
    let server = TileServerStub()
    server.answerOthers(401)
    let plan = RegionPlan(.box(west: 10, south: 10, east: 11, north: 11), levels: 7...7)
    let estimate = try await MapCache.stub(server).estimate(plan)
    #expect(estimate.byteCount == nil && estimate.sampleCount == 0)
    guard case .signInNeeded(_, status: 401)? = estimate.failure else {
      Issue.record("it says \(String(describing: estimate.failure))")
      return
    }
  }
}
