import Foundation
import PortolanApp
import PortolanImages
import PortolanTestSupport
import PortolanTiles
import Testing

/// The serving of tiles to other programs by the screen of the tile cache, and its reports on a
/// place.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct TileServingTests {
  private nonisolated static let address = "https://tiles.example/{z}/{x}/{y}.png"

  private let server = TileWorld()

  private func model() -> TileRegionsModel {
    var surroundings = TileCacheSurroundings(
      file: temporaryDirectory.appending(path: "tiles/MapCache.sqlite"),
      transport: server.transport)
    surroundings.now = { [server] in server.date }
    surroundings.clock = CountingClock()
    surroundings.freeSpace = { _ in 1_000_000_000 }
    return TileRegionsModel(surroundings)
  }

  private func modelWithRegion(
    _ name: String = "Area 1"
  ) async throws -> TileRegionsModel {
    let model = model()
    var allowed = TileSourceOptions()
    allowed.allowsBulk = true
    try await model.create(
      TileRegionRequest(
        name: name, source: Self.address,
        extent: .box(west: 10, south: 10, east: 11, north: 11), levels: 5...8), allowed)
    try await model.download(name)
    return model
  }

  @Test func `Regions and sources are served until that is ended, and the state says where`()
    async throws
  {
    let model = try await modelWithRegion()
    try await model.startServing()
    let serving = try #require(model.state.server)
    #expect(serving.url.host() == "127.0.0.1")
    #expect(serving.layers.map(\.name) == ["Area 1", "tiles.example"])
    try await model.startServing()
    #expect(model.state.server == serving, "one server is enough")
    try await model.load()
    #expect(model.state.server == serving, "looking at the cache ends nothing")
    let port = UInt16(try #require(serving.url.port))
    let taken = await #expect(throws: Problem.self) { try await model.serve([], port: port) }
    #expect(taken?.code == .portInUse)
    await model.stopServing()
    #expect(model.state.server == nil)
    let free = try await model.serve([], port: port)
    await free.stop()
  }

  @Test(.needsTool("curl"))
  func `Pictures are enlarged beyond their last level where that is wanted`() async throws {
    let pixels = [UInt32](repeating: 0xFF00_80FF, count: 256 * 256)
    let picture = try #require(PixelImage(width: 256, height: 256, pixels: pixels)).pngData()
    let source = InMemoryTileSource(
      info: TileSourceInfo(
        name: "hills", scheme: .webMercator(tileSide: 256, levels: 0...3), levels: 0...3,
        declaredFormat: "png"),
      tiles: [TileID(level: 3, row: 2, column: 1): Tile(data: picture, format: .png)])
    let tiles = [ServedTiles(name: "hills", source: source)]
    for (level, status) in [(nil, "404"), (5, "200")] {
      let server = try await model().serve(tiles, enlargingTo: level)
      let address = "\(server.serving.url)hills/5/5/9.png"
      let answer = try await Tool.runOnThread(
        "curl", ["--silent", "--output", "/dev/null", "--write-out", "%{http_code}", address])
      await server.stop()
      #expect(answer.output == status, "\(answer.errors)")
    }
  }

  @Test func `Sets of one name are served under names of their own`() async throws {
    let source = InMemoryTileSource(
      info: TileSourceInfo(
        name: "x", scheme: .webMercator(tileSide: 256, levels: 0...3), levels: 0...3,
        declaredFormat: "png"),
      tiles: [:])
    let tiles = ["x", "x", "x-2", "x"].map { ServedTiles(name: $0, source: source) }
    let server = try await model().serve(tiles)
    await server.stop()
    #expect(server.serving.layers.map(\.name) == ["x", "x-3", "x-2", "x-4"])
    #expect(Set(server.serving.layers.map(\.tileJSON)).count == 4)
  }

  @Test func `Where there is nothing to serve nothing is served`() async throws {
    let model = model()
    let problem = await #expect(throws: Problem.self) { try await model.startServing() }
    #expect(problem?.kind == .absence)
    #expect(model.state.server == nil)
    #expect(!model.exists)
  }

  @Test func `At a place each source says why its tile is here or not`() async throws {
    let model = try await modelWithRegion()
    let inside = try await model.explain(longitude: 10.5, latitude: 10.5, level: 7)
    let tile = try #require(inside.first)
    #expect(inside.count == 1 && tile.tile.level == 7)
    #expect(tile.regions.map(\.name) == ["Area 1"] && tile.regions.first?.part == .kept)
    let outside = try await model.explain(longitude: -60, latitude: 45, level: 7)
    #expect(outside.first?.byteCount == nil && outside.first?.regions == [])
    let beyond = await #expect(throws: Problem.self) {
      try await model.explain(longitude: 10, latitude: 89, level: 7)
    }
    #expect(beyond != nil)
  }

  @Test func `A source is asked for its nearest level`() async throws {
    let model = model()
    var options = TileSourceOptions()
    options.highestLevel = 6
    try await model.addSource(at: Self.address, options)
    let known = try await model.explain(longitude: 10.5, latitude: 10.5, level: 19)
    #expect(known.map(\.tile.level) == [6])
  }

  @Test func `All regions are asked whether their tiles have changed`() async throws {
    let model = try await modelWithRegion()
    let before = server.requests
    server.move(by: 86_400)
    #expect(try await model.startUpdates() == ["Area 1"])
    await model.waitUntilIdle()
    #expect(server.requests > before)
    #expect(model.state.regions.map(\.status) == [.complete])
  }
}
