import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanLocks
import PortolanMap
import PortolanPackages
import Testing

@testable import PortolanApp

/// A package of three maps, the last of which has nothing to search.
@MainActor
@Suite struct PackageSearchModelTests {
  private func app(_ maps: [String: [String: Int]]) async throws -> AppModel {
    let app = AppModel(opener: PackageOfMaps(maps: maps))
    try await app.open(URL(filePath: "/book"))
    return app
  }

  private func book() async throws -> AppModel {
    try await app(["1 North": ["oakwood": 2], "2 South": ["oak": 1, "oakwood": 1], "3 Bare": [:]])
  }

  @Test func `Places of all maps are listed by score, with the maps that have them`() async throws {
    let app = try await book()
    #expect(app.packageSearch.hasSeveralMaps)
    try await app.packageSearch.find("oak")
    #expect(
      app.packageSearch.state.places.map(\.place.label) == ["oak 1", "oakwood 1", "oakwood 2"])
    #expect(
      app.packageSearch.state.places.map { $0.maps.map(\.title) } == [
        ["2 South"], ["1 North", "2 South"], ["1 North"],
      ])
    #expect(app.packageSearch.state.mapCount == 2)
    #expect(
      app.packageSearch.state.unsearched.map(\.message) == [
        "\"3 Bare\" cannot be searched: no layer has texts on this device."
      ])
  }

  @Test func `Suggestions of all maps are at most as many as those of one`() async throws {
    let app = try await app(["1 North": ["a": 9], "2 South": ["b": 9]])
    try await app.packageSearch.suggest("a")
    #expect(app.packageSearch.state.suggestions.count == 9)
    try await app.packageSearch.suggest("1")
    #expect(
      app.packageSearch.state.suggestions.map(\.suggestion.label) == ["a 1", "b 1"])
    let both = try await self.app(["1 North": ["a": 19], "2 South": ["a": 3, "ab": 19]])
    try await both.packageSearch.suggest("a")
    let suggestions = both.packageSearch.state.suggestions
    #expect(suggestions.count == SearchModel.suggestionCount)
    #expect(
      suggestions.filter { $0.maps.count == 2 }.map(\.suggestion.label) == ["a 1", "a 2", "a 3"])
  }

  @Test func `A place that is chosen is shown in its map, which is opened`() async throws {
    let app = try await book()
    try await app.packageSearch.find("oak")
    try await app.packageSearch.choose(0)
    #expect(app.mapIndex == 1)
    #expect(app.map?.search.state.selectedPlace?.label == "oak 1")
    try await app.packageSearch.choose(1)
    #expect(app.mapIndex == 1, "the open map has it as well")
    try await app.packageSearch.choose(2)
    #expect(app.mapIndex == 0)
    #expect(app.map?.search.state.selectedPlace?.label == "oakwood 2")
    try await app.packageSearch.suggest("oak 1")
    try await app.packageSearch.choose(0)
    #expect(app.mapIndex == 1)
    #expect(app.map?.search.state.selectedPlace?.label == "oak 1")
    await #expect(throws: Problem.self) { try await app.packageSearch.choose(7) }
  }

  @Test func `No match is told from a package none of whose maps can be searched`() async throws {
    let app = try await book()
    try await app.packageSearch.find("zzz")
    #expect(
      app.packageSearch.state.places == [] && app.packageSearch.state.mapCount == 2
        && !app.packageSearch.state.isList)
    let bare = try await self.app(["1 Bare": [:], "2 Empty": [:]])
    try await bare.packageSearch.suggest("oak")
    guard case .failed(let problem) = bare.packageSearch.state else {
      Issue.record("The state is \(bare.packageSearch.state).")
      return
    }
    #expect(problem.message.contains("\"1 Bare\" cannot be searched"))
    #expect(problem.message.contains("\"2 Empty\" cannot be searched"))
  }

  @Test func `Maps without the layer that is searched are left out`() async throws {
    let app = try await book()
    struct NoSuchLayer: Error {}
    let oak: PackageSearchModel.Layers = { map in
      guard map.search.layers.contains(where: { $0.id == "oak" }) else { throw NoSuchLayer() }
      return ["oak"]
    }
    try await app.packageSearch.find("1", in: oak)
    #expect(app.packageSearch.state.places.map(\.place.label) == ["oak 1"])
    #expect(app.packageSearch.state.unsearched == [] && app.packageSearch.state.mapCount == 1)
    await #expect(throws: NoSuchLayer.self) {
      try await app.packageSearch.find("1") { _ in throw NoSuchLayer() }
    }
  }

  @Test func `What is in the way in all maps is said once`() async throws {
    let app = try await book()
    try await app.packageSearch.find("1") { _ in ["ash"] }
    guard case .failed(let problem) = app.packageSearch.state else {
      Issue.record("\(app.packageSearch.state)")
      return
    }
    #expect(problem.message == "\"ash\" is not among the layers that can be searched.")
    #expect(problem.code == .unsearchableLayer && problem.kind == .absence)
    // Those of all maps, each once.
    #expect(problem.suggestion == "Choose among oakwood, oak.")
  }

  @Test func `What was edited in one map is found in the others when another one is open`()
    async throws
  {
    let trees = GrowingTrees()
    let app = AppModel(opener: PackageOfGrowingTrees(trees: trees))
    try await app.open(URL(filePath: "/book"))
    try await app.packageSearch.find("tree 2")
    #expect(app.packageSearch.state.places.map(\.place.label) == [])
    trees.grow()
    app.map?.featuresHaveChanged()
    try await app.openMap(at: 1)
    try await app.packageSearch.find("tree 2")
    #expect(
      app.packageSearch.state.places.map { $0.maps.map(\.title) } == [["North", "South", "West"]])
  }

  @Test func `What was found ends with the package`() async throws {
    let app = try await book()
    try await app.packageSearch.find("oak")
    #expect(app.packageSearch.state.isList)
    try await app.open(URL(filePath: "/book"))
    #expect(app.packageSearch.state == .idle)
    try await app.packageSearch.find("oak")
    await app.close()
    #expect(app.packageSearch.state == .idle && !app.packageSearch.hasSeveralMaps)
  }
}

/// A package of maps by title, in the order of these, whose layers have so many features each.
private struct PackageOfMaps: PackageOpening {
  let maps: [String: [String: Int]]

  func open(_ url: URL) async throws(PackageError) -> MobileMapPackage {
    let maps: [MobileMap]
    do {
      maps = try self.maps.sorted { $0.key < $1.key }.map { try Self.map($0.key, $0.value) }
    } catch {
      throw .unreadable(file: url.lastPathComponent, reason: "\(error)")
    }
    return MobileMapPackage(
      url: url, info: PackageInfo(json: ["title": "Book"], fallbackName: "book"),
      mapNames: maps.map(\.name), maps: maps)
  }

  private static func map(_ title: String, _ layers: [String: Int]) throws -> MobileMap {
    let memory = MemoryMap(
      features: layers.mapValues { count in
        (1...count).map { Coordinate(x: Double($0) * 100, y: 0) }
      })
    let map = try memory.map(layers.keys.sorted().map { MemoryMap.layer($0) })
    return MobileMap(
      name: title, item: MobileMapItem(json: [:], fallbackTitle: title), webMap: map.webMap,
      contents: map.contents)
  }
}

/// Three maps of the same layer.
private struct PackageOfGrowingTrees: PackageOpening {
  let trees: GrowingTrees

  func open(_ url: URL) async throws(PackageError) -> MobileMapPackage {
    let webMap: WebMap
    do {
      webMap = try MemoryMap().map([MemoryMap.layer("tree")]).webMap
    } catch {
      throw .unreadable(file: url.lastPathComponent, reason: "\(error)")
    }
    let titles = ["North", "South", "West"]
    return MobileMapPackage(
      url: url, info: PackageInfo(json: ["title": "Book"], fallbackName: "book"), mapNames: titles,
      maps: titles.map { title in
        MobileMap(
          name: title, item: MobileMapItem(json: [:], fallbackTitle: title), webMap: webMap,
          contents: trees)
      })
  }
}

/// A layer of one tree, to which another one is added.
private final class GrowingTrees: LayerContentSource {
  private let map = Locked(MemoryMap(features: ["tree": [Coordinate(x: 0, y: 0)]]))

  func grow() {
    map.withLock { $0.features["tree", default: []].append(Coordinate(x: 100, y: 0)) }
  }

  func content(of layer: Layer) async -> LayerContent {
    await map.withLock { $0 }.content(of: layer)
  }
}
