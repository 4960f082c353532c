import PortolanGeometry
import PortolanJSON
import Testing

@Suite struct AntimeridianTests {
  private static let world = 2 * Double.pi * 6_378_137

  @Test(arguments: [
    (#"{"xmin":170,"ymin":-20,"xmax":-170,"ymax":20,"spatialReference":{"wkid":4326}}"#, 190),
    (#"{"xmin":170,"ymin":-20,"xmax":-170,"ymax":20,"spatialReference":{"wkid":4269}}"#, 190),
    (#"{"xmin":170,"ymin":-20,"xmax":-170,"ymax":20}"#, 190),
    (
      #"{"xmin":19000000,"ymin":0,"xmax":-19000000,"ymax":9,"spatialReference":{"wkid":102100}}"#,
      world - 19_000_000
    ),
  ])
  func `A box across the antimeridian continues to the east`(
    _ json: String, _ xMax: Double
  ) throws {
    let box = try Envelope(esriJSON: JSONValue(parsing: json))
    #expect(box.xMax == xMax && box.xMin < box.xMax)
    let written = try Envelope(esriJSON: box.esriJSON())
    #expect(written == box)
  }

  @Test(arguments: [
    #"{"xmin":500000,"ymin":1,"xmax":400000,"ymax":2,"spatialReference":{"wkid":26915}}"#,
    #"{"xmin":500000,"ymin":1,"xmax":400000,"ymax":2}"#,
    #"{"xmin":500000,"ymin":2,"xmax":400000,"ymax":1,"spatialReference":{"wkid":102100}}"#,
  ])
  func `Edges that are only swapped are swapped back`(_ json: String) throws {
    let box = try Envelope(esriJSON: JSONValue(parsing: json))
    #expect(box == Envelope(xMin: 400_000, yMin: 1, xMax: 500_000, yMax: 2))
  }

  @Test func `A box across the antimeridian has a part on each side of it`() {
    let box = Envelope(xMin: 170, yMin: 0, xMax: 190, yMax: 1)
    #expect(
      box.partsWithinWorld(worldWidth: 360) == [
        Envelope(xMin: 170, yMin: 0, xMax: 180, yMax: 1),
        Envelope(xMin: -180, yMin: 0, xMax: -170, yMax: 1),
      ])
    let wide = Envelope(xMin: -100, yMin: 0, xMax: 300, yMax: 1)
    let whole = Envelope(xMin: -180, yMin: 0, xMax: 180, yMax: 1)
    #expect(wide.partsWithinWorld(worldWidth: 360) == [whole])
    #expect(box.widenedToWorld(worldWidth: 360) == whole)
    #expect(box.partsWithinWorld(worldWidth: nil) == [box])
    let plain = Envelope(xMin: -10, yMin: 0, xMax: 10, yMax: 1)
    #expect(plain.partsWithinWorld(worldWidth: 360) == [plain])
  }

  @Test func `Zooming to a box across the antimeridian shows that box, not the rest`() throws {
    let json: JSONValue = [
      "xmin": 170, "ymin": -5, "xmax": -170, "ymax": 5, "spatialReference": ["wkid": 4326],
    ]
    let frame = MapFrame(
      center: Coordinate(x: 0, y: 0), scale: 1, width: 100, height: 100,
      spatialReference: .webMercator, properties: try SpatialReference.webMercator.properties())
    let shown = try frame.showing(try Viewpoint(esriJSON: json))
    #expect(abs(shown.center.x - Self.world / 2) < 1)
    #expect(abs(shown.visibleExtent.width - Self.world * 20 / 360) < 1)
  }

  @Test(arguments: [
    (Envelope(xMin: 170, yMin: -20, xMax: 190, yMax: 0), true),
    (Envelope(xMin: -180, yMin: -20, xMax: -175, yMax: 0), true),
    (Envelope(xMin: -190, yMin: -20, xMax: -181, yMax: 0), true),
    (Envelope(xMin: -160, yMin: -20, xMax: 160, yMax: 0), false),
    (Envelope(xMin: 170, yMin: 1, xMax: 190, yMax: 9), false),
  ])
  func `Boxes share a place whichever of them continues beyond the antimeridian`(
    _ other: Envelope, _ expected: Bool
  ) {
    let box = Envelope(xMin: 175, yMin: -20, xMax: 188, yMax: 0)
    #expect(box.intersects(other, worldWidth: 360) == expected)
    #expect(other.intersects(box, worldWidth: 360) == expected)
  }
}
