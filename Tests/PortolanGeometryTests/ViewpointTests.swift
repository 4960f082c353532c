import PortolanGeometry
import PortolanJSON
import Testing

@Suite struct ViewpointTests {
  @Test func `A viewpoint of an extent is read`() throws {
    let viewpoint = try Viewpoint(
      esriJSON: JSONValue(
        parsing: """
          {"rotation":30,"scale":5000,"targetGeometry":{"xmin":1,"ymin":2,"xmax":3,"ymax":6,
          "spatialReference":{"wkid":102100,"latestWkid":3857}}}
          """))
    #expect(
      viewpoint
        == Viewpoint(
          target: .extent(Envelope(xMin: 1, yMin: 2, xMax: 3, yMax: 6)), scale: 5000, rotation: 30,
          spatialReference: .webMercator))
    #expect(viewpoint.center == Coordinate(x: 2, y: 4))
    #expect(try Viewpoint(esriJSON: viewpoint.esriJSON) == viewpoint)
  }

  @Test func `A viewpoint of a middle is read`() throws {
    let text = #"{"scale":100,"targetGeometry":{"x":1,"y":2,"spatialReference":{"wkid":4326}}}"#
    let viewpoint = try Viewpoint(esriJSON: JSONValue(parsing: text))
    let reference = SpatialReference(wkid: 4326)
    #expect(
      viewpoint == .center(Coordinate(x: 1, y: 2), scale: 100, spatialReference: reference))
    #expect(viewpoint.esriJSON.text() == text)
  }

  @Test func `An extent alone is a viewpoint, as older maps have it`() throws {
    let viewpoint = try Viewpoint(
      esriJSON: ["xmin": 1, "ymin": 2, "xmax": 3, "ymax": 6, "spatialReference": ["wkid": 4326]])
    let extent = Envelope(xMin: 1, yMin: 2, xMax: 3, yMax: 6)
    #expect(viewpoint == .extent(extent, spatialReference: SpatialReference(wkid: 4326)))
  }

  @Test(arguments: [
    "{}", "3", #"{"targetGeometry":null}"#, #"{"targetGeometry":{"x":"NaN","y":"NaN"}}"#,
    #"{"targetGeometry":{"rings":[]}}"#, #"{"xmin":"NaN","ymin":0,"xmax":0,"ymax":0}"#,
  ])
  func `A viewpoint of nothing is an error`(_ text: String) {
    #expect(throws: GeometryError.self) { try Viewpoint(esriJSON: JSONValue(parsing: text)) }
  }
}
