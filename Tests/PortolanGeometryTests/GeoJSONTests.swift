import PortolanGeometry
import PortolanJSON
import Testing

@Suite struct GeoJSONTests {
  @Test(arguments: [
    #"{"type":"Point","coordinates":[1.5,-2]}"#,
    #"{"type":"Point","coordinates":[1.5,-2,30]}"#,
    #"{"type":"Point","coordinates":[]}"#,
    #"{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}"#,
    #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#,
    #"{"type":"LineString","coordinates":[]}"#,
    #"{"type":"LineString","coordinates":[[1,2,3],[3,4]]}"#,
    #"{"type":"MultiLineString","coordinates":[[[1,2],[3,4]],[[5,6],[7,8]]]}"#,
    #"{"type":"Polygon","coordinates":[]}"#,
    #"{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,0]],[[3,2],[4,3],[4,2],[3,2]]]}"#,
    #"{"type":"MultiPolygon","coordinates":[[[[0,0],[9,0],[9,9],[0,0]],"#
      + #"[[3,2],[4,3],[4,2],[3,2]]],[[[20,0],[21,0],[21,1],[20,0]]]]}"#,
  ])
  func `A read document is written unchanged`(_ text: String) throws {
    #expect(try Geometry(geoJSON: JSONValue(parsing: text)).geoJSON().text() == text)
  }

  @Test func `A height of null is none`() throws {
    let point = try Geometry(geoJSON: ["type": "Point", "coordinates": [1, 2, nil]])
    #expect(point == .point(Point(x: 1, y: 2)))
    let line = try Geometry(
      geoJSON: ["type": "LineString", "coordinates": [[1, 2, nil], [3, 4, 5]]])
    #expect(line.paths.first?.z?.last == 5 && line.paths.first?.z?.first?.isNaN == true)
    #expect(throws: GeometryError.self) {
      try Geometry(geoJSON: ["type": "Point", "coordinates": [1, nil]])
    }
  }

  @Test func `The first ring is the exterior, whatever its winding`() throws {
    let value: JSONValue = [
      "type": "Polygon",
      "coordinates": [[[0, 0], [9, 9], [9, 0], [0, 0]], [[3, 2], [4, 2], [4, 3]]],
    ]
    let geometry = try Geometry(geoJSON: value)
    #expect(geometry.paths.map { $0.signedArea > 0 } == [true, false])
    #expect(geometry.paths.map(\.count) == [4, 4])
  }

  @Test(arguments: [
    0.1, 1.0 / 3, -12_239_119.985_900_001, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e16,
    9_007_199_254_740_994, 123_456_789.123_456_78, -179.999_999_999_999_97,
  ])
  func `Coordinates survive to the last bit`(_ ordinate: Double) throws {
    let point = Geometry.point(Point(x: ordinate, y: -ordinate, z: ordinate / 7))
    let text = point.geoJSON().text()
    #expect(try Geometry(geoJSON: JSONValue(parsing: text)) == point)
    let esri = point.esriJSON().text()
    #expect(try Geometry(esriJSON: JSONValue(parsing: esri)) == point)
  }

  @Test func `A box becomes a polygon and measures are left out`() {
    let envelope = Geometry.envelope(Envelope(xMin: 1, yMin: 2, xMax: 3, yMax: 4))
    #expect(
      envelope.geoJSON().text()
        == #"{"type":"Polygon","coordinates":[[[1,2],[3,2],[3,4],[1,4],[1,2]]]}"#)
    let measured = Geometry.point(Point(x: 1, y: 2, m: 3))
    #expect(measured.geoJSON().text() == #"{"type":"Point","coordinates":[1,2]}"#)
  }

  @Test func `A geometry collection is refused by name`() throws {
    let value: JSONValue = ["type": "GeometryCollection", "geometries": []]
    #expect(throws: GeometryError.unsupported(.geoJSON, feature: "a geometry collection")) {
      try Geometry(geoJSON: value)
    }
  }

  @Test(arguments: [
    "{}", "[]", "null", #"{"type":"Circle","coordinates":[]}"#, #"{"type":"Point"}"#,
    #"{"type":"Point","coordinates":[1]}"#, #"{"type":"Point","coordinates":["1","2"]}"#,
    #"{"type":"Point","coordinates":[null,2]}"#, #"{"type":"LineString","coordinates":[1,2]}"#,
    #"{"type":"Polygon","coordinates":[[1,2],[3,4]]}"#,
    #"{"type":"MultiPolygon","coordinates":[[[1,2],[3,4]]]}"#,
    #"{"type":"Feature","geometry":null}"#,
  ])
  func `Damaged shapes give an error`(_ text: String) {
    #expect(throws: GeometryError.self) { try Geometry(geoJSON: JSONValue(parsing: text)) }
  }
}
