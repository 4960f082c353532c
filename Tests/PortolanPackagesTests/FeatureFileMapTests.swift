import Foundation
import PortolanFeatures
import PortolanMap
import PortolanPackages
import PortolanTestSupport
import Testing

/// Files of features that come without a map open as one.
@Suite(.temporaryDirectory, .needsSharedFiles) struct FeatureFileMapTests {
  private func map(_ name: String) async throws -> MobileMap {
    let package = try await MobileMapPackage.open(
      at: SharedFiles.url("samples/" + name), unpackingInto: temporaryDirectory, now: .now)
    return try #require(package.maps.first)
  }

  @Test(arguments: [
    ("geopackage/raster_and_vector.gpkg", ["poly"], [] as [String], ["byte"]),
    ("geopackage/domains.gpkg", [], ["test"], []),
    ("geodatabases/LA_Trails.geodatabase", ["Trailheads"], [], []),
  ])
  func `Each table is a layer, over the tiles of the same file`(
    _ name: String, _ layers: [String], _ tables: [String], _ tiles: [String]
  ) async throws {
    let map = try await map(name)
    #expect(map.webMap.operationalLayers.map(\.title) == layers)
    #expect(map.webMap.tables.map(\.title) == tables)
    #expect(map.webMap.basemap.layers.map(\.title) == tiles)
    for layer in map.webMap.operationalLayers + map.webMap.tables {
      #expect(await map.contents.content(of: layer).features.count == 1)
    }
    for layer in map.webMap.basemap.layers {
      guard case .tiles = await map.contents.content(of: layer) else {
        Issue.record("\(layer.title) has no tiles")
        continue
      }
    }
  }

  @Test func `A GeoPackage is not edited, and says what to do instead`() async throws {
    let map = try await map("geopackage/raster_and_vector.gpkg")
    let layer = try #require(map.webMap.operationalLayers.first)
    await #expect {
      try await map.contents.openForEditing(layer)
    } throws: { error in
      (error as? FeatureEditError)?.errorDescription?.contains("convert it") == true
    }
  }

  @Test func `A file that was opened for reading only is not edited`() async throws {
    let map = try await map("geodatabases/LA_Trails.geodatabase")
    let layer = try #require(map.webMap.operationalLayers.first)
    await #expect(throws: FeatureEditError.self) {
      try await map.contents.openForEditing(layer)
    }
  }
}
