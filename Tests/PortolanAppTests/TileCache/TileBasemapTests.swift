import Foundation
import PortolanApp
import PortolanFeatures
import PortolanGeometry
import PortolanMap
import PortolanPackages
import PortolanTestSupport
import PortolanTiles
import Testing

/// Tiles below a map that is open.
@MainActor
@Suite(.temporaryDirectory) struct TileBasemapTests {
  private static func tiles(_ format: String = "png") -> ServedTiles {
    let info = TileSourceInfo(
      name: "t", scheme: .webMercator(tileSide: 256, levels: 0...4), declaredFormat: format)
    return ServedTiles(name: "Area 1", source: InMemoryTileSource(info: info, tiles: [:]))
  }

  @Test func `A region takes the place of the basemap, and the rest of the map stays`() async throws
  {
    let memory = MemoryMap(features: ["a": [Coordinate(x: 0, y: 0)]])
    let map = try memory.map([MemoryMap.layer("a")])
    let app = AppModel(opener: NoMaps())
    await #expect(throws: Problem.self) { try await app.setBasemap(Self.tiles()) }
    let model = MapModel(map: map)
    await model.load()
    model.setScale(12_345)
    await app.show(model)
    try await app.setBasemap(Self.tiles())
    let changed = try #require(app.map)
    #expect(changed.state.frame == model.state.frame && changed.state.problems.isEmpty)
    let titles = changed.tableOfContents.state.flattened.map(\.title)
    #expect(titles.contains("Area 1") && titles.count == 2)
    try await app.setBasemap(Self.tiles("pbf"))
    #expect(app.map?.state.problems.isEmpty == true)
    #expect(app.map?.tableOfContents.state.flattened.count == 2)
  }

  @Test func `Layers that were switched off stay off above another basemap`() async throws {
    let memory = MemoryMap(features: ["a": [], "b": []])
    let model = MapModel(map: try memory.map([MemoryMap.layer("a"), MemoryMap.layer("b")]))
    await model.load()
    model.setOn("a", false)
    let app = AppModel(opener: NoMaps())
    await app.show(model)
    try await app.setBasemap(Self.tiles())
    let layers = try #require(app.map).tableOfContents.state.flattened
    #expect(layers.filter(\.isOn).map(\.title).sorted() == ["Area 1", "b"])
  }

  @Test func `A map that is opened while another basemap is being set stays open`() async throws {
    let gate = Gate()
    var memory = MemoryMap(features: ["a": []])
    memory.whenAsked = { await gate.pass() }
    let model = MapModel(map: try memory.map([MemoryMap.layer("a")]))
    let other = MapModel(map: try MemoryMap().map([MemoryMap.layer("b")]))
    let app = AppModel(opener: NoMaps())
    await app.show(model)
    let setting = Task { try await app.setBasemap(Self.tiles()) }
    await gate.isReached()
    await app.show(other)
    await gate.open()
    await #expect {
      try await setting.value
    } throws: { ($0 as? Problem)?.kind == .cancellation }
    #expect(app.map === other)
  }

  @Test func `Edits that cannot be listed are reported over another basemap as well`() async throws
  {
    var memory = MemoryMap()
    memory.unreadableEdits = .damaged(
      file: "a.geodatabase", place: "its header", reason: "it is cut short")
    let model = MapModel(map: try memory.map([MemoryMap.layer("a")]))
    await model.load()
    let app = AppModel(opener: NoMaps())
    await app.show(model)
    try await app.setBasemap(Self.tiles())
    let changed = try #require(app.map)
    await #expect(throws: Problem.self) { try await changed.editing.changes() }
  }

  @Test(.needsSharedFiles) func `A file is opened for editing, and closed, over another basemap`()
    async throws
  {
    let url = temporaryDirectory.appending(path: "copy.gpkg")
    try SharedFiles.copy("samples/geopackage/raster_and_vector.gpkg", to: url)
    let package = try await MobileMapPackage.open(
      at: url, unpackingInto: temporaryDirectory, now: .now,
      editing: EditingEnvironment(now: { .now }, makeID: { UUID() }))
    let model = MapModel(map: try #require(package.maps.first))
    await model.load()
    let app = AppModel(opener: NoMaps())
    await app.show(model)
    try await app.setBasemap(Self.tiles())
    let changed = try #require(app.map)
    try await changed.editing.remove(1, in: "poly")
    #expect(try await changed.editing.changes().all.map(\.kind) == [.delete])
    #expect(FileManager.default.fileExists(atPath: url.path + "-wal"))
    await app.close()
    #expect(!FileManager.default.fileExists(atPath: url.path + "-wal"))
  }
}

/// Opens nothing.
private struct NoMaps: PackageOpening {
  func open(_ url: URL) async throws(PackageError) -> MobileMapPackage {
    throw .noSuchFile(url.lastPathComponent)
  }
}
