import PortolanApp
import PortolanGeometry
import PortolanJSON
import Testing

@Suite struct TileRegionExtentTests {
  private static let triangle = Polygon(rings: [
    Path([
      Coordinate(x: 1, y: 2), Coordinate(x: 3, y: 2), Coordinate(x: 3, y: 4),
      Coordinate(x: 1, y: 2),
    ])
  ])

  @Test(
    arguments: [
      (.box(west: 179, south: -18, east: -178, north: -16), #"{"box":[179,-18,-178,-16]}"#),
      (.polygon(triangle), #"{"polygon":[[[1,2],[3,2],[3,4],[1,2]]]}"#),
      (.circle(center: Coordinate(x: 1, y: 2), radius: 500), #"{"circle":[1,2,500]}"#),
      (
        .corridor(along: [Coordinate(x: 1, y: 2), Coordinate(x: 3, y: 4)], padding: 50),
        #"{"corridor":[[1,2],[3,4]],"padding":50}"#
      ),
      (
        .several([
          .circle(center: Coordinate(x: 1, y: 2), radius: 5),
          .box(west: 1, south: 2, east: 3, north: 4),
        ]), #"{"several":[{"circle":[1,2,5]},{"box":[1,2,3,4]}]}"#
      ),
    ] as [(TileRegionExtent, String)])
  func `The extent of a region is the document that the cache keeps`(
    _ extent: TileRegionExtent, _ document: String
  ) throws {
    #expect(extent.json == (try JSONValue(parsing: document)))
    #expect(TileRegionExtent(json: extent.json) == extent)
  }

  @Test(arguments: ["{}", "[]", "7", #"{"box":[1,2,3]}"#, #"{"corridor":[[1,2]]}"#])
  func `What is no extent is refused`(_ document: String) throws {
    #expect(TileRegionExtent(json: try JSONValue(parsing: document)) == nil)
  }
}
