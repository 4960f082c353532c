import Foundation
import PortolanApp
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import Testing

/// The size of the window that maps are shown in.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct ViewportTests {
  private func model() async throws -> MapModel {
    let whole = try MemoryMap().map([MemoryMap.layer("a")])
    // The map begins with an extent of 1000 by 1000 metres.
    let webMap = try WebMap(json: [
      "version": "2.37", "baseMap": ["title": "None"], "spatialReference": ["wkid": 102_100],
      "operationalLayers": [MemoryMap.layer("a")],
      "initialState": [
        "viewpoint": [
          "targetGeometry": [
            "xmin": -500, "ymin": -500, "xmax": 500, "ymax": 500,
            "spatialReference": ["wkid": 102_100],
          ]
        ]
      ],
    ])
    let model = MapModel(
      map: MobileMap(
        name: "m", item: whole.item, webMap: webMap,
        contents: MemoryMap(features: ["a": [Coordinate(x: 0, y: 0)]])))
    await model.load()
    return model
  }

  @Test func `A map that was not moved yet shows what it shows first, in a window of any size`()
    async throws
  {
    let model = try await model()
    let frames = try await Observed.states {
      model.state.frame
    } until: {
      $0.width == 500
    } while: {
      model.resize(to: MapViewport(width: 500, height: 2000))
    }
    #expect(frames.first.map { abs($0.resolution - 1000 / 768) < 1e-6 } == true)
    #expect(frames.last.map { abs($0.resolution - 2) < 1e-6 && $0.height == 2000 } == true)
  }

  @Test func `A map that was moved keeps its middle and its scale`() async throws {
    let model = try await model()
    try model.go(
      to: .center(
        Coordinate(x: 70, y: 80), scale: 4000,
        spatialReference: .webMercator))
    model.resize(to: MapViewport(width: 320, height: 480))
    let frame = model.state.frame
    #expect(frame.center == Coordinate(x: 70, y: 80) && frame.scale == 4000)
    #expect(frame.width == 320 && frame.height == 480)
    #expect(frame.location(ofScreenX: 160, y: 240) == frame.center)
  }

  @Test func `Maps that are opened later have the window of the app`() async throws {
    let app = AppModel(opener: NoPackages())
    app.resize(to: MapViewport(width: 375, height: 667))
    let model = try await model()
    await app.show(model)
    #expect(model.state.frame.width == 375 && model.state.frame.height == 667)
    app.resize(to: MapViewport(width: 667, height: 375))
    #expect(model.state.frame.width == 667)
    #expect(app.beside().viewport == app.viewport)
  }

  @Test(arguments: [0, -1, .nan, .infinity, -.infinity] as [Double])
  func `An invalid size becomes a valid one`(_ size: Double) {
    let viewport = MapViewport(width: size, height: size)
    #expect(viewport.width >= 1 && viewport.width.isFinite)
    #expect(viewport.height >= 1 && viewport.height.isFinite)
  }

  @Test func `A screen whose map was closed says so`() async throws {
    let (snapshot, tiles) = try await {
      let model = try await self.model()
      return (model.snapshot, model.tiles)
    }()
    let drawn = await #expect(throws: Problem.self) { try await snapshot.draw() }
    let asked = #expect(throws: Problem.self) { try tiles.source() }
    #expect([drawn?.code, asked?.code] == [.closed, .closed])
  }
}

/// Has no package.
private struct NoPackages: PackageOpening {
  func open(_ url: URL) async throws(PackageError) -> MobileMapPackage {
    throw .unreadable(file: url.lastPathComponent, reason: "it is a test")
  }
}
