import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanTestSupport
import Testing

@Suite(.needsSharedFiles) struct WebMapFixtureTests {
  @Test(arguments: WebMapFixture.all)
  func `A real web map is the same after writing and reading`(_ fixture: WebMapFixture) throws {
    let map = try fixture.map()
    let again = try WebMap(parsing: map.encoded(.indented))
    #expect(again == map)
    #expect(again.version == WebMap.currentVersion)
    #expect(again.operationalLayers.count == map.operationalLayers.count)
    #expect(again.encoded() == map.encoded())
  }

  @Test(arguments: WebMapFixture.all)
  func `Writing keeps every member of a real web map in its place`(
    _ fixture: WebMapFixture
  ) throws {
    let original = try fixture.json()
    let written = JSONValue.object(try fixture.map().strictJSON)
    #expect(differences(from: original, to: written, at: "").filter { $0 != ".version" } == [])
  }

  @Test(arguments: WebMapFixture.all)
  func `Every layer of a real web map has a known type and a title`(
    _ fixture: WebMapFixture
  ) throws {
    let map = try fixture.map()
    for layer in map.allLayers + map.basemap.layers {
      #expect(layer.type != nil)
      #expect(!layer.title.isEmpty)
    }
  }

  @Test func `The map of canyonlands is read`() throws {
    let map = try WebMapFixture.canyonlands.map()
    #expect(map.version == "1.3")
    #expect(map.authoringApp == "RuntimeSDK")
    #expect(map.spatialReference == .webMercator)
    #expect(map.basemap.title == "Imagery")
    #expect(map.basemap.baseLayers.map(\.title) == ["World Imagery"])
    #expect(map.basemap.baseLayers.first?.path?.fileExtension == "tpk")
    let trails = try #require(map.operationalLayers.first)
    #expect(trails.path?.itemID == 1)
    #expect(trails.kind == .feature(.package(try #require(trails.path))))
    #expect(trails.capabilities == ["Query"])
    #expect(trails.popupDefinition?.title == "{TRLNAME}")
    #expect(trails.popupDefinition?.fields.count == 41)
    let renderer = trails.layerDefinition.drawingInfo.renderer
    let line = SimpleLineSymbol(
      color: RGBAColor(red: 0, green: 255, blue: 197), width: 1.5)
    #expect(renderer?.legendEntries.first?.symbol?.color == line.color)
    #expect(trails.offlineSupport == .supported)
  }

  /// The places at which members of `old` are missing, changed or moved in `new`.
  private func differences(from old: JSONValue, to new: JSONValue, at place: String) -> [String] {
    switch (old, new) {
    case (.object(let old), .object(let new)):
      let kept = new.names.filter { Set(old.names).contains($0) }
      let moved = kept == old.names ? [] : [place + " (order)"]
      return moved
        + old.members.flatMap { member in
          new[member.name].map {
            differences(from: member.value, to: $0, at: "\(place).\(member.name)")
          } ?? ["\(place).\(member.name) (missing)"]
        }
    case (.array(let old), .array(let new)) where old.count == new.count:
      return zip(old, new).enumerated().flatMap {
        differences(from: $1.0, to: $1.1, at: "\(place)[\($0)]")
      }
    default: return old == new ? [] : [place]
    }
  }
}
