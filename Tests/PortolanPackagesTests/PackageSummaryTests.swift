import Foundation
import PortolanGeometry
import PortolanPackages
import PortolanTestSupport
import Testing

@Suite(.temporaryDirectory, .needsSharedFiles) struct PackageSummaryTests {
  private func summary(_ path: String) throws -> PackageSummary {
    try #require(try PackageSummary.read(at: SharedFiles.url("samples/\(path)")))
  }

  @Test func `An MBTiles file reports its title, levels and bounds`() throws {
    let summary = try summary("mbtiles/world_l1.mbtiles")
    #expect(summary.kind == .mbtiles)
    #expect(summary.levels == 0...1)
    #expect(summary.extent?.wkid == 4326)
  }

  @Test func `A geodatabase lists its layers in the order of the service`() throws {
    let summary = try summary("geodatabases/usa-10.2.1.geodatabase")
    #expect(summary.kind == .geodatabase)
    #expect(summary.layers.map(\.name) == ["USMajorCities", "USMajorHighways", "USStates"])
    #expect(summary.title == "usa-10.2.1")
    let trails = try self.summary("geodatabases/LA_Trails.geodatabase")
    #expect(trails.extent?.wkid == 3857)
    #expect(trails.layers.map(\.name) == ["Trailheads"])
  }

  @Test func `A GeoPackage lists its feature tables and tile tables`() throws {
    let summary = try summary("geopackage/raster_and_vector.gpkg")
    #expect(summary.kind == .geoPackage)
    #expect(summary.layers.count == 2)
    #expect(summary.levels != nil)
  }

  @Test func `An unpacked package lists its maps`() throws {
    let summary = try summary("preplanned-package/canyonlands")
    #expect(summary.kind == .mobileMapFolder)
    #expect(summary.maps.count == 1)
  }
}
