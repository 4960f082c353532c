import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

@Suite(.needsSharedFiles) struct DirectTapTests {
  @Test(arguments: [("LA_Trails", "Trailheads"), ("usa-10.2.1", "USStates")])
  func `First taps find what SQLite finds`(file: String, table: String) throws {
    let url = SharedFiles.url("samples/geodatabases/\(file).geodatabase")
    let direct = try DirectTap(table, DatabasePages(at: url))
    let source = GeodatabaseSource(.file(url))
    let reader = try GeodatabaseReader(source, on: source.location.connect())
    let extent = try #require(try reader.schema(of: table).extent)
    var found = 0
    for step in 0..<40 {
      let place = Coordinate(
        x: extent.xMin + extent.width * Double(step % 8) / 7,
        y: extent.yMin + extent.height * Double(step / 8) / 4)
      for tolerance in [0, 50, 2_000.0] {
        let ids = try direct.objectIDs(touching: place, within: tolerance, limit: .max)
        #expect(
          try ids == reader.objectIDs(in: table, touching: place, within: tolerance))
        found += ids.count
      }
    }
    #expect(found > 0)
  }

  @Test func `A table that keeps its history is left to SQLite`() throws {
    let path = "samples/preplanned-package/canyonlands/p13"
    let file = "3b1fef0d-2cb0-4b6f-b526-9fe0a1ca3f69.geodatabase"
    let pages = try DatabasePages(at: SharedFiles.url("\(path)/\(file)"))
    #expect(throws: PageError.unusual) { _ = try DirectTap("CNP_Trails", pages) }
  }
}
