import Foundation
import PortolanGeometry
import PortolanMap
import PortolanPackages
import PortolanTestSupport
import Testing

/// Files of tiles that come without a map open as one.
@Suite(.temporaryDirectory, .needsSharedFiles) struct TileFileMapTests {
  @Test(arguments: [
    ("mbtiles/world_l1.mbtiles", ["world_l1"], LayerType.tiledMapService),
    ("pmtiles/poly.pmtiles", ["poly"], .vectorTile),
    ("geopackage/byte.gpkg", ["byte"], .tiledMapService),
    ("geopackage/js-example.gpkg", ["OSM", "OSM_2", "webp_tiles"], .tiledMapService),
    ("tile-packages/Usa.tpkx", ["Usa"], .tiledMapService),
  ])
  func `Each set of tiles is a layer of the basemap`(
    _ name: String, _ titles: [String], _ type: LayerType
  ) async throws {
    let package = try await MobileMapPackage.open(
      at: SharedFiles.url("samples/" + name), unpackingInto: temporaryDirectory, now: .now)
    let map = try #require(package.maps.first)
    let layers = map.webMap.basemap.layers
    #expect(layers.map(\.title) == titles)
    #expect(layers.allSatisfy { $0.type == type })
    for layer in layers {
      guard case .tiles = await map.contents.content(of: layer) else {
        Issue.record("\(layer.title) has no tiles")
        continue
      }
    }
  }
}
