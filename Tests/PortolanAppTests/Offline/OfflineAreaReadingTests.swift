import Foundation
import PortolanApp
import PortolanGeometry
import PortolanOffline
import PortolanTestSupport
import Testing

/// Files with the area that is to be taken offline.
@Suite(.temporaryDirectory) struct OfflineAreaReadingTests {
  private func area(_ text: String) throws -> OfflineMapArea {
    let file = temporaryDirectory.appending(path: "area.json")
    try Data(text.utf8).write(to: file)
    return try OfflineMapArea(readingFrom: file)
  }

  /// A square of GeoJSON with sides of 2.
  private static func square(_ west: Double, _ south: Double) -> String {
    let (east, north) = (west + 2, south + 2)
    let corners = [(west, south), (east, south), (east, north), (west, north), (west, south)]
    let ring = corners.map { "[\($0.0),\($0.1)]" }.joined(separator: ",")
    return #"{"type":"Polygon","coordinates":[[\#(ring)]]}"#
  }

  private static func features(_ shapes: String...) -> String {
    let features = shapes.map { #"{"type":"Feature","properties":{},"geometry":\#($0)}"# }
    return #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
  }

  @Test(
    arguments: [
      (features(square(0, 0), square(10, 0)), 8),
      // The intersection of two areas is no hole.
      (features(square(0, 0), square(1, 1)), 7),
      (features(square(0, 0), square(2, 0)), 8),
      (features("null", square(0, 0)), 4),
      (#"{"type":"GeometryCollection","geometries":[\#(square(0, 0)),\#(square(4, 0))]}"#, 8),
      (square(0, 0), 4),
    ] as [(String, Double)])
  func `An area is all that the polygons of its file cover`(
    _ text: String, _ size: Double
  ) throws {
    let area = try area(text)
    #expect(GeometryEngine.area(of: area.geometry) == size)
    #expect(area.spatialReference == .wgs84)
    try area.check()
  }

  @Test func `The features of a set of Esri JSON have the reference of the set`() throws {
    let rings = (0..<2).map { part in
      let (west, east) = (part * 3_000, part * 3_000 + 2_000)
      let ring = "[[\(west),0],[\(west),2000],[\(east),2000],[\(east),0],[\(west),0]]"
      return #"{"attributes":{},"geometry":{"rings":[\#(ring)]}}"#
    }
    let area = try area(
      #"{"spatialReference":{"wkid":102100},"features":[\#(rings.joined(separator: ","))]}"#)
    #expect(GeometryEngine.area(of: area.geometry) == 8_000_000)
    #expect(area.spatialReference.isWebMercator)
  }

  @Test(arguments: [
    features(), features("null"), #"{"type":"Feature","geometry":null}"#,
    #"{"type":"GeometryCollection","geometries":[]}"#, #"{"type":"Point","coordinates":[1,1]}"#,
  ])
  func `A file without an area says so, and is not called damaged`(_ text: String) throws {
    let problem = try #require(throws: Problem.self) { try area(text) }
    #expect(problem.message == "area.json contains no area." && problem.reason == nil)
  }

  @Test func `A file that cannot be read as an area says why`() throws {
    let problem = try #require(throws: Problem.self) {
      try area(Self.features(Self.square(0, 0), #"{"type":"Point","coordinates":[1,1]}"#))
    }
    #expect(problem.reason?.contains("shape 2") == true)
  }
}
