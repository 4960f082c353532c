import PortolanGeometry
import PortolanJSON
import PortolanTestSupport
import Testing

@Suite struct EsriJSONTests {
  static func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }

  @Test(arguments: [
    (#"{"x":1.5,"y":-2}"#, Point(x: 1.5, y: -2)),
    (#"{"x":1,"y":2,"z":3,"m":4}"#, Point(x: 1, y: 2, z: 3, m: 4)),
    (#"{"x":1,"y":2,"z":"NaN","m":null}"#, Point(x: 1, y: 2)),
    (#"{"x":"1.25","y":"2"}"#, Point(x: 1.25, y: 2)),
  ])
  func `Points are read`(_ text: String, _ expected: Point) throws {
    #expect(try Geometry(esriJSON: Self.json(text)) == .point(expected))
  }

  @Test(arguments: [
    #"{"x":null}"#, #"{"x":"NaN"}"#, #"{"x":"NaN","y":"NaN"}"#, #"{"points":[]}"#,
    #"{"paths":[]}"#, #"{"rings":[]}"#, #"{"rings":[[]]}"#,
    #"{"xmin":"NaN","ymin":"NaN","xmax":"NaN","ymax":"NaN"}"#,
    #"{"xmin":null,"ymin":null,"xmax":null,"ymax":null}"#,
  ])
  func `Empty shapes are read, written and read again`(_ text: String) throws {
    let geometry = try Geometry(esriJSON: Self.json(text))
    #expect(geometry.isEmpty)
    #expect(geometry.extent == nil)
    #expect(try Geometry(esriJSON: geometry.esriJSON()).isEmpty)
  }

  @Test(arguments: [
    (#"{"paths":[[[1,2,3],[4,5,6]]]}"#, [3.0, 6], nil),
    (#"{"hasM":true,"paths":[[[1,2,3],[4,5,"NaN"]]]}"#, nil, [3.0, .nan]),
    (#"{"hasZ":true,"hasM":true,"paths":[[[1,2,3,4],[4,5,6]]]}"#, [3.0, 6], [4.0, .nan]),
    (#"{"hasZ":true,"paths":[[[1,2,3],[4,5]]]}"#, [3.0, .nan], nil),
    (#"{"hasZ":false,"hasM":false,"paths":[[[1,2,3],[4,5]]]}"#, nil, nil),
  ])
  func `Heights and measures are distinguished`(
    _ text: String, _ z: [Double]?, _ m: [Double]?
  ) throws {
    let path = try #require(try Geometry(esriJSON: Self.json(text)).paths.first)
    #expect(path.z?.map(\.bitPattern) == z?.map(\.bitPattern))
    #expect(path.m?.map(\.bitPattern) == m?.map(\.bitPattern))
    let again = try Geometry(esriJSON: Geometry.polyline(Polyline(paths: [path])).esriJSON())
    #expect(again.paths.first?.z?.map(\.bitPattern) == z?.map(\.bitPattern))
    #expect(again.paths.first?.m?.map(\.bitPattern) == m?.map(\.bitPattern))
  }

  @Test func `Clockwise exteriors are turned, and turned back when written`() throws {
    let text = #"{"rings":[[[0,0],[0,9],[9,9],[9,0],[0,0]],[[1,1],[2,1],[2,2],[1,1]]]}"#
    let geometry = try Geometry(esriJSON: Self.json(text))
    guard case .polygon(let polygon) = geometry else {
      Issue.record("no polygon")
      return
    }
    #expect(polygon.rings.map { $0.signedArea > 0 } == [true, false])
    #expect(geometry.esriJSON().text() == text)
  }

  @Test func `The flags of a feature set count where the shape has none`() throws {
    let value = try Self.json(#"{"paths":[[[1,2,3]]]}"#)
    let path = try Geometry(esriJSON: value, hasZ: false, hasM: true).paths[0]
    #expect(path.z == nil && path.m == [3])
  }

  @Test(arguments: [
    "[]", "{}", "null", #"{"x":true,"y":1}"#, #"{"x":1}"#, #"{"x":1,"y":"north"}"#,
    #"{"rings":7}"#, #"{"rings":[7]}"#, #"{"rings":[[7]]}"#, #"{"rings":[[[1]]]}"#,
    #"{"rings":[[[1,{}]]]}"#, #"{"paths":[[[1,2,"x"]]]}"#, #"{"xmin":1,"ymin":2,"xmax":3}"#,
    #"{"curveRings":[[{"c":[[1,2],[3,4]]}]]}"#, #"{"curvePaths":[[[1,2],{"d":[[1,2],[3,4]]}]]}"#,
    #"{"curvePaths":[[[1,2],{"c":[[1,2]]}]]}"#, #"{"curvePaths":[[[1,2],{}]]}"#,
    #"{"curvePaths":[[[1,2],{"a":[[1,2],[3,4],0,1,0,1,0]}]]}"#,
  ])
  func `Damaged shapes give an error`(_ text: String) throws {
    #expect(throws: GeometryError.self) { try Geometry(esriJSON: Self.json(text)) }
  }

  /// Each is a quarter or a half of a circle of radius 1 around the origin.
  @Test(arguments: [
    (#"{"curvePaths":[[[1,0],{"c":[[0,1],[0.7071067811865476,0.7071067811865476]]}]]}"#, 46),
    (#"{"curvePaths":[[[1,0],{"a":[[0,1],[0,0],1,0]}]]}"#, 46),
    (#"{"curvePaths":[[[1,0],{"a":[[-1,0],[0,0],0,1,0,1,1]}]]}"#, 91),
    (#"{"curvePaths":[[[1,0],{"c":[[1,0],[-1,0]]}]]}"#, 181),
  ])
  func `Arcs become short straight lines`(_ text: String, _ count: Int) throws {
    let path = try Geometry(esriJSON: Self.json(text)).paths[0]
    #expect(abs(path.count - count) <= 1)
    for place in path.coordinates {
      #expect(abs(place.x * place.x + place.y * place.y - 1) < 1e-12)
    }
  }

  @Test func `Curves carry heights, and rings of them are areas`() throws {
    let line = try Geometry(
      esriJSON: Self.json(
        #"{"hasZ":true,"curvePaths":[[[0,0,1],{"b":[[3,0,4],[1,1],[2,1]]},[5,0,6]]]}"#))
    let path = line.paths[0]
    #expect(path.count == 66 && path.z?.count == 66)
    #expect(path.z?.first == 1 && path.z?[64] == 4 && path.z?.last == 6)
    #expect(path.coordinates[32] == Coordinate(x: 1.5, y: 0.75))
    let disk = try Geometry(
      esriJSON: Self.json(#"{"curveRings":[[[2,0],{"c":[[2,0],[-2,0]]}]]}"#))
    #expect(abs(GeometryEngine.area(of: disk) - 4 * .pi) < 0.01)
    let ellipse = try Geometry(
      esriJSON: Self.json(
        #"{"curveRings":[[[0,2],{"a":[[0,2],[0,0],0,1,1.5707963267948966,2,0.5]}]]}"#))
    #expect(abs(GeometryEngine.area(of: ellipse) - 2 * .pi) < 0.01)
    let straight = try Geometry(
      esriJSON: Self.json(#"{"curvePaths":[[[0,0],{"c":[[2,2],[1,1]]}]]}"#))
    #expect(straight.paths[0].count == 3)
  }

  @Test func `A shape of curves without end is refused`() {
    let curve: JSONValue = ["c": [[0, 1], [0.5, 0.5]]]
    let path = [[1, 0]] + Array(repeating: curve, count: 20_001)
    let value: JSONValue = ["curvePaths": [.array(path)]]
    #expect(throws: GeometryError.self) { try Geometry(esriJSON: value) }
  }

  @Test(arguments: [
    (#"{"wkid":102100,"latestWkid":3857}"#, SpatialReference.webMercator),
    (#"{"wkid":4326}"#, SpatialReference(wkid: 4326)),
    ("4326", SpatialReference(wkid: 4326)),
    (#"{"wkid":"4326"}"#, SpatialReference(wkid: 4326)),
    (#"{"wkid":4326,"vcsWkid":115700}"#, SpatialReference(wkid: 4326, verticalWKID: 115_700)),
    (#"{"wkid":0,"wkt":"LOCAL_CS[]"}"#, SpatialReference(wkt: "LOCAL_CS[]")),
    (#"{"wkt2":"GEOGCRS[]"}"#, SpatialReference(wkt: "GEOGCRS[]")),
  ])
  func `Spatial references are read, written and read again`(
    _ text: String, _ expected: SpatialReference
  ) throws {
    let reference = SpatialReference(esriJSON: try Self.json(text))
    #expect(reference == expected)
    #expect(SpatialReference(esriJSON: expected.esriJSON)?.isEquivalent(to: expected) == true)
  }

  @Test(arguments: ["{}", "null", #"{"wkid":0}"#, #"{"wkt":""}"#, #""abc""#, "-1"])
  func `No spatial reference is none`(_ text: String) throws {
    #expect(SpatialReference(esriJSON: try Self.json(text)) == nil)
  }
}
