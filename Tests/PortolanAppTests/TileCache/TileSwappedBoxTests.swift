import Foundation
import PortolanApp
import PortolanGeometry
import PortolanTestSupport
import Testing

/// Boxes whose latitude and longitude were exchanged.
@MainActor
@Suite(.temporaryDirectory) struct TileSwappedBoxTests {
  private nonisolated static let maine = TileRegionExtent.box(
    west: 43.5, south: -69, east: 44, north: -68.5)

  private func model(bounds: String) -> TileRegionsModel {
    let document = #"{"tiles": ["https://t/{z}/{x}/{y}.png"], "bounds": \#(bounds)}"#
    let surroundings = TileCacheSurroundings(
      file: temporaryDirectory.appending(path: "tiles/MapCache.sqlite"),
      transport: StubTransport { .json(document, to: $0) })
    return TileRegionsModel(surroundings)
  }

  private func request(_ ground: TileRegionExtent = maine) -> TileRegionRequest {
    TileRegionRequest(
      name: "Area 1", source: "https://h/tiles.json", extent: ground, levels: 3...4)
  }

  @Test func `A box that lies in what its source covers once it is exchanged is refused`()
    async throws
  {
    let model = model(bounds: "[-71, 43, -66, 47]")
    let plan = try await model.plan(request(), estimating: false)
    let meant = Envelope(xMin: -69, yMin: 43.5, xMax: -68.5, yMax: 44)
    #expect(plan.swappedBox == meant)
    #expect(plan.obstacle?.code == .areaOutside && !plan.canDownload)
    #expect(plan.obstacle?.suggestion == "Longitudes come first: -69.0,43.5,-68.5,44.0.")
    var options = TileSourceOptions()
    options.allowsBulk = true
    let refusal = await #expect(throws: Problem.self) {
      try await model.create(request(), options)
    }
    #expect(refusal?.code == .areaOutside)
    #expect(model.state.regions.isEmpty)
  }

  @Test(arguments: ["[179, -20, 182, -10]", "[-181, -20, -178, -10]"])
  func `A region beyond the antimeridian is no other place than that of its source`(
    _ bounds: String
  ) async throws {
    let fiji = TileRegionExtent.box(west: -179.5, south: -18, east: -179, north: -17)
    let plan = try await model(bounds: bounds).plan(request(fiji), estimating: false)
    #expect(plan.obstacle?.code != .areaOutside)
  }

  @Test func `A region that its source does not cover is refused, whatever its shape`()
    async throws
  {
    let circle = TileRegionExtent.circle(center: Coordinate(x: 10, y: 50), radius: 5_000)
    let plan = try await model(bounds: "[-71, 43, -66, 47]").plan(
      request(circle), estimating: false)
    #expect(plan.obstacle?.code == .areaOutside && plan.swappedBox == nil)
    #expect(plan.obstacle?.suggestion == "Choose a region that the source covers.")
  }

  @Test(arguments: ["[-180, -85, 180, 85]", "[100, 10, 110, 20]", "null"])
  func `A box that may be meant as it is gives no hint`(_ bounds: String) async throws {
    let plan = try await model(bounds: bounds).plan(request(), estimating: false)
    #expect(plan.swappedBox == nil)
  }

  @Test func `A box that lies in what its source covers gives no hint`() async throws {
    let right = TileRegionExtent.box(west: -69, south: 43.5, east: -68.5, north: 44)
    let plan = try await model(bounds: "[-71, 43, -66, 47]").plan(
      request(right), estimating: false)
    #expect(plan.swappedBox == nil && plan.obstacle?.code != .areaOutside)
  }
}
