import Foundation
import PortolanApp
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanSearch
import PortolanTestSupport
import PortolanTiles
import Testing

/// The features of a layer are called "a 1", "a 2" and so on.
@MainActor
@Suite(.temporaryDirectory) struct SearchModelTests {
  private let places = [
    Coordinate(x: 0, y: 0), Coordinate(x: 10_000, y: 0), Coordinate(x: 0, y: 20_000),
  ]

  private func model(
    _ members: JSONObject = [:], settings: JSONValue? = nil, isOnline: Bool = false
  ) async throws -> MapModel {
    let memory = MemoryMap(features: ["a": places, "b": places])
    var map = try memory.map([MemoryMap.layer("a", members), MemoryMap.layer("b")])
    if let settings {
      var json = map.webMap.json
      json["applicationProperties"] = ["viewing": ["search": settings]]
      map = MobileMap(
        name: map.name, item: map.item, webMap: try WebMap(json: .object(json)),
        contents: map.contents)
    }
    let model = MapModel(
      map: map, origin: isOnline ? nil : temporaryDirectory,
      indexes: LocatorIndexes(in: temporaryDirectory.appending(path: "search")))
    await model.load()
    return model
  }

  @Test func `Suggestions come from all layers with names`() async throws {
    let model = try await model()
    await model.search.suggest("2")
    #expect(model.search.state.suggestions.map(\.label) == ["a 2", "b 2"])
  }

  @Test func `Layers that are switched off are searched as well`() async throws {
    let model = try await model(["visibility": false])
    await model.search.suggest("a 2")
    #expect(model.search.state.suggestions.map(\.label) == ["a 2"])
  }

  @Test func `Only features of the layer are found`() async throws {
    let filter: JSONObject = ["layerDefinition": ["definitionExpression": "OBJECTID < 2"]]
    let model = try await model(filter)
    await model.search.find("a")
    #expect(model.search.state.results.map(\.label) == ["a 1"])
  }

  @Test func `The map's own settings say what is searched`() async throws {
    let settings: JSONValue = [
      "enabled": true, "layers": [["id": "b", "field": ["name": "name", "exactMatch": false]]],
    ]
    let model = try await model(settings: settings)
    await model.search.suggest("2")
    #expect(model.search.state.suggestions.map(\.label) == ["b 2"])
  }

  @Test func `Choosing a suggestion moves the map and opens the popup`() async throws {
    let model = try await model()
    await model.search.suggest("a 2")
    try await model.search.choose(0)
    #expect(model.search.state.results.map(\.label) == ["a 2"])
    let center = model.state.frame.center
    #expect(abs(center.x - 10_000) < 1e-3 && abs(center.y) < 1e-3)
    #expect(model.popups.state.pages.map(\.title) == ["a 2"])
    #expect(model.popups.state.selection?.index == 0)
  }

  @Test(
    arguments: [
      ("PNG", [:], 5), ("PNG", ["minScale": 1_000_000], nil), ("pbf", [:], nil),
    ] as [(String, JSONObject, Int?)])
  func `A place is shown no closer than the tiles have detail, if it is seen there`(
    _ format: String, _ members: JSONObject, _ level: Int?
  ) async throws {
    let scheme = TileScheme.webMercator(tileSide: 256, levels: 0...9)
    let info = TileSourceInfo(name: "t", scheme: scheme, levels: 0...5, declaredFormat: format)
    var memory = MemoryMap(features: ["a": places])
    memory.tiles = ["t": InMemoryTileSource(info: info, tiles: [:])]
    let model = MapModel(
      map: try memory.map([MemoryMap.layer("t"), MemoryMap.layer("a", members)]),
      origin: temporaryDirectory)
    await model.load()
    model.setScale(100_000_000)
    await model.search.find("a 2")
    try await model.search.select(0)
    #expect(model.state.frame.scale == level.flatMap { scheme.level($0)?.scale } ?? 5000)
    model.setScale(3000)
    try await model.search.select(0)
    #expect(model.state.frame.scale == 3000)
  }

  @Test func `No match is not the same as a map that cannot be searched`() async throws {
    let model = try await model()
    await model.search.find("zzz")
    #expect(model.search.state == .found([], selection: nil))
    await model.search.suggest("zzz")
    #expect(model.search.state == .suggested([]))
    let empty = MapModel(map: try MemoryMap().map([]), origin: temporaryDirectory)
    await empty.load()
    await empty.search.find("zzz")
    guard case .failed(let problem) = empty.search.state else {
      Issue.record("it was searched")
      return
    }
    #expect(problem.code == .nothingToSearch)
  }

  @Test func `The layers of a map that is open from its portal are asked`() async throws {
    let model = try await model(isOnline: true)
    await model.search.suggest("a 2")
    #expect(model.search.state.suggestions.map(\.label) == ["a 2"])
    try await model.search.choose(0)
    #expect(model.search.state.selectedPlace?.feature?.objectID == 2)
    #expect(model.popups.state.pages.map(\.title) == ["a 2"])
    await model.search.find("zzz")
    #expect(model.search.state == .found([], selection: nil))
  }

  @Test(arguments: [false, true])
  func `The layers that are chosen are searched, and no others`(_ isOnline: Bool) async throws {
    let model = try await model(isOnline: isOnline)
    let search = model.search
    #expect(search.layers.map(\.title) == ["b", "a"], "topmost first")
    let chosen = Set(search.layers.filter { $0.title == "b" }.map(\.id))
    await search.suggest("2", in: chosen)
    #expect(search.state.suggestions.map(\.label) == ["b 2"])
    try await search.choose(0)
    #expect(search.state.selectedPlace?.label == "b 2")
    #expect(model.popups.state.pages.map(\.title) == ["b 2"])
    await search.find("3", in: chosen)
    #expect(search.state.results.map(\.label) == ["b 3"])
    await search.findNearest(to: Coordinate(x: 0, y: 0), within: 10, limit: 9, in: chosen)
    #expect(search.state.results.map(\.label) == ["b 1"])
    await search.find("3")
    #expect(search.state.results.map(\.label) == ["a 3", "b 3"])
  }

  @Test func `Layers can be chosen that the author chose, and coordinates are found all the same`()
    async throws
  {
    let settings: JSONValue = [
      "enabled": true, "layers": [["id": "b", "field": ["name": "name", "exactMatch": false]]],
    ]
    let model = try await model(settings: settings, isOnline: true)
    #expect(model.search.layers.map(\.title) == ["b"])
    await model.search.suggest("44.5, -68.25", in: Set(model.search.layers.map(\.id)))
    #expect(model.search.state.suggestions.count == 1)
  }

  @Test func `A layer that cannot be searched is named`() async throws {
    let model = try await model()
    await model.search.find("2", in: ["a", "zzz"])
    guard case .failed(let problem) = model.search.state else {
      Issue.record("\(model.search.state)")
      return
    }
    #expect(problem.message.contains("zzz") && problem.kind == .absence)
    #expect(problem.suggestion == "Choose among b, a.")
  }

  @Test func `A place that is not in the list is refused`() async throws {
    let model = try await model()
    await #expect(throws: Problem.self) { try await model.search.select(0) }
    await model.search.suggest("a")
    await #expect(throws: Problem.self) { try await model.search.choose(12) }
  }

  @Test func `A suggestion that is chosen shows no place that another search has found meanwhile`()
    async throws
  {
    let model = try await model()
    await model.search.suggest("a 1")
    // Tasks of the main actor begin in the order in which it made them.
    let chosen = Task { try await model.search.choose(0) }
    let other = Task { await model.search.find("b 3") }
    let result = await chosen.result
    await other.value
    #expect(throws: Problem.self) { try result.get() }
    #expect(model.search.state.results.map(\.label) == ["b 3"])
    #expect(model.search.state.selectedPlace == nil && model.popups.state.pages.isEmpty)
  }

  @Test(arguments: [true, false])
  func `Of a place that is selected and one that is identified the one asked for last is shown`(
    _ isSelectedLast: Bool
  ) async throws {
    let model = try await model()
    await model.search.find("a 2")
    func select() -> Task<Void, any Error> { Task { try await model.search.select(0) } }
    func identify() -> Task<Void, any Error> {
      Task { await model.identify.identify(longitude: 0, latitude: 0) }
    }
    // Tasks of the main actor begin in the order in which it made them.
    let tasks = isSelectedLast ? [identify(), select()] : [select(), identify()]
    for task in tasks { _ = await task.result }
    let shown = model.popups.state.pages.map(\.title)
    #expect(shown == (isSelectedLast ? ["a 2"] : ["b 1", "a 1"]))
  }

  @Test func `A suggestion that is chosen takes nothing from who identifies a place meanwhile`()
    async throws
  {
    let model = try await model()
    await model.search.suggest("a 2")
    let chosen = Task { try await model.search.choose(0) }
    let identified = Task { await model.identify.identify(longitude: 0, latitude: 0) }
    _ = await chosen.result
    await identified.value
    #expect(model.popups.state.pages.map(\.title) == ["b 1", "a 1"])
  }

  @Test func `The response to the last typed text is shown, whichever comes first`() async throws {
    let model = try await model()
    async let first: Void = model.search.suggest("a 1")
    async let second: Void = model.search.suggest("b 3")
    _ = await (first, second)
    let labels = model.search.state.suggestions.map(\.label)
    #expect(labels == ["b 3"] || labels == ["a 1"])
    await model.search.suggest("")
    #expect(model.search.state == .idle)
  }
}
