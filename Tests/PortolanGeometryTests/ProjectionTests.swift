import PortolanJSON
import PortolanTestSupport
import Testing

@testable import PortolanGeometry

@Suite struct ProjectionTests {
  static let longitudes: [Double] = [
    -180, -179.999_999_999, -122.4194, -90, -1e-9, 0, 1e-300, 45.123_456_789, 109.8782, 180,
  ]
  static let latitudes: [Double] = [
    -90, -89.999_999, -85.051_128_779_806_59, -60, -1e-9, 0, 1e-7, 38.2, 66.56, 85.06, 89, 90,
  ]

  @Test(arguments: latitudes)
  func `The formulas of Web Mercator agree with PROJ`(_ latitude: Double) throws {
    let formula = try Projection(from: .wgs84, to: .webMercator)
    let proj = try Projection(throughPROJFrom: .wgs84, to: .webMercator)
    for longitude in Self.longitudes {
      let position = Coordinate(x: longitude, y: latitude)
      let (image, expected) = (try formula.project(position), try proj.project(position))
      #expect(abs(image.x - expected.x) < 1e-6)
      // At the poles a rounding of the last bit of π moves the image by kilometres.
      #expect(abs(image.y - expected.y) < (abs(latitude) > 89.99 ? 1 : 1e-6))
      guard abs(latitude) < 89.99 else { continue }
      let back = try Projection(from: .webMercator, to: .wgs84).project(image)
      let expectedBack = try Projection(throughPROJFrom: .webMercator, to: .wgs84).project(image)
      #expect(abs(back.x - position.x) < 1e-11 && abs(back.y - position.y) < 1e-11)
      #expect(abs(back.x - expectedBack.x) < 1e-11 && abs(back.y - expectedBack.y) < 1e-11)
    }
  }

  @Test func `Longitudes beyond the date line continue where PROJ wraps`() throws {
    let position = Coordinate(x: 190, y: 10)
    let image = try Projection(from: .wgs84, to: .webMercator).project(position)
    let wrapped = try Projection(throughPROJFrom: .wgs84, to: .webMercator).project(position)
    #expect(abs(image.x - wrapped.x - 2 * .pi * 6_378_137) < 1e-6)
    #expect(abs(image.y - wrapped.y) < 1e-6)
  }

  @Test(arguments: [
    Coordinate(x: 0, y: 90.1), Coordinate(x: 0, y: -91), Coordinate(x: .nan, y: 0),
    Coordinate(x: 0, y: .infinity), Coordinate(x: -.infinity, y: 0),
  ])
  func `Beyond the poles there is nothing`(_ position: Coordinate) throws {
    let projection = try Projection(from: .wgs84, to: .webMercator)
    #expect(throws: GeometryError.self) { try projection.project(position) }
  }

  /// Positions that others publish: swisstopo's origin in Bern, a corner of UTM zone 12, the
  /// centre of Esri's World Robinson, a State Plane origin.
  @Test(arguments: [
    (2056, Coordinate(x: 7.438_632_495, y: 46.951_082_773), Coordinate(x: 2_600_000, y: 1_200_000)),
    (26912, Coordinate(x: -111, y: 0), Coordinate(x: 500_000, y: 0)),
    (54030, Coordinate(x: 0, y: 0), Coordinate(x: 0, y: 0)),
    (102_100, Coordinate(x: 180, y: 0), Coordinate(x: 20_037_508.342_789_244, y: 0)),
    (900_913, Coordinate(x: 180, y: 0), Coordinate(x: 20_037_508.342_789_244, y: 0)),
    (4269, Coordinate(x: -109.9, y: 38.3), Coordinate(x: -109.9, y: 38.3)),
  ])
  func `References are found by their id`(
    _ wkid: Int, _ position: Coordinate, _ expected: Coordinate
  ) throws {
    let projection = try Projection(from: .wgs84, to: SpatialReference(wkid: wkid))
    let image = try projection.project(position)
    #expect(abs(image.x - expected.x) < 0.05 && abs(image.y - expected.y) < 0.05)
    let back = try Projection(from: SpatialReference(wkid: wkid), to: .wgs84).project(image)
    #expect(abs(back.x - position.x) < 1e-6 && abs(back.y - position.y) < 1e-6)
  }

  @Test func `An unknown spatial reference is an error`() {
    #expect(throws: GeometryError.self) {
      try Projection(from: .wgs84, to: SpatialReference(wkid: 1))
    }
    #expect(throws: GeometryError.self) {
      try Projection(from: SpatialReference(), to: .wgs84)
    }
    #expect(throws: GeometryError.self) {
      try Projection(from: .wgs84, to: SpatialReference(wkt: #"PROJCS["x",GEOGCS["y"#))
    }
  }

  @Test func `Positions without a counterpart are named or not-a-number`() throws {
    let projection = try Projection(from: .wgs84, to: SpatialReference(wkid: 26912))
    let lost = Coordinate(x: 0, y: 200)
    #expect(throws: GeometryError.outsideProjection(lost)) { try projection.project(lost) }
    let images = projection.project([Coordinate(x: -111, y: 40), lost])
    #expect(images[0].x.isFinite && images[1].x.isNaN && images[1].y.isNaN)
    let line = Geometry.polyline(Polyline(paths: [Path([Coordinate(x: -111, y: 40), lost])]))
    #expect(throws: GeometryError.outsideProjection(lost)) { try projection.project(line) }
  }

  @Test func `Heights and measures are carried along`() throws {
    let projection = try Projection(from: .wgs84, to: .webMercator)
    let path = Path([Coordinate(x: 1, y: 2), Coordinate(x: 3, y: 4)], z: [5, 6], m: [7, 8])
    let image = try projection.project(.polyline(Polyline(paths: [path]))).paths[0]
    #expect(image.z == path.z && image.m == path.m)
    #expect(image.coordinates != path.coordinates)
    let empty = Geometry.polygon(Polygon(rings: []))
    #expect(try projection.project(empty) == empty)
    let point = try projection.project(.point(Point(x: 0, y: 0, z: 1, m: 2)))
    #expect(point == .point(Point(x: 0, y: 0, z: 1, m: 2)))
  }

  @Test func `Boxes hold the images of all that is in them`() throws {
    let box = Envelope(xMin: -114, yMin: 37, xMax: -102, yMax: 45)
    for wkid in [3857, 26912, 5070, 102_008, 3031] {
      let projection = try Projection(from: .wgs84, to: SpatialReference(wkid: wkid))
      let image = try projection.project(box)
      for step in 0...200 {
        let inside = Coordinate(
          x: box.xMin + box.width * Double(step * 7 % 201) / 200,
          y: box.yMin + box.height * Double(step) / 200)
        let tolerance = max(image.width, image.height) * 1e-4
        #expect(image.expanded(by: tolerance).contains(try projection.project(inside)))
      }
    }
  }

  @Test func `A box around the pole reaches it`() throws {
    let projection = try Projection(from: SpatialReference(wkid: 3031), to: .wgs84)
    let image = try projection.project(Envelope(xMin: -1e6, yMin: -1e6, xMax: 1e6, yMax: 1e6))
    #expect(image.yMin < -89.99 && image.xMin == -180 && image.xMax == 180)
  }

  @Test func `The box of the world is finite in Web Mercator`() throws {
    let projection = try Projection(from: .wgs84, to: .webMercator)
    let world = Envelope(xMin: -180, yMin: -90, xMax: 180, yMax: 90)
    let image = try projection.project(world)
    #expect(abs(image.yMax - 30_240_971.958_386) < 1e-3)
    #expect(try projection.project(Envelope.empty).isEmpty)
  }

  @Test(.needsSharedFiles, arguments: ["Line", "Point", "Polygon"])
  func `Recorded twins of Esri JSON and GeoJSON are the same places`(_ kind: String) throws {
    let folder = "fixtures/featurequery/arcgis-rest-js__"
    let esri = try JSONValue(parsing: SharedFiles.data("\(folder)arcGIS\(kind)Response.json"))
    let geo = try JSONValue(
      parsing: SharedFiles.data("\(folder)geojson_geoJSON\(kind)Response.json"))
    let value = try #require(esri["features"]?[0]?["geometry"])
    let reference = try #require(SpatialReference(esriJSON: esri["spatialReference"]))
    let native = try Geometry(esriJSON: value)
    let projected = try Projection(from: reference, to: .wgs84).project(native)
    let twin = try Geometry(geoJSON: try #require(geo["features"]?[0]?["geometry"]))
    #expect(projected.type == twin.type)
    for (path, twinPath) in zip(projected.paths, twin.paths) {
      #expect(path.count == twinPath.count)
      for (place, twinPlace) in zip(path.coordinates, twinPath.coordinates) {
        #expect(abs(place.x - twinPlace.x) < 1e-11 && abs(place.y - twinPlace.y) < 1e-11)
      }
    }
  }
}
