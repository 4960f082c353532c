import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanLibrary
import PortolanTestSupport
import Testing

@testable import PortolanApp

/// The notes on layers in the table of contents.
@MainActor
@Suite(.temporaryDirectory) struct TableOfContentsTests {
  private nonisolated static let day = Date(timeIntervalSince1970: 1_795_000_000)

  @Test func `A map that was taken offline lists what was left out, and why`() async throws {
    let layout = HomeLayout(home: temporaryDirectory.appending(path: "home"))
    try layout.prepare()
    let library = MapLibrary(
      layout: layout, storage: InMemoryMapStorage(), now: { Self.day }, unsentEdits: { _ in 0 })
    let staging = layout.staging("job")
    try FileManager.default.createDirectory(at: staging, withIntermediateDirectories: true)
    try Data("map".utf8).write(to: staging.appending(path: "map.mmpk"))
    let id = try #require(MapID("casco"))
    try await library.install(
      staging.appending(path: "map.mmpk"),
      as: StoredMap(
        id: id, origin: .imported("map.mmpk"), form: .file, title: "Casco Bay",
        installed: Self.day, byteCount: 3, omissions: ["Soundings: The service is gone."]))
    let map = MapModel(map: try MemoryMap(features: ["a": [Coordinate(x: 0, y: 0)]]).map([]))
    let states = try await Observed.states {
      map.tableOfContents.state
    } until: {
      !$0.omissions.isEmpty
    } while: {
      map.stored = OpenedStoredMap(
        id: id.text, lease: try await library.open(id), library: library)
    }
    #expect(states.first?.omissions == [])
    #expect(states.last?.omissions == ["Soundings: The service is gone."])
    #expect(states.last?.json["omissions"] == ["Soundings: The service is gone."])
  }
}
