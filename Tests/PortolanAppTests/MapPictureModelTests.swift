import Foundation
import PortolanApp
import PortolanGeometry
import PortolanImages
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanRendering
import PortolanTiles
import Testing

/// The pictures of a map in an app: snapshots, tiles, bookmarks.
@MainActor
@Suite struct MapPictureModelTests {
  private func model(drawing: any MapDrawing = PictureDrawing()) async throws -> MapModel {
    let map = try MemoryMap(features: ["a": [Coordinate(x: 0, y: 0), Coordinate(x: 60, y: 0)]])
      .map([MemoryMap.layer("a")])
    let model = MapModel(
      map: map, viewport: MapViewport(width: 400, height: 300), drawing: drawing)
    await model.load()
    return model
  }

  private func pixels(_ data: Data) throws -> PixelImage { try PixelImage(decoding: data) }

  @Test func `The feature whose popup is open is set off if asked for`() async throws {
    let model = try await model()
    await model.identify.identify(screenX: 200, y: 150)
    var options = SnapshotModel.Options()
    let plain = try await model.snapshot.draw(options)
    options.showsSelection = true
    #expect(try await model.snapshot.draw(options) == plain)
    try await model.popups.select(0)
    let set = try pixels(try await model.snapshot.draw(options).data)
    let cyan = set.pixels.count { $0 == 0xFF00_FFFF }
    #expect(cyan > 10)
    options.showsSelection = false
    #expect(try await model.snapshot.draw(options) == plain)
  }

  @Test func `A map without drawing answers, and says why there is no picture`() async throws {
    let model = try await model(drawing: NoDrawing())
    await model.identify.identify(screenX: 200, y: 150)
    #expect(model.popups.state.pages.count == 1)
    let problem = await #expect(throws: Problem.self) { try await model.snapshot.draw() }
    #expect(problem?.message.contains("without drawing") == true)
    #expect(model.legend.picture(of: .ramp([])) == nil)
    let tiles = try model.tiles.source()
    await #expect(throws: TileError.self) {
      try await tiles.tile(at: TileID(level: 18, row: 1 << 17, column: 1 << 17))
    }
  }

  @Test func `One call gives the map as tiles`() async throws {
    let model = try await model()
    let tiles = try model.tiles.source()
    // At level 18 a tile is 153 m wide, and the features lie around the corner of four.
    let middle = 1 << 17
    let east = try #require(
      try await tiles.tile(at: TileID(level: 18, row: middle, column: middle)))
    let west = try #require(
      try await tiles.tile(at: TileID(level: 18, row: middle, column: middle - 1)))
    #expect(east.format == .png)
    let marks = try [east, west].map { try pixels($0.data).pixels.count { $0 != 0xFFFF_FFFF } }
    #expect(marks[0] > 2 * marks[1] && marks[1] > 0)
    #expect(try await tiles.tile(at: TileID(level: 24, row: 0, column: 0)) == nil)
  }

  @Test func `Served tiles state the extent of the map, and are drawn outside of it too`()
    async throws
  {
    let memory = MemoryMap(features: ["a": [Coordinate(x: 0, y: 0)]])
    let plain = try memory.map([MemoryMap.layer("a")])
    let model = MapModel(
      map: MobileMap(
        name: "m",
        item: MobileMapItem(json: ["extent": [[-70, 43], [-69, 44]]], fallbackTitle: "Map"),
        webMap: plain.webMap, contents: memory),
      viewport: MapViewport(width: 400, height: 300), drawing: PictureDrawing())
    await model.load()
    let tiles = try model.tiles.servedSource()
    let extent = try #require(tiles.info.fullExtent)
    let degrees = try Projection(from: .webMercator, to: .wgs84).project(extent)
    #expect(abs(degrees.xMin + 70) < 1e-6 && abs(degrees.yMax - 44) < 1e-6)
    #expect(try await tiles.tile(at: TileID(level: 18, row: 1 << 17, column: 1 << 17)) != nil)
  }

  @Test func `Served tiles of a map without an extent are of the whole world`() async throws {
    let model = try await model()
    #expect(try model.tiles.servedSource().info.fullExtent == nil)
  }

  @Test func `Tiles show the layers that were on when they were asked for`() async throws {
    let model = try await model()
    let on = try model.tiles.source()
    let key = try #require(model.tableOfContents.state.layers.first?.id)
    model.setOn(key, false)
    let off = try model.tiles.source()
    let id = TileID(level: 18, row: 1 << 17, column: 1 << 17)
    #expect(try await on.tile(at: id) != off.tile(at: id))
  }

  @Test func `A bookmark has a picture of its place`() async throws {
    let model = try await model()
    let data = try await model.bookmarks.thumbnail(at: 0)
    let image = try pixels(try #require(data))
    #expect(image.width == 200 && image.height == 133)
    #expect(try await model.bookmarks.thumbnail(at: 1) == nil)
    await #expect(throws: Problem.self) { try await model.bookmarks.thumbnail(at: 2) }
    #expect(model.bookmarks.state.selection == nil)
  }
}
