import PortolanFeatures
import PortolanGeometry
import Testing

@testable import PortolanApp

@Suite struct CSVFeatureWriterTests {
  private func lines(
    _ geometries: [Geometry?], _ type: GeometryType?, name: String = "Name", hasZ: Bool = false,
    value: AttributeValue = .text("a"), mayMixShapes: Bool = false
  ) throws -> [String] {
    let fields = [Field("OBJECTID", .objectID), Field(name, .string)]
    var schema = FeatureTableSchema(
      name: "things", alias: "Things", geometryType: type, hasZ: hasZ, spatialReference: .wgs84,
      fields: fields)
    schema.mayMixShapes = mayMixShapes
    let layer = InspectedLayer(names: ["Things"], store: InMemoryFeatureStore([]), schema: schema)
    let writer = CSVFeatureWriter(try FeatureExport(layer, .init()))
    let features = geometries.map { geometry in
      Feature(
        objectID: 1, attributes: Attributes(FieldList(fields), [.integer(1), value]),
        geometry: geometry)
    }
    return [writer.opening] + features.map(writer.text)
  }

  @Test func `Points have their coordinates in columns of their own`() throws {
    let point = Geometry.point(Point(x: -68.25, y: 44, z: 12))
    #expect(
      try lines([point, nil], .point) == [
        "OBJECTID,Name,longitude,latitude\n", "1,a,-68.25,44\n", "1,a,,\n",
      ])
    #expect(
      try lines([point], .point, hasZ: true) == [
        "OBJECTID,Name,longitude,latitude,z\n", "1,a,-68.25,44,12\n",
      ])
  }

  @Test func `Other shapes are one column of well-known text`() throws {
    let line = Geometry.polyline(
      Polyline(paths: [Path([Coordinate(x: 1, y: 2), Coordinate(x: 3, y: 4.5)])]))
    #expect(
      try lines([line, .polyline(Polyline(paths: []))], .polyline) == [
        "OBJECTID,Name,wkt\n", "1,a,\"LINESTRING (1 2, 3 4.5)\"\n", "1,a,LINESTRING EMPTY\n",
      ])
    let ring = [(0, 0), (0, 1), (1, 1), (0, 0)].map { Coordinate(x: Double($0.0), y: Double($0.1)) }
    let text = try #require(
      try lines([.polygon(Polygon(rings: [Path(ring)]))], .polygon).last)
    #expect(text.hasPrefix("1,a,\"POLYGON ((0 0, "))
  }

  @Test(arguments: [GeometryType.point, nil])
  func `The shapes of a table that may mix them are one column`(_ first: GeometryType?) throws {
    let line = Geometry.polyline(
      Polyline(paths: [Path([Coordinate(x: 1, y: 2), Coordinate(x: 3, y: 4.5)])]))
    #expect(
      try lines([.point(Point(x: 1, y: 2)), line], first, mayMixShapes: true) == [
        "OBJECTID,Name,wkt\n", "1,a,POINT (1 2)\n", "1,a,\"LINESTRING (1 2, 3 4.5)\"\n",
      ])
  }

  @Test func `A shape's column never has the name of a field`() throws {
    #expect(try lines([], .polyline, name: "WKT") == ["OBJECTID,WKT,shape_wkt\n"])
    #expect(try lines([], nil) == ["OBJECTID,Name\n"])
  }

  @Test(arguments: [
    ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"d\"", "\"say \"\"d\"\"\""),
    ("two\r\nlines", "\"two\r\nlines\""), ("", ""),
  ])
  func `Cells are quoted where they must be`(text: String, cell: String) throws {
    #expect(try lines([nil], nil, value: .text(text)).last == "1,\(cell)\n")
  }

  @Test func `A missing value is an empty cell`() throws {
    #expect(try lines([nil], nil, value: .null).last == "1,\n")
  }
}
