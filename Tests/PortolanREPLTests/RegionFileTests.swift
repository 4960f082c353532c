import Foundation
import PortolanGeometry
import PortolanTestSupport
import Testing

@testable import PortolanApp
@testable import PortolanREPL

/// Files with the shapes of regions of tiles.
@MainActor
@Suite(.temporaryDirectory) struct RegionFileTests {
  /// A degree of longitude at the equator, in Web Mercator.
  private static let degree = 111_319.490_793_273_58

  private func extent(_ text: String, _ option: String) throws -> TileRegionExtent? {
    let file = temporaryDirectory.appending(path: "shape.json")
    try Data(text.utf8).write(to: file)
    let words = [
      "tiles", "download", "A", "--source", "S", option, file.path(percentEncoded: false),
    ]
    let invocation = try Invocation(
      parsing: words, commands: .standard, options: GlobalOptions())
    return try #require(invocation.command as? TilesDownloadCommand).extent.extent()
  }

  /// A shape whose vertices are some degrees east on the equator, and a little north of it.
  private static func shape(_ member: String, wkid: Int) -> String {
    let vertices = [(1, 0), (2, 0), (2, 1), (1, 0)].map { "[\(Double($0.0) * degree),\($0.1)]" }
    return #"{"\#(member)":[[\#(vertices.joined(separator: ","))]],"#
      + #""spatialReference":{"wkid":\#(wkid)}}"#
  }

  private static func areDegrees(_ path: Path?) -> Bool {
    let expected = [1.0, 2, 2, 1]
    let found = path?.coordinates.map(\.x).sorted() ?? []
    return found.count == 4
      && zip(found, expected.sorted()).allSatisfy { abs($0 - $1) < 1e-9 }
  }

  @Test func `A polygon in Web Mercator is a region in degrees`() throws {
    guard case .polygon(let polygon)? = try extent(Self.shape("rings", wkid: 102_100), "--polygon")
    else {
      Issue.record("no polygon")
      return
    }
    #expect(polygon.rings.count == 1 && Self.areDegrees(polygon.rings.first))
  }

  @Test func `A line in Web Mercator is a corridor in degrees`() throws {
    guard
      case .corridor(let line, _)? = try extent(Self.shape("paths", wkid: 102_100), "--line")
    else {
      Issue.record("no corridor")
      return
    }
    #expect(Self.areDegrees(Path(line)))
  }

  @Test func `Metres that are said to be degrees are refused`() {
    #expect(throws: Failure.self) { try extent(Self.shape("rings", wkid: 4326), "--polygon") }
  }

  @Test func `Polygons of one file that overlap are one region`() throws {
    let shapes = [0, 1].map { west in
      #"{"type":"Polygon","coordinates":[[[\#(west),0],[\#(west + 2),0],[\#(west + 2),2],"#
        + #"[\#(west),2],[\#(west),0]]]}"#
    }
    let text = #"{"type":"GeometryCollection","geometries":[\#(shapes.joined(separator: ","))]}"#
    guard case .polygon(let polygon)? = try extent(text, "--polygon") else {
      Issue.record("no polygon")
      return
    }
    #expect(GeometryEngine.area(of: .polygon(polygon)) == 6)
  }
}
