import PortolanApp
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import Testing

/// At 1:1000 a point of the screen covers 0.2646 m, so that 12 points are 3.175 m.
@MainActor
@Suite struct IdentifyModelTests {
  let here = Coordinate(x: 0, y: 0)

  func model(
    _ features: [String: [Coordinate]], _ layers: [JSONValue]
  ) async throws -> MapModel {
    let model = MapModel(map: try MemoryMap(features: features).map(layers))
    await model.load()
    return model
  }

  func found(_ model: MapModel) -> [String] {
    model.identify.state.results.flatMap { result in
      result.features.map { "\(result.id) \($0.objectID)" }
    }
  }

  @Test func `Features within twelve points are found, the nearest first`() async throws {
    let places = [Coordinate(x: 3.1, y: 0), Coordinate(x: 3.3, y: 0), Coordinate(x: 0, y: -1)]
    let model = try await model(["a": places], [MemoryMap.layer("a")])
    await model.identify.identify(screenX: 512, y: 384)
    #expect(found(model) == ["a 3", "a 1"])
  }

  @Test(arguments: [(3.9, []), (4.1, ["a 1"])] as [(Double, [String])])
  func `The distance within which features are found can be set`(
    _ points: Double, _ expected: [String]
  ) async throws {
    // Four points are 1.058 m.
    let model = try await model(["a": [Coordinate(x: 1.05, y: 0)]], [MemoryMap.layer("a")])
    await model.identify.identify(screenX: 512, y: 384, tolerance: points)
    #expect(found(model) == expected)
    await model.identify.identify(longitude: 0, latitude: 0, tolerance: points)
    #expect(found(model) == expected)
  }

  @Test func `Features at one place come in the order of their table`() async throws {
    let model = try await model(["a": [here, here, here]], [MemoryMap.layer("a")])
    await model.identify.identify(screenX: 512, y: 384)
    #expect(found(model) == ["a 1", "a 2", "a 3"])
  }

  @Test func `The topmost layer answers first`() async throws {
    let model = try await model(
      ["a": [here], "b": [here]], [MemoryMap.layer("a"), MemoryMap.layer("b")])
    await model.identify.identify(longitude: 0, latitude: 0)
    #expect(found(model) == ["b 1", "a 1"])
    #expect(model.popups.state.pages.map(\.title) == ["b 1", "a 1"])
  }

  @Test func `A layer answers with ten features at most, and says so`() async throws {
    let model = try await model(
      ["a": Array(repeating: here, count: 14)], [MemoryMap.layer("a")])
    await model.identify.identify(screenX: 512, y: 384)
    #expect(model.identify.state.results.first?.features.count == 10)
    #expect(model.identify.state.results.first?.isCut == true)
  }

  nonisolated static let silent: [JSONObject] = [
    ["visibility": false], ["disablePopup": true], ["minScale": 500], ["maxScale": 2000],
    ["layerDefinition": ["definitionExpression": "NAME = 'other'"]],
  ]

  @Test(arguments: silent)
  func `Layers that are not drawn, or that filter the feature out, are not asked`(
    _ members: JSONObject
  ) async throws {
    let model = try await model(["a": [here]], [MemoryMap.layer("a", members)])
    await model.identify.identify(screenX: 512, y: 384)
    #expect(model.identify.state == .found([]))
  }

  @Test func `A layer in a group that is off is not asked until the group is on`() async throws {
    let group: JSONValue = [
      "id": "g", "title": "g", "layerType": "GroupLayer", "visibility": false,
      "layers": [MemoryMap.layer("a")],
    ]
    let model = try await model(["a": [here]], [group])
    await model.identify.identify(screenX: 512, y: 384)
    #expect(found(model) == [])
    model.tableOfContents.setOn("g", true)
    await model.identify.identify(screenX: 512, y: 384)
    #expect(found(model) == ["a 1"])
  }

  @Test(arguments: [false, true])
  func `A row that cannot be read is a problem of its layer, and the others are found`(
    _ isView: Bool
  ) async throws {
    let model = MapModel(
      map: try MemoryMap(features: ["a": [here, here, here]], unreadable: [2], isView: isView)
        .map([MemoryMap.layer("a")]))
    await model.load()
    await model.identify.identify(screenX: 512, y: 384)
    #expect(found(model) == ["a 1", "a 3"])
    let problem = try #require(model.identify.state.results.first?.problem)
    #expect(problem.message.contains("row 2 of places"))
  }

  @Test func `A layer without data says why, and the others answer`() async throws {
    let model = try await model(
      ["a": [here]], [MemoryMap.layer("a"), MemoryMap.layer("lost")])
    await model.identify.identify(screenX: 512, y: 384)
    #expect(found(model) == ["a 1"])
    let entry = model.tableOfContents.state.layers.first { $0.id == "lost" }
    #expect(entry?.problem == "There are no data.")
    let lost = try #require(model.identify.state.results.last)
    #expect(lost.id == "lost" && lost.features.isEmpty)
    #expect(lost.problem?.message == "There are no data.")
    model.tableOfContents.setOn("lost", false)
    await model.identify.identify(screenX: 512, y: 384)
    #expect(model.identify.state.results.map(\.id) == ["a"])
  }
}
