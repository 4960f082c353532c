import Foundation
import PortolanGeometry
import PortolanMap
import PortolanTestSupport
import Testing

@testable import PortolanApp

/// The gaps in the vector tiles of a map.
@MainActor
@Suite(.temporaryDirectory) struct MapVectorTilesTests {
  private func result(of layers: [String]) async throws -> MapTilesResult {
    let memory = MemoryMap(features: ["a": [Coordinate(x: 0, y: 0)]])
    let map = MapModel(map: try memory.map(layers.map { MemoryMap.layer($0) }))
    await map.load()
    var options = MapTilesModel.Options()
    options.levels = 3...4
    options.extent = Envelope(xMin: -1, yMin: -1, xMax: 1, yMax: 1)
    return try await map.tiles.saveVectors(
      to: temporaryDirectory.appending(path: "map.pmtiles"), options)
  }

  @Test func `Layers that cannot be used are listed`() async throws {
    let result = try await result(of: ["a", "gone"])
    #expect(result.omissions == [PictureOmission(layer: "gone", reason: "There are no data.")])
    #expect(!result.isComplete)
  }

  @Test func `Nothing is listed where all layers have their features`() async throws {
    let result = try await result(of: ["a"])
    #expect(result.omissions.isEmpty && result.isComplete)
  }
}
