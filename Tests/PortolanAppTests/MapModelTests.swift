import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanPackages
import Testing

@testable import PortolanApp

@MainActor
@Suite struct MapModelTests {
  func model(_ layers: JSONValue...) async throws -> MapModel {
    let model = MapModel(
      map: try MemoryMap(features: ["a": [Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 0)]])
        .map(layers))
    await model.load()
    return model
  }

  @Test func `A map opens at its own viewpoint`() async throws {
    let model = try await model(MemoryMap.layer("a"))
    #expect(model.state.frame.scale == 1000)
    #expect(model.state.frame.center == Coordinate(x: 0, y: 0))
    #expect(model.state.isLoaded)
  }

  @Test func `Credits name the shown layers' authors, each once and without HTML`()
    async throws
  {
    let model = try await model(
      MemoryMap.layer("a", ["copyright": "<b>USGS</b>"]),
      MemoryMap.layer("b", ["copyright": "USGS"]),
      MemoryMap.layer("c", ["copyright": "Nobody", "visibility": false]),
      MemoryMap.layer("d", ["attribution": "OpenStreetMap"]))
    #expect(model.credits == "OpenStreetMap, USGS")
    model.tableOfContents.setOn("d", false)
    #expect(model.credits == "USGS")
    #expect(try await self.model(MemoryMap.layer("a")).credits == nil)
  }

  /// Lets nobody through before so many have come.
  private actor Meeting {
    private var missing: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(of count: Int) { missing = count }

    func join() async {
      missing -= 1
      guard missing <= 0 else { return await withCheckedContinuation { waiting.append($0) } }
      for guest in waiting { guest.resume() }
      waiting = []
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `Layers are looked for at once, so that what is locked is waited for once`() async throws {
    let meeting = Meeting(of: 3)
    let place = [Coordinate(x: 0, y: 0)]
    let map = MemoryMap(
      features: ["a": place, "b": place, "c": place], whenAsked: { await meeting.join() })
    let model = MapModel(map: try map.map(["a", "b", "c"].map { MemoryMap.layer($0) }))
    await model.load()
    #expect(model.state.isLoaded && model.state.problems.isEmpty)
    #expect(model.contents.count == 3)
  }

  @Test func `A position on the screen and a place are each other's`() async throws {
    var frame = try await model(MemoryMap.layer("a")).state.frame
    for rotation in [0.0, 30, 90, 200] {
      frame.rotation = rotation
      let place = frame.location(ofScreenX: 100, y: 700)
      let point = frame.screenPoint(of: place)
      #expect(abs(point.x - 100) < 1e-6 && abs(point.y - 700) < 1e-6)
    }
    frame.rotation = 0
    #expect(frame.location(ofScreenX: 512, y: 0).y > 0)
  }

  @Test func `A bookmark of a place that the map does not cover has no picture`() async throws {
    let whole = try MemoryMap(features: [:]).map([])
    #expect(MapModel(map: whole).bookmarks.state.bookmarks.map(\.hasPicture) == [true, false])
    let item = MobileMapItem(json: ["extent": [[10, 10], [11, 11]]], fallbackTitle: "Part")
    let part = MobileMap(
      name: whole.name, item: item, webMap: whole.webMap, contents: whole.contents)
    let model = MapModel(map: part)
    #expect(model.bookmarks.state.bookmarks.map(\.hasPicture) == [false, false])
    #expect(try await model.bookmarks.thumbnail(at: 0) == nil)
  }

  @Test func `Going to a bookmark moves the view`() async throws {
    let model = try await model(MemoryMap.layer("a"))
    try model.bookmarks.go(to: 0)
    #expect(model.state.frame.center == Coordinate(x: 1000, y: 0))
    #expect(model.state.frame.scale == 5000)
    #expect(model.bookmarks.state.selection == 0)
  }

  @Test(arguments: [1, 2, -1]) func `A bookmark without a place, or none, is a problem`(
    _ index: Int
  ) async throws {
    let model = try await model(MemoryMap.layer("a"))
    #expect(throws: Problem.self) { try model.bookmarks.go(to: index) }
    #expect(model.state.frame.scale == 1000)
  }

  @Test func `The list follows the scale`() async throws {
    let model = try await model(MemoryMap.layer("a", ["minScale": 2000]))
    #expect(model.tableOfContents.state.layers.first?.isVisible == true)
    model.setScale(3000)
    #expect(model.tableOfContents.state.layers.first?.isVisible == false)
    #expect(model.tableOfContents.state.layers.first?.isOn == true)
  }

  @Test func `The shape of the selected feature is in degrees, whatever the map is in`()
    async throws
  {
    let place = Coordinate(x: 111_319.490793, y: 222_684.208506)
    let model = MapModel(
      map: try MemoryMap(features: ["a": [place]]).map([MemoryMap.layer("a")]))
    await model.load()
    await model.identify.identify(longitude: 1, latitude: 2)
    try await model.popups.select(0)
    guard case .point(let point) = model.popups.state.selection?.geometry else {
      Issue.record("\(model.popups.state)")
      return
    }
    #expect(abs(point.x - 1) < 1e-6 && abs(point.y - 2) < 1e-4)
  }

  @Test func `Popups are paged round, each with its feature`() async throws {
    let model = try await model(MemoryMap.layer("a"))
    await model.identify.identify(screenX: 512, y: 384)
    try await model.popups.select(0)
    #expect(model.popups.state.selection?.feature.objectID == 1)
    try await model.popups.selectNext()
    #expect(model.popups.state.selection?.feature.objectID == 2)
    try await model.popups.selectNext()
    #expect(model.popups.state.selection?.index == 0)
    try await model.popups.selectPrevious()
    #expect(model.popups.state.selection?.index == 1)
    await #expect(throws: Problem.self) { try await model.popups.select(2) }
    model.popups.close()
    #expect(model.popups.state.pages.isEmpty && model.popups.state.selection == nil)
  }
}
