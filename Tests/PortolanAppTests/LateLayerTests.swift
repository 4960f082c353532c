import PortolanApp
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanTestSupport
import Testing

/// Layers of a map on this device that were left to a service which does not answer.
@MainActor
@Suite struct LateLayerTests {
  /// Layers of this device beside those of a service that answers when it is told to.
  private struct SilentService: LayerContentSource {
    let layers = MemoryMap(features: [
      "own": [Coordinate(x: 0, y: 0)], "far": [Coordinate(x: 0, y: 0)],
    ])
    let gate = Gate()

    func content(of layer: Layer) async -> LayerContent {
      if layer.isOnlineOnly { await gate.pass() }
      return await layers.content(of: layer)
    }

    @MainActor func model(on clock: ManualClock) throws -> MapModel {
      let map = try layers.map([
        MemoryMap.layer("own"),
        MemoryMap.layer("far", ["url": "https://far.example/rest/services/Far/FeatureServer/0"]),
      ])
      return MapModel(
        map: MobileMap(name: map.name, item: map.item, webMap: map.webMap, contents: self),
        clock: clock)
    }
  }

  @Test func `A map opens without the layers of a silent service, which come when they are there`()
    async throws
  {
    let (service, clock) = (SilentService(), ManualClock())
    let model = try service.model(on: clock)
    let opening = Task { await model.load() }
    await clock.sleepers()
    await clock.wake(after: .seconds(5))
    await opening.value
    #expect(model.state.isLoaded)
    #expect(
      model.state.problems == ["far": "Online only; its server far.example has not answered yet."])
    #expect(model.identifiable == ["own"])
    let revision = model.state.drawingRevision
    let problems = try await Observed.states {
      model.state.problems
    } until: {
      $0.isEmpty
    } while: {
      await service.gate.open()
    }
    #expect(problems.last == [:] && model.state.drawingRevision > revision)
    #expect(model.identifiable == ["far", "own"])
  }

  @Test func `Nothing is waited for where a service answers`() async throws {
    let (service, clock) = (SilentService(), ManualClock())
    let model = try service.model(on: clock)
    async let opening: Void = model.load()
    await service.gate.isReached()
    await service.gate.open()
    await opening
    #expect(model.state.isLoaded && model.state.problems.isEmpty)
  }
}

extension MapModel {
  /// The layers that can be asked what is at a place, topmost first.
  fileprivate var identifiable: [String] {
    tableOfContents.state.flattened.map(\.title).filter { state.problems[$0] == nil }
  }
}
