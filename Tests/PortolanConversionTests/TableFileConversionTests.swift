import Foundation
import PortolanFeatures
import PortolanGeoPackage
import PortolanGeodatabase
import PortolanGeometry
import PortolanJSON
import PortolanTestSupport
import PortolanTileFiles
import PortolanTiles
import Testing

@testable import PortolanConversion

/// Shapefiles and comma-separated values, in and out, held against GDAL; and parts of files.
@Suite(.temporaryDirectory) struct TableFileConversionTests {
  private static let fields: [Field] = [
    Field("OBJECTID", .objectID), Field("A_VERY_LONG_NAME", .string, length: 20),
    Field("A_VERY_LONG_NAME_TOO", .integer), Field("SIZE", .double), Field("WHEN", .date),
  ]

  static func store(
    _ type: GeometryType, _ shapes: [Geometry?], in reference: SpatialReference? = .webMercator
  ) -> InMemoryFeatureStore {
    let schema = FeatureTableSchema(
      name: "things", geometryType: type,
      hasZ: shapes.contains { $0?.paths.contains { $0.z != nil } == true },
      spatialReference: reference, fields: fields)
    let features = shapes.enumerated().map { number, shape in
      Feature(
        objectID: Int64(number + 1),
        attributes: Attributes(
          FieldList(fields),
          [
            .integer(Int64(number + 1)), .text("Nr. \(number) Straße"), .integer(Int64(number - 1)),
            number == 1 ? .null : .double(Double(number) / 8),
            .date(Date(timeIntervalSince1970: 1_700_000_000)),
          ]), geometry: shape)
    }
    return InMemoryFeatureStore([FeatureTableContents(schema: schema, features: features)])
  }

  private static let square = Envelope(xMin: 0, yMin: 0, xMax: 1000, yMax: 1000).polygon.rings
  private static let hole = Envelope(xMin: 200, yMin: 200, xMax: 400, yMax: 400).polygon.rings

  static let shapes: [(GeometryType, [Geometry?])] = [
    (.point, [.point(Point(x: 1000, y: 2000)), nil, .point(Point(x: -5, y: 7))]),
    (.multipoint, [.multipoint(Multipoint(points: Path([.init(x: 1, y: 2), .init(x: 3, y: 4)])))]),
    (
      .polyline,
      [
        .polyline(
          Polyline(paths: [
            Path([.init(x: 0, y: 0), .init(x: 10, y: 5)]),
            Path([.init(x: 20, y: 0), .init(x: 30, y: 5), .init(x: 40, y: 0)]),
          ])),
        .polyline(Polyline(paths: [Path([.init(x: 1, y: 2), .init(x: 3, y: 4)])])),
      ]
    ),
    (.polygon, [.polygon(Polygon(arranging: square + hole)), nil]),
  ]

  func convert(
    _ store: any FeatureStore, to name: String,
    _ change: (inout Conversion.Parameters) -> Void = { _ in }
  ) async throws -> (URL, ConversionResult) {
    let url = temporaryDirectory.appending(path: name)
    var parameters = Conversion.Parameters(coordinates: .native, replacesTarget: true)
    change(&parameters)
    let conversion = try Conversion(
      of: .features(store), at: URL(filePath: "/nowhere/things.x"), to: url, parameters)
    return (url, try await conversion.run())
  }

  @Test(arguments: shapes)
  func `A written shapefile reads as the original`(
    _ type: GeometryType, _ shapes: [Geometry?]
  ) async throws {
    let (url, result) = try await convert(Self.store(type, shapes), to: "things.shp")
    #expect(result.tables.map(\.writtenCount) == [shapes.count] && result.failureCount == 0)
    #expect(result.notes.contains { $0.contains("A_VERY_LON") })
    let read = try await TableFile.shapefile(at: url)
    let schema = try #require(try await read.schemas().first)
    #expect(schema.geometryType == type && schema.spatialReference?.isWebMercator == true)
    let features = try await read.features(in: schema.name, matching: .init()).collect()
    #expect(features.map(\.geometry) == shapes)
    let names = schema.fields.map(\.name)
    #expect(names == ["OBJECTID", "A_VERY_LON", "A_VERY_L_1", "SIZE", "WHEN"])
    #expect(features[0].attributes["A_VERY_LON"] == .text("Nr. 0 Straße"))
    #expect(features[0].attributes["A_VERY_L_1"]?.number == -1)
    #expect(features[0].attributes["SIZE"] == .double(0))
    if features.count > 1 { #expect(features[1].attributes["SIZE"] == .null) }
  }

  @Test(.needsGDAL, arguments: shapes)
  func `GDAL reads a shapefile as it was`(
    _ type: GeometryType, _ shapes: [Geometry?]
  ) async throws {
    let (url, _) = try await convert(Self.store(type, shapes), to: "things.shp")
    let copy = temporaryDirectory.appending(path: "read.geojson")
    let paths = [copy, url].map { $0.path(percentEncoded: false) }
    let output = try GDAL.run(["ogr2ogr", "-f", "GeoJSON", paths[0], paths[1]])
    #expect(output.isEmpty, "\(output)")
    let json = try JSONValue(parsing: try Data(contentsOf: copy))
    let features = json["features"]?.array ?? []
    #expect(features.count == shapes.count)
    #expect(features.first?["properties"]?["A_VERY_LON"]?.string == "Nr. 0 Straße")
    let summary = try GDAL.run(["ogrinfo", "-so", "-al", paths[1]])
    #expect(summary.contains("Pseudo-Mercator") || summary.contains("3857"), "\(summary)")
    #expect(!summary.contains("ERROR") && !summary.contains("Warning"))
  }

  @Test(.needsGDAL) func `A shapefile of GDAL is read as GDAL reads it`() async throws {
    let (source, _) = try await convert(
      Self.store(.polygon, [.polygon(Polygon(arranging: Self.square + Self.hole))]),
      to: "things.gpkg")
    let shape = temporaryDirectory.appending(path: "gdal.shp")
    _ = try GDAL.run([
      "ogr2ogr", shape.path(percentEncoded: false), source.path(percentEncoded: false), "things",
    ])
    let read = try await TableFile.shapefile(at: shape)
    let schema = try #require(try await read.schemas().first)
    let features = try await read.features(in: schema.name, matching: .init()).collect()
    #expect(features.map(\.geometry) == [.polygon(Polygon(arranging: Self.square + Self.hole))])
  }

  @Test(.needsSharedFiles, arguments: ["usa-major-cities", "usa-major-highways"])
  func `Shapefiles of ArcGIS are read whole`(_ name: String) async throws {
    let url = SharedFiles.url("samples/shapefiles/\(name).shp")
    let read = try await TableFile.shapefile(at: url)
    let schema = try #require(try await read.schemas().first)
    let count = try await read.count(in: schema.name, matching: .init())
    #expect(count > 100 && schema.spatialReference != nil)
    guard GDAL.isInstalled else { return }
    let summary = try GDAL.run(["ogrinfo", "-so", "-al", url.path(percentEncoded: false)])
    #expect(summary.contains("Feature Count: \(count)"))
  }

  @Test func `Comma-separated values become points and rows`() async throws {
    let url = temporaryDirectory.appending(path: "towns.csv")
    let text = """
      \u{FEFF}Name;Longitude;Latitude;Zip;Size\r
      "Port""land; East";-70.25;43.66;04101;12\r
      Bath;;;04530;\r

      """
    try Data(text.utf8).write(to: url)
    let store = try await TableFile.csv(at: url)
    let (target, result) = try await convert(store, to: "towns.gpkg")
    #expect(result.tables.map(\.writtenCount) == [2])
    let read = try GeoPackage.open(at: target)
    let table = try #require(try await read.schemas().first)
    #expect(table.geometryType == .point && table.spatialReference?.isWGS84 == true)
    let rows = try await read.features(in: table.name, matching: .init()).collect()
    #expect(rows[0].attributes["Name"] == .text("Port\"land; East"))
    #expect(rows[0].attributes["Zip"] == .text("04101"))
    #expect(rows[0].attributes["Size"]?.number == 12 && rows[1].attributes["Size"] == .null)
    #expect(rows[0].geometry == .point(Point(x: -70.25, y: 43.66)) && rows[1].geometry == nil)
  }

  @Test(arguments: [
    ("name;lat;lon\nA;44,5;-70,5\n", ["name"], Point(x: -70.5, y: 44.5)),
    ("name,lat,lon\nA,\"44,5\",\"-70,5\"\n", ["name"], Point(x: -70.5, y: 44.5)),
    ("name,lat,lon\nA,abc,1\n", ["name", "lat", "lon"], nil),
    ("name,lat,lon\nA,95,1\n", ["name", "lat", "lon"], nil),
    ("name,lat,lon\nA,44,1,extra\n", ["name", "column_4"], Point(x: 1, y: 44)),
    ("sep=;\r\nname;lat;lon\r\nA,B;44,5;1\r\n", ["name"], Point(x: 1, y: 44.5)),
    ("\u{FEFF}\"sep=|\"\nname|lat|lon\nA|44|1\n", ["name"], Point(x: 1, y: 44)),
    ("name|lat|lon\nA,B,C,D|44|1\n", ["name"], Point(x: 1, y: 44)),
    ("\"a;b;c;d\",lat,lon\nA,44,1\n", ["a;b;c;d"], Point(x: 1, y: 44)),
    ("name,decimalLatitude,decimalLongitude\nA,44,1\n", ["name"], Point(x: 1, y: 44)),
    ("wkt_geom\tname\nPoint (1 44)\tA\n", ["name"], Point(x: 1, y: 44)),
  ])
  func `Cells of a file of comma-separated values are coordinates or stay values`(
    _ text: String, _ fields: [String], _ place: Point?
  ) async throws {
    let url = temporaryDirectory.appending(path: "places.csv")
    try Data(text.utf8).write(to: url)
    let store = try await TableFile.csv(at: url)
    let schema = try #require(try await store.schemas().first)
    #expect(schema.fields.map(\.name) == ["OBJECTID"] + fields)
    let feature = try #require(
      try await store.features(in: schema.name, matching: QueryParameters()).collect().first)
    #expect(feature.geometry == place.map(Geometry.point))
    #expect(!fields.contains { feature.attributes[$0] == .null })
  }

  @Test(arguments: [
    ("99999999999999999999", FieldType.string), ("+4930123456", .string), ("12E4", .string),
    ("1.5E4", .double), ("1e+05", .double), ("1E-5", .double), ("-12", .integer),
    ("+1.5", .double), ("+5", .integer), ("+.5", .double), ("+05", .string), ("+0.5", .double),
  ])
  func `Codes of which a number would lose a part are texts`(
    _ cell: String, _ type: FieldType
  ) async throws {
    let url = temporaryDirectory.appending(path: "codes.csv")
    try Data("code\n\(cell)\n".utf8).write(to: url)
    let store = try await TableFile.csv(at: url)
    let schema = try #require(try await store.schemas().first)
    #expect(schema.fields.last?.type == type)
  }

  @Test func `Points survive comma-separated values, and GDAL reads them`() async throws {
    let places: [Geometry?] = [.point(Point(x: 1000, y: 2000)), nil]
    let (url, result) = try await convert(Self.store(.point, places), to: "a,b.csv") {
      $0.coordinates = .wgs84
    }
    #expect(result.tables.map(\.writtenCount) == [2])
    let read = try await TableFile.csv(at: url)
    let rows = try await read.features(in: "a,b", matching: .init()).collect()
    #expect(rows.map { $0.attributes["A_VERY_LONG_NAME_TOO"]?.number } == [-1, 0])
    guard case .point(let point)? = rows[0].geometry else {
      Issue.record("it is no point")
      return
    }
    #expect(abs(point.x - 0.008983) < 1e-6 && rows[1].geometry == nil)
    guard GDAL.isInstalled else { return }
    let summary = try GDAL.run(["ogrinfo", "-so", "-al", url.path(percentEncoded: false)])
    #expect(summary.contains("Feature Count: 2") && summary.contains("longitude"))
  }

  @Test(arguments: shapes.filter { $0.0 != .point })
  func `Other shapes survive comma-separated values, and GDAL reads them`(
    _ type: GeometryType, _ shapes: [Geometry?]
  ) async throws {
    let (url, result) = try await convert(Self.store(type, shapes), to: "things.csv")
    #expect(result.tables.map(\.writtenCount) == [shapes.count] && result.omissions.isEmpty)
    let read = try await TableFile.csv(at: url)
    let schema = try #require(try await read.schemas().first)
    #expect(schema.geometryType == type && !schema.fields.contains { $0.name == "wkt" })
    let rows = try await read.features(in: schema.name, matching: .init()).collect()
    #expect(rows.map(\.geometry) == shapes)
    guard GDAL.isInstalled else { return }
    let summary = try GDAL.run([
      "ogrinfo", "-al", "-oo", "GEOM_POSSIBLE_NAMES=wkt", url.path(percentEncoded: false),
    ])
    let kinds: [GeometryType: String] = [
      .multipoint: "MULTIPOINT (1 2", .polyline: "MULTILINESTRING ((0 0", .polygon: "POLYGON ((",
    ]
    #expect(summary.contains(try #require(kinds[type])), "\(summary)")
  }

  @Test func `Numbers of more than 53 bits survive a shapefile`() async throws {
    let fields = [Field("OBJECTID", .objectID), Field("CODE", .bigInteger)]
    let codes: [Int64] = [9_007_199_254_740_993, .max, .min, 0]
    let features = codes.enumerated().map { index, code in
      Feature(
        objectID: Int64(index + 1),
        attributes: Attributes(
          FieldList(fields), [.integer(Int64(index + 1)), .integer(code)]),
        geometry: .point(Point(x: 0, y: 0)))
    }
    let schema = FeatureTableSchema(
      name: "codes", geometryType: .point, spatialReference: .wgs84, fields: fields)
    let (url, _) = try await convert(
      InMemoryFeatureStore([FeatureTableContents(schema: schema, features: features)]),
      to: "codes.shp")
    let read = try await TableFile.shapefile(at: url)
    let rows = try await read.features(in: "codes", matching: .init()).collect()
    #expect(rows.map { $0.attributes["CODE"] } == codes.map(AttributeValue.integer))
  }

  @Test(arguments: ["all.csv", "all.shp"])
  func `Bytes and infinite numbers, for which a file has no place, are listed`(
    _ name: String
  ) async throws {
    let fields = [
      Field("OBJECTID", .objectID), Field("PHOTO", .blob), Field("SIZE", .double),
    ]
    let rows: [(AttributeValue, AttributeValue)] = [
      (.blob(Data([1])), .double(.infinity)), (.null, .double(.nan)),
      (.blob(Data([2])), .double(2.5)),
    ]
    let features = rows.enumerated().map { index, row in
      Feature(
        objectID: Int64(index + 1),
        attributes: Attributes(FieldList(fields), [.integer(Int64(index + 1)), row.0, row.1]),
        geometry: .point(Point(x: 0, y: 0)))
    }
    let schema = FeatureTableSchema(
      name: "all", geometryType: .point, spatialReference: .wgs84, fields: fields)
    let (url, result) = try await convert(
      InMemoryFeatureStore([FeatureTableContents(schema: schema, features: features)]), to: name)
    let lost: [Omission] = [
      Omission(table: "all", .values(field: "PHOTO", rowCount: 2)),
      Omission(table: "all", .values(field: "SIZE", rowCount: 1)),
    ]
    #expect(Set(result.omissions) == Set(lost))
    let isText = name.hasSuffix("csv")
    let read = try await isText ? TableFile.csv(at: url) : TableFile.shapefile(at: url)
    let copies = try await read.features(in: "all", matching: .init()).collect()
    #expect(copies.map { $0.attributes["SIZE"] } == [.null, .null, .double(2.5)])
  }

  @Test func `Names with the separators of other files stay names`() async throws {
    let names = ["a;b;c", "d|e|f|g", "h\ti\tj"]
    let fields = [Field("OBJECTID", .objectID)] + names.map { Field($0, .string) }
    let values = names.map { AttributeValue.text("of \($0)") }
    let feature = Feature(
      objectID: 1, attributes: Attributes(FieldList(fields), [.integer(1)] + values),
      geometry: .point(Point(x: 0, y: 0)))
    let schema = FeatureTableSchema(
      name: "a", geometryType: .point, spatialReference: .wgs84, fields: fields)
    let (url, _) = try await convert(
      InMemoryFeatureStore([FeatureTableContents(schema: schema, features: [feature])]),
      to: "a.csv")
    let read = try await TableFile.csv(at: url)
    let copy = try #require(try await read.features(in: "a", matching: .init()).collect().first)
    #expect(copy.attributes.fields.map(\.name) == ["OBJECTID"] + names)
    #expect(names.map { copy.attributes[$0] } == values)
  }

  @Test func `Long whole numbers beside fractions keep their digits`() async throws {
    let url = temporaryDirectory.appending(path: "codes.csv")
    try Data("code,size\n9007199254740993,90071992547409\n1.5,1.5\n".utf8).write(to: url)
    let csv = try await TableFile.csv(at: url)
    let json = try await GeoJSONText.store(
      GeoJSONText.collection([
        GeoJSONText.point(#""code":9007199254740993,"size":90071992547409"#),
        GeoJSONText.point(#""code":1.5,"size":1.5"#),
      ]), stem: "codes")
    for store in [csv, json] as [any FeatureStore] {
      let rows = try await store.features(in: "codes", matching: .init()).collect()
      #expect(rows.map { $0.attributes["code"] } == [.text("9007199254740993"), .text("1.5")])
      #expect(rows.map { $0.attributes["size"] } == [.double(90_071_992_547_409), .double(1.5)])
    }
  }

  @Test func `Only the rows that are asked for are converted`() async throws {
    let places = (0..<20).map { Geometry.point(Point(x: Double($0) * 100_000, y: 0)) }
    let store = Self.store(.point, places)
    let (_, large) = try await convert(store, to: "a.geojson") { $0.whereClause = "SIZE > 1" }
    #expect(large.tables.map(\.writtenCount) == [11])
    // Ten degrees are 1,113,195 metres.
    let (_, near) = try await convert(store, to: "b.geojson") {
      $0.extent = Envelope(xMin: -1, yMin: -1, xMax: 10, yMax: 1)
    }
    #expect(near.tables.map(\.writtenCount) == [12])
    let (_, both) = try await convert(store, to: "c.shp") {
      $0.whereClause = "SIZE > 1"
      $0.extent = Envelope(xMin: -1, yMin: -1, xMax: 10, yMax: 1)
    }
    #expect(both.tables.map(\.writtenCount) == [3])
  }

  @Test func `Only the tiles that are asked for are converted`() async throws {
    var tiles: [TileID: Tile] = [:]
    let picture = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1])
    for level in 0...3 {
      for row in 0..<1 << level {
        for column in 0..<1 << level {
          tiles[TileID(level: level, row: row, column: column)] = Tile(data: picture, format: .png)
        }
      }
    }
    let source = InMemoryTileSource(
      info: TileSourceInfo(name: "t", scheme: .webMercator, levels: 0...3, declaredFormat: "PNG"),
      tiles: tiles)
    var parameters = Conversion.Parameters(replacesTarget: true)
    parameters.levels = 2...3
    parameters.extent = Envelope(xMin: 1, yMin: 1, xMax: 80, yMax: 60)
    let conversion = try Conversion(
      of: .tiles([source]), at: URL(filePath: "/nowhere/t.x"),
      to: temporaryDirectory.appending(path: "part.pmtiles"), parameters)
    // A quarter of the world has one tile of level 2 and four of level 3.
    #expect(try await conversion.run().tileSets.map(\.counts) == [[2: 1, 3: 4]])
  }

  @Test func `Every part of a shapefile, and every byte of it changed, is read or refused`()
    async throws
  {
    let (url, _) = try await convert(
      Self.store(.polygon, [.polygon(Polygon(arranging: Self.square + Self.hole)), nil]),
      to: "things.shp")
    let dbf = url.deletingPathExtension().appendingPathExtension("dbf")
    for file in [url, dbf] {
      let whole = try Data(contentsOf: file)
      for index in stride(from: 0, to: whole.count, by: 3) {
        try whole.prefix(index).write(to: file)
        _ = try? await TableFile.shapefile(at: url)
        var changed = whole
        changed[index] ^= 0xFF
        try changed.write(to: file)
        _ = try? await TableFile.shapefile(at: url)
      }
      try whole.write(to: file)
    }
  }
}
