import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanTestSupport
import Testing

@testable import PortolanConversion

/// The shapes of a file of comma-separated values, and the meaning of their coordinates.
@Suite(.temporaryDirectory) struct CSVShapeTests {
  private struct Layer {
    var name: String
    var schema: FeatureTableSchema
    var rows: [Feature]
  }

  private func write(_ text: some StringProtocol, _ name: String = "places.csv") throws -> URL {
    let url = temporaryDirectory.appending(path: name)
    try Data(text.utf8).write(to: url)
    return url
  }

  private func layers(_ text: String) async throws -> ([Layer], SurveyedTables) {
    let store = try #require(try await TableFile.csv(at: write(text)) as? SurveyedTables)
    var layers: [Layer] = []
    for schema in try await store.schemas() {
      let rows = try await store.features(in: schema.name, matching: .init()).collect()
      layers.append(Layer(name: schema.name, schema: schema, rows: rows))
    }
    return (layers, store)
  }

  private func layer(_ text: String) async throws -> (Layer, SurveyedTables) {
    let (layers, store) = try await layers(text)
    #expect(layers.count == 1)
    return (try #require(layers.first), store)
  }

  private static func isNear(_ left: Geometry?, _ x: Double, _ y: Double) -> Bool {
    guard case .point(let point)? = left else { return false }
    return abs(point.x - x) < 1e-6 && abs(point.y - y) < 1e-6
  }

  @Test func `Lines without most of their cells do not take memory without bound`() async throws {
    let header = (0..<10_000).map { "c\($0)" }.joined(separator: ",")
    let lines = String(repeating: "x\n", count: 1_700)
    let url = try write(header + "\n" + lines)
    await #expect(
      throws: FeatureStoreError.unsupported(
        file: "places.csv", feature: "more rows of 10000 columns than fit in memory")
    ) { try await TableFile.csv(at: url) }
  }

  // MARK: Cells that are no shapes

  @Test func `An invalid shape in a cell costs only the shape of its row, and is reported`()
    async throws
  {
    let (layer, store) = try await layer(
      "name,wkt\nA,POINT (1 2)\nB,Main Street\nC,\nD,POINT (3 4)\nE,POINT (5\n")
    #expect(layer.schema.geometryType == .point && layer.schema.spatialReference == .wgs84)
    #expect(
      layer.rows.map(\.geometry) == [
        .point(Point(x: 1, y: 2)), nil, nil, .point(Point(x: 3, y: 4)), nil,
      ])
    // The column stays, so that nothing is lost.
    #expect(layer.rows[1].attributes["wkt"] == .text("Main Street"))
    #expect(
      store.failures.map(\.summary) == [
        "\"places.csv\", line 3: \"Main Street\" is no shape that can be read; it is kept without a shape.",
        "\"places.csv\", line 6: \"POINT (5\" is no shape that can be read; it is kept without a shape.",
      ])
    let (_, result) = try await TableFileConversionTests().convert(store, to: "places.gpkg")
    #expect(result.failureCount == 2 && result.tables.map(\.writtenCount) == [5])
  }

  @Test func `A column without any shape is one of texts, whatever its name`() async throws {
    let (layer, store) = try await layer("shape,n\nround,1\nsquare,2\n")
    #expect(layer.schema.geometryType == nil && store.damagedCount == 0)
    #expect(layer.rows.map { $0.attributes["shape"] } == [.text("round"), .text("square")])
  }

  @Test func `Invalid coordinates are reported with their lines`() async throws {
    let (layer, store) = try await layer("name,lat,lon\nA,44,1\nB,abc,1\nC,95,1\nD,,\nE,1,\n")
    #expect(Self.isNear(layer.rows[0].geometry, 1, 44))
    #expect(layer.rows.dropFirst().allSatisfy { $0.geometry == nil })
    #expect(store.failures.map(\.item) == ["line 3", "line 4", "line 6"])
    #expect(layer.rows[1].attributes["lat"] == .text("abc"))
  }

  @Test func `Columns called x and y without a coordinate are no shapes`() async throws {
    let (layer, store) = try await layer("x,y\nyes,no\n")
    #expect(layer.schema.geometryType == nil && store.damagedCount == 0)
  }

  @Test func `A cell of thousands of letters is quoted by its beginning`() async throws {
    let long = String(repeating: "x", count: 10_000)
    let (_, store) = try await layer("wkt\nPOINT (1 2)\n\(long)\n")
    #expect(store.failures.first.map { $0.summary.count < 200 } == true)
  }

  @Test func `Shapes of several families have a table each`() async throws {
    let (layers, _) = try await layers(
      "n;wkt\n1;POINT (1 2)\n2;LINESTRING (1 2, 3 4)\n3;MULTIPOINT (5 6, 7 8)\n4;\n")
    #expect(layers.map(\.name) == ["places_points", "places_lines", "places_no_shape"])
    #expect(layers.map(\.schema.geometryType) == [.multipoint, .polyline, nil])
    #expect(layers[0].rows.map(\.objectID) == [1, 3])
    #expect(layers[0].rows[0].geometry?.type == .multipoint)
  }

  // MARK: Which columns

  @Test(arguments: [
    "lat,lon,wkt\n1,2,\"LINESTRING (1 2, 3 4)\"\n", "geometry,x,y\n\"LINESTRING (1 2, 3 4)\",1,2\n",
  ])
  func `Well-known text goes before coordinates`(_ text: String) async throws {
    let (layer, _) = try await layer(text)
    #expect(layer.schema.geometryType == .polyline && layer.schema.fields.count == 3)
    #expect(layer.rows[0].geometry?.paths.first?.count == 2)
  }

  @Test func `Where a column of texts has the name of well-known text, coordinates are taken`()
    async throws
  {
    let (layer, store) = try await layer("shape,lat,lon\nround,44,1\n")
    #expect(Self.isNear(layer.rows[0].geometry, 1, 44) && store.damagedCount == 0)
    #expect(layer.rows[0].attributes["shape"] == .text("round"))
  }

  @Test func `The shape column names of our own files precede others of the same kind`()
    async throws
  {
    let (texts, _) = try await layer("wkt,shape_wkt\nPOINT (1 2),POINT (3 4)\n")
    #expect(Self.isNear(texts.rows[0].geometry, 3, 4))
    let (points, _) = try await layer(
      "longitude,latitude,shape_longitude,shape_latitude\n1,2,3,4\n")
    #expect(Self.isNear(points.rows[0].geometry, 3, 4))
  }

  // MARK: What coordinates mean

  @Test(arguments: [
    ("SRID=3857;POINT (1 2)", 3857), (" srid = 4326 ; POINT(1 2)", 4326), ("POINT (1 2)", nil),
    // With 0 PostGIS says that the reference is not known.
    ("SRID=0;POINT (1 2)", nil),
  ])
  func `The number of a spatial reference is read with the shape`(
    _ text: String, _ number: Int?
  ) throws {
    let shape = try NumberedShape(wellKnownText: text)
    #expect(shape.geometry == .point(Point(x: 1, y: 2)) && shape.spatialReferenceID == number)
  }

  @Test(arguments: [
    "SRID=4326", "SRID;POINT (1 2)", "SRID=;POINT (1 2)", "SRID=x;POINT (1 2)",
    "SRID=-1;POINT (1 2)",
    "SRID=99999999999999999999;POINT (1 2)", "SRID=4326 POINT (1 2)",
    "SRID=4326;SRID=3857;POINT (1 2)", "SRID=4326;",
  ])
  func `A number that is none is refused with its shape`(_ text: String) {
    #expect(throws: GeometryError.self) { try NumberedShape(wellKnownText: text) }
  }

  @Test func `The number before well-known text is the spatial reference of the layer`()
    async throws
  {
    let (layer, store) = try await layer("wkt\nSRID=3857;POINT (1113194.9 0)\n")
    #expect(layer.schema.spatialReference == .webMercator && store.damagedCount == 0)
    #expect(Self.isNear(layer.rows[0].geometry, 1_113_194.9, 0))
  }

  @Test func `Shapes in other references are projected to that of the first`() async throws {
    let (layer, store) = try await layer(
      "wkt\nSRID=4326;POINT (10 0)\nSRID=3857;POINT (1113194.9079327357 0)\nPOINT (20 0)\n"
        + "POINT (500000 4000000)\n")
    #expect(layer.schema.spatialReference == .wgs84)
    #expect(
      Self.isNear(layer.rows[1].geometry, 10, 0) && Self.isNear(layer.rows[2].geometry, 20, 0))
    #expect(layer.rows[3].geometry == nil && store.failures.map(\.item) == ["line 5"])
  }

  @Test func `An unknown spatial reference id is reported and not taken for degrees`() async throws
  {
    let (layer, store) = try await layer("wkt\nSRID=987654;POINT (10 0)\nSRID=4326;POINT (1 2)\n")
    #expect(layer.rows[0].geometry == nil && Self.isNear(layer.rows[1].geometry, 1, 2))
    #expect(store.failures.first?.reason.contains("987654") == true)
    let (alone, other) = try await self.layer("wkt\nSRID=987654;POINT (10 0)\n")
    #expect(alone.rows[0].geometry == nil && alone.schema.spatialReference == nil)
    #expect(other.damagedCount == 1)
    #expect(alone.rows[0].attributes["wkt"] == .text("SRID=987654;POINT (10 0)"))
  }

  @Test(arguments: [
    "x,y\n419825,4872358\n10,20\n", "wkt\nPOINT (419825 4872358)\n", "easting,northing\n10,20\n",
    "x,y\n10,91\n", "x,y\n181,0\n",
  ])
  func `Numbers outside the range of degrees are in an unknown reference`(
    _ text: String
  ) async throws {
    let (layer, _) = try await layer(text)
    #expect(layer.schema.geometryType == .point && layer.schema.spatialReference == nil)
    #expect(layer.rows.allSatisfy { $0.geometry != nil })
  }

  @Test(arguments: ["x,y\n10,20\n", "wkt\nPOINT (10 20)\n", "lon,lat\n190,20\n"])
  func `Numbers that may be degrees are taken for them`(_ text: String) async throws {
    #expect(try await layer(text).0.schema.spatialReference == .wgs84)
  }

  @Test func `The reference beside a file is that of its coordinates`() async throws {
    let text = try SpatialReference(wkid: 32_619).esriWellKnownText()
    let file = try write(text, "places.prj")
    #expect(try await layer("x,y\n419825,4872358\n").0.schema.spatialReference?.wkt == text)
    #expect(try await layer("wkt\nPOINT (1 2)\n").0.schema.spatialReference?.wkt == text)
    // Longitudes are no lengths.
    #expect(try await layer("lon,lat\n1,2\n").0.schema.spatialReference == .wgs84)
    // It may be that of a shapefile of the same name.
    _ = try write("", "places.shp")
    #expect(try await layer("x,y\n419825,4872358\n").0.schema.spatialReference == nil)
    try FileManager.default.removeItem(at: file)
  }

  @Test(
    arguments: [
      ("0101000000000000000000F03F0000000000000040", nil),
      ("0101000020110f0000000000000000F03F0000000000000040", 3857),
      ("0020000001000010E63FF00000000000004000000000000000", 4326),
      ("010100002000000000000000000000F03F0000000000000040", nil),
    ] as [(String, Int?)])
  func `Digits of well-known binary are shapes, with the number of their reference`(
    _ digits: String, _ number: Int?
  ) async throws {
    let (layer, store) = try await layer("n,wkb_geometry\n1,\(digits)\n2,\n")
    #expect(layer.rows.map(\.geometry) == [.point(Point(x: 1, y: 2)), nil])
    #expect(layer.schema.spatialReference?.currentWKID == number ?? 4326)
    #expect(store.failures.isEmpty && !layer.schema.fields.contains { $0.name == "wkb_geometry" })
  }

  @Test(arguments: [
    "0101000000000000000000F03F000000000000004", "0101000000000000000000F03F00000000000000",
    "0109000020ffffffffffffffff", "0x01", "01010000000000000000zzF03F0000000000000040",
  ])
  func `Digits that are no shape are reported`(_ digits: String) async throws {
    let (layer, store) = try await layer("n,geom\n1,POINT (1 2)\n2,\(digits)\n")
    #expect(layer.rows.map(\.geometry) == [.point(Point(x: 1, y: 2)), nil])
    #expect(store.failures.map(\.item) == ["line 3"])
  }

  // MARK: Heights

  @Test(arguments: [("z", false), ("elevation", true), ("Altitude", true), ("POINT_Z", false)])
  func `Heights beside coordinates are those of the points`(
    _ name: String, _ stays: Bool
  ) async throws {
    let (layer, _) = try await layer("lat,lon,\(name)\n44,1,\"250,5\"\n45,2,\n")
    #expect(layer.schema.hasZ)
    #expect(
      layer.rows.map(\.geometry) == [
        .point(Point(x: 1, y: 44, z: 250.5)), .point(Point(x: 2, y: 45)),
      ])
    #expect(layer.schema.fields.contains { $0.name == name } == stays)
  }

  @Test func `Measures survive comma-separated values`() async throws {
    let (layer, store) = try await layer("wkt\n\"LINESTRING M (1 2 5, 3 4 6)\"\n")
    #expect(layer.schema.hasM && !layer.schema.hasZ)
    #expect(layer.rows.map { $0.geometry?.paths.first?.m } == [[5, 6]])
    let (url, result) = try await TableFileConversionTests().convert(store, to: "measures.csv")
    #expect(result.omissions.isEmpty)
    let read = try await TableFile.csv(at: url)
    let rows = try await read.features(in: "measures", matching: .init()).collect()
    #expect(rows.map(\.geometry) == layer.rows.map(\.geometry))
    // Points have columns, of which none is that of a measure.
    let (_, points) = try await self.layer("wkt\nPOINT M (1 2 5)\n")
    let (_, lossy) = try await TableFileConversionTests().convert(points, to: "points.csv")
    #expect(lossy.omissions.map(\.content) == [.heightsOrMeasures])
  }

  @Test func `Heights survive comma-separated values`() async throws {
    let places: [Geometry?] = [.point(Point(x: 0, y: 0, z: 7.5)), .point(Point(x: 0, y: 0)), nil]
    let tables = TableFileConversionTests()
    let (url, result) = try await tables.convert(
      TableFileConversionTests.store(.point, places), to: "heights.csv"
    ) { $0.coordinates = .wgs84 }
    #expect(result.omissions.isEmpty)
    let read = try await TableFile.csv(at: url)
    let rows = try await read.features(in: "heights", matching: .init()).collect()
    #expect(rows.map { $0.geometry?.paths.first?.z } == [[7.5], nil, nil])
    #expect(Self.isNear(rows[0].geometry, 0, 0) && Self.isNear(rows[1].geometry, 0, 0))
    let (layer, _) = try await layer("wkt\nPOINT Z (1 2 3)\n")
    #expect(layer.schema.hasZ && layer.rows[0].geometry == .point(Point(x: 1, y: 2, z: 3)))
  }

  // MARK: Hostile files

  @Test(arguments: [
    "\u{FEFF}wkt,n\r\nPOINT (1 2),1\r\n", "wkt;n\r\nPOINT (1 2);\"a\nb\"\r\n",
    "wkt\tn\rPOINT (1 2)\t1\r",
    "n,lat,lon\n\"a\nb\",2,1\n", "n;lat;lon\n1;2,0;1,0\n",
  ])
  func `Files of other habits are read`(_ text: String) async throws {
    let (layer, store) = try await layer(text)
    #expect(layer.rows.map(\.geometry) == [.point(Point(x: 1, y: 2))] && store.damagedCount == 0)
  }

  @Test func `A line is the one in the file, behind cells with line breaks`() async throws {
    let (_, store) = try await layer("n,lat,lon\n\"a\nb\nc\",2,1\n\nd,x,1\n")
    #expect(store.failures.map(\.item) == ["line 6"])
  }

  @Test func `A file with the names of columns alone has no rows, and an empty one is refused`()
    async throws
  {
    #expect(try await layer("name,lat,lon\n").0.schema.geometryType == .point)
    #expect(try await layer("name,wkt\n").0.schema.geometryType == nil)
    for text in ["", "\n\n", "\u{FEFF}"] {
      await #expect(throws: FeatureStoreError.self) { try await TableFile.csv(at: write(text)) }
    }
  }

  @Test(
    arguments: [
      ([0xDF], "ß"), ([0x80, 0x20, 0x92], "€ ’"), ([0x81], "\u{81}"), ([0xC3, 0x9F], "ß"),
    ] as [([UInt8], String)])
  func `Texts that are not in UTF-8 are read as Windows-1252, and that is reported`(
    _ bytes: [UInt8], _ text: String
  ) async throws {
    let url = temporaryDirectory.appending(path: "latin.csv")
    try Data([UInt8]("n\nStra".utf8) + bytes + [UInt8]("e\n".utf8)).write(to: url)
    let store = try await TableFile.csv(at: url)
    let rows = try await store.features(in: "latin", matching: .init()).collect()
    #expect(rows.first?.attributes["n"] == .text("Stra\(text)e"))
    let notes = try #require(store as? any SurveyedStore).notes
    #expect(notes.contains { $0.contains("Windows-1252") } == (bytes != [0xC3, 0x9F]))
  }
}
