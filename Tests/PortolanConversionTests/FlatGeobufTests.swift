import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanTestSupport
import Testing

@testable import PortolanConversion

/// FlatGeobuf files, in and out, held against GDAL.
@Suite(.temporaryDirectory) struct FlatGeobufTests {
  private let tables = TableFileConversionTests()

  /// One value of each kind, and a row without any.
  private static let values: [(Field, AttributeValue)] = [
    (Field("OBJECTID", .objectID), .integer(1)), (Field("SMALL", .smallInteger), .integer(-32_768)),
    (Field("WHOLE", .integer, alias: "A whole"), .integer(-7)),
    (Field("BIG", .bigInteger), .integer(1 << 60)), (Field("SINGLE", .single), .double(0.25)),
    (Field("DOUBLE", .double), .double(-1e300)), (Field("TEXT", .string), .text("Straße 🌊")),
    (Field("WHEN", .date), .date(Date(timeIntervalSince1970: 1_700_000_000.125))),
    (Field("BYTES", .blob), .blob(Data([0, 255, 7]))),
    (Field("ID", .guid), .text("{0A0B0C0D-0000-4000-8000-000000000001}")),
  ]

  private static func everything() -> InMemoryFeatureStore {
    let fields = values.map(\.0)
    let list = FieldList(fields)
    let line = Polyline(paths: [
      Path([.init(x: 1, y: 2), .init(x: 3, y: 4)], z: [5, 6], m: [7, 8]),
      Path(
        [.init(x: -1, y: 0), .init(x: 0, y: 1), .init(x: 2, y: 2)], z: [1, 2, 3], m: [4, 5, 6]),
    ])
    var features = [
      Feature(
        objectID: 1, attributes: Attributes(list, values.map(\.1)), geometry: .polyline(line))
    ]
    let none = [AttributeValue.integer(2)] + values.dropFirst().map { _ in .null }
    features.append(Feature(objectID: 2, attributes: Attributes(list, none), geometry: nil))
    let schema = FeatureTableSchema(
      name: "all of it", geometryType: .polyline, hasZ: true, hasM: true, spatialReference: .wgs84,
      fields: fields)
    return InMemoryFeatureStore([FeatureTableContents(schema: schema, features: features)])
  }

  private static func features(
    _ store: any FeatureStore
  ) async throws -> (FeatureTableSchema, [Feature]) {
    let schema = try #require(try await store.schemas().first)
    return (schema, try await store.features(in: schema.name, matching: .init()).collect())
  }

  @Test(arguments: TableFileConversionTests.shapes)
  func `Written data reads as the original`(
    _ type: GeometryType, _ shapes: [Geometry?]
  ) async throws {
    let (url, result) = try await tables.convert(
      TableFileConversionTests.store(type, shapes), to: "things.fgb")
    #expect(result.tables.map(\.writtenCount) == [shapes.count] && result.failureCount == 0)
    #expect(result.omissions == [])
    let (schema, features) = try await Self.features(try await TableFile.flatGeobuf(at: url))
    #expect(schema.geometryType == type && schema.spatialReference?.isWebMercator == true)
    #expect(features.map(\.geometry) == shapes)
  }

  @Test func `Every kind of value, heights and measures come back`() async throws {
    let (url, _) = try await tables.convert(Self.everything(), to: "all.fgb")
    let (schema, features) = try await Self.features(try await TableFile.flatGeobuf(at: url))
    #expect(schema.name == "all of it" && schema.hasZ && schema.hasM)
    #expect(schema.field(named: "WHOLE")?.alias == "A whole")
    for (field, value) in Self.values {
      #expect(features[0].attributes[field.name] == value, "\(field.name)")
      if field.type != .objectID { #expect(features[1].attributes[field.name] == .null) }
    }
    #expect(features[0].geometry?.paths.map(\.z) == [[5, 6], [1, 2, 3]])
    #expect(features[0].geometry?.paths.map(\.m) == [[7, 8], [4, 5, 6]])
    #expect(features[1].geometry == nil)
  }

  @Test(arguments: [("all.csv", "csv"), ("all.shp", "dbf")])
  func `Moments keep their milliseconds in other files as well`(
    _ name: String, _ ending: String
  ) async throws {
    let (url, _) = try await tables.convert(Self.everything(), to: name)
    let file = url.deletingPathExtension().appendingPathExtension(ending)
    let moment = Data("2023-11-14T22:13:20.125Z".utf8)
    #expect(try Data(contentsOf: file).range(of: moment) != nil)
  }

  @Test(.needsGDAL, arguments: TableFileConversionTests.shapes)
  func `GDAL reads what is written, and what GDAL writes is read, with an index or without`(
    _ type: GeometryType, _ shapes: [Geometry?]
  ) async throws {
    let (url, _) = try await tables.convert(
      TableFileConversionTests.store(type, shapes), to: "ours.fgb")
    let ours = url.path(percentEncoded: false)
    let summary = try GDAL.run(["ogrinfo", "-so", "-al", ours])
    #expect(
      summary.contains("Pseudo-Mercator") && summary.contains("Feature Count: \(shapes.count)"))
    #expect(!summary.contains("ERROR") && !summary.contains("Warning"), "\(summary)")
    // An index needs shapes; files with one have their rows in another order.
    for (name, index) in [("plain.fgb", "NO"), ("indexed.fgb", "YES")] {
      let theirs = temporaryDirectory.appending(path: name)
      let output = try GDAL.run([
        "ogr2ogr", "-f", "FlatGeobuf", "-lco", "SPATIAL_INDEX=\(index)",
        theirs.path(percentEncoded: false), ours,
      ])
      #expect(!output.contains("ERROR"), "\(output)")
      let (schema, features) = try await Self.features(try await TableFile.flatGeobuf(at: theirs))
      #expect(schema.geometryType == type && schema.spatialReference?.isWebMercator == true)
      let wanted = shapes.compactMap(\.self)
      #expect(Set(features.compactMap(\.geometry)) == Set(wanted))
      let first = try #require(features.first { $0.geometry == wanted.first })
      #expect(first.attributes["A_VERY_LONG_NAME"] == .text("Nr. 0 Straße"))
      #expect(first.attributes["WHEN"] == .date(Date(timeIntervalSince1970: 1_700_000_000)))
    }
  }

  @Test func `A part of a file is converted, in degrees`() async throws {
    let store = TableFileConversionTests.store(
      .point, [.point(Point(x: 0, y: 0)), .point(Point(x: 1_113_194.907_932_735_7, y: 0))])
    let (url, _) = try await tables.convert(store, to: "part.fgb") {
      $0.coordinates = .wgs84
      $0.whereClause = "A_VERY_LONG_NAME LIKE 'Nr. 1%'"
    }
    let (schema, features) = try await Self.features(try await TableFile.flatGeobuf(at: url))
    #expect(schema.spatialReference?.isWGS84 == true && features.count == 1)
    guard case .point(let point)? = features.first?.geometry else {
      Issue.record("no point")
      return
    }
    #expect(abs(point.x - 10) < 1e-9 && abs(point.y) < 1e-9)
  }

  /// A file of areas, or of shapes of a kind, with one row for each list of bytes.
  private func file(_ rows: [[UInt8]], kind: UInt64 = 6) throws -> URL {
    var header = FlatTableContents()
    header.set(2, .number(kind, size: 1))
    let url = temporaryDirectory.appending(path: "made.fgb")
    try Data(
      FlatGeobufReader.mark + [0] + header.sizedBuffer + rows.flatMap(\.self)
    ).write(to: url)
    return url
  }

  /// Numbers of four bytes, the smallest first.
  private static func words(_ numbers: [Int]) -> [UInt8] {
    numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
  }

  /// A row with an area of 300 places, which many parts stand for.
  private static func row(parts: Int) -> [UInt8] {
    var part = FlatTableContents()
    part.set(1, .doubles((0..<600).map { Double($0 % 7) }))
    var area = FlatTableContents()
    area.set(7, .tables(Array(repeating: FlatTableContents(), count: parts - 1) + [part]))
    var row = FlatTableContents()
    row.set(0, .table(area))
    var bytes = row.sizedBuffer
    // The list of parts is where its number of elements stands; all become the last one.
    let list = words([parts])
    let start = (8..<bytes.count - 4 * parts).first { place in
      Array(bytes[place..<place + 4]) == list
    }
    guard let start else { return bytes }
    let last = start + 4 * parts
    let target = last + Int(bytes[last]) + Int(bytes[last + 1]) << 8 + Int(bytes[last + 2]) << 16
    for index in 1...parts {
      let place = start + 4 * index
      bytes.replaceSubrange(place..<place + 4, with: words([target - place]))
    }
    return bytes
  }

  @Test func `Parts that are all the same one do not make a file many times as large`() throws {
    let one = try FlatGeobufReader(file([Self.row(parts: 2)])).contents()
    #expect(one.features.first?.geometry?.paths.reduce(0) { $0 + $1.count } ?? 0 > 590)
    #expect(throws: FeatureStoreError.self) {
      try FlatGeobufReader(file([Self.row(parts: 2000)])).contents()
    }
  }

  @Test func `A number that another organization gives is not taken for one of EPSG`() throws {
    let text = try #require(SpatialReference(wkid: 25_832).registered()?.wellKnownText)
    var header = FlatTableContents()
    header.set(2, .number(1, size: 1))
    var crs = FlatTableContents()
    crs.set(0, .text("IAU_2015"))
    crs.set(1, .number(30_100, size: 4))
    crs.set(4, .text(text))
    header.set(10, .table(crs))
    let url = temporaryDirectory.appending(path: "moon.fgb")
    try Data(FlatGeobufReader.mark + [0] + header.sizedBuffer).write(to: url)
    let reference = try #require(try FlatGeobufReader(url).contents().reference)
    #expect(reference.wkid == 25_832 && reference.wkt == text)
  }

  @Test func `A reference that is not understood is named, and counts as missing`() throws {
    var header = FlatTableContents()
    header.set(2, .number(1, size: 1))
    var crs = FlatTableContents()
    crs.set(4, .text("garbage"))
    header.set(10, .table(crs))
    let url = temporaryDirectory.appending(path: "garbage.fgb")
    try Data(FlatGeobufReader.mark + [0] + header.sizedBuffer).write(to: url)
    let contents = try FlatGeobufReader(url).contents()
    #expect(contents.reference == nil)
    let notes = SurveyedTables(contents, name: "garbage.fgb").notes
    #expect(notes.contains { $0.contains("\"garbage.fgb\" names is not known") })
  }

  @Test func `Columns of which rows say nothing do not take memory without bound`() throws {
    var header = FlatTableContents()
    let columns = (0..<10_000).map { number in
      var column = FlatTableContents()
      column.set(0, .text("c\(number)"))
      return column
    }
    header.set(7, .tables(columns))
    let row = FlatTableContents().sizedBuffer
    let url = temporaryDirectory.appending(path: "wide.fgb")
    func contents(rowCount: Int) throws -> TableFileContents {
      let rows = Array(repeating: row, count: rowCount).flatMap(\.self)
      try Data(FlatGeobufReader.mark + [0] + header.sizedBuffer + rows).write(to: url)
      return try FlatGeobufReader(url).contents()
    }
    #expect(try contents(rowCount: 3).features.count == 3)
    #expect(
      throws: FeatureStoreError.unsupported(
        file: "wide.fgb", feature: "more rows of 10000 columns than fit in memory")
    ) { try contents(rowCount: 1_700) }
  }

  /// A row with a shape of a kind.
  private static func row(_ kind: UInt64, _ places: [Double]) -> [UInt8] {
    var shape = FlatTableContents()
    shape.set(1, .doubles(places))
    shape.set(6, .number(kind, size: 1))
    var row = FlatTableContents()
    row.set(0, .table(shape))
    return row.sizedBuffer
  }

  @Test func `Shapes of several kinds have a table each, and a collection is reported`()
    async throws
  {
    let rows = [
      Self.row(1, [1, 2]), Self.row(4, [3, 4, 5, 6]), Self.row(2, [0, 0, 1, 1]),
      Self.row(7, []), Self.row(16, []),
    ]
    let url = try file(rows, kind: 0)
    let store = try #require(try await TableFile.flatGeobuf(at: url) as? SurveyedTables)
    let schemas = try await store.schemas()
    #expect(schemas.map(\.name) == ["made_points", "made_lines", "made_no_shape"])
    #expect(schemas.map(\.geometryType) == [.multipoint, .polyline, nil])
    let points = try await store.features(in: "made_points", matching: .init()).collect()
    #expect(points.map { $0.geometry?.paths.first?.count } == [1, 2])
    #expect(store.failures.map(\.item) == ["row 4", "row 5"] && store.damagedCount == 2)
    // Without others of another kind all rows are in one table.
    let alone = try await TableFile.flatGeobuf(at: file([rows[0], rows[3]], kind: 0))
    let (schema, features) = try await Self.features(alone)
    #expect(schema.name == "made" && schema.geometryType == .point)
    #expect(features.map(\.geometry) == [.point(Point(x: 1, y: 2)), nil])
  }

  @Test(.needsGDAL) func `What GDAL writes of several kinds is read`() async throws {
    let source = temporaryDirectory.appending(path: "mixed.geojson")
    let text = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"a":1},"geometry":{"type":"Point","coordinates":[1,2]}},
      {"type":"Feature","properties":{"a":2},"geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}},
      {"type":"Feature","properties":{"a":3},"geometry":null},
      {"type":"Feature","properties":{"a":4},"geometry":{"type":"GeometryCollection","geometries":[
      {"type":"Point","coordinates":[1,2]}]}}]}
      """
    try Data(text.utf8).write(to: source)
    let url = temporaryDirectory.appending(path: "mixed.fgb")
    _ = try GDAL.run([
      "ogr2ogr", "-f", "FlatGeobuf", "-lco", "SPATIAL_INDEX=NO", url.path(percentEncoded: false),
      source.path(percentEncoded: false),
    ])
    let store = try #require(try await TableFile.flatGeobuf(at: url) as? SurveyedTables)
    #expect(try await store.schemas().map(\.geometryType) == [.point, .polyline, nil])
    #expect(store.damagedCount == 1)
  }

  @Test func `A row does not take what belongs to another one`() throws {
    // The table of the second row points to the place of the first one.
    let first = Self.row(parts: 2)
    var second = Self.row(parts: 2)
    second.replaceSubrange(4..<8, with: Self.words([8 - first.count]))
    #expect(throws: FeatureStoreError.self) {
      try FlatGeobufReader(file([first, second])).contents()
    }
  }

  @Test func `A file cut or changed at any byte is reported or read, without harm`()
    async throws
  {
    let (url, _) = try await tables.convert(Self.everything(), to: "whole.fgb")
    let whole = try Data(contentsOf: url)
    let copy = temporaryDirectory.appending(path: "damaged.fgb")
    for place in whole.indices where place % 3 != 1 {
      var damaged = whole
      damaged[place] ^= place % 3 == 0 ? 0xFF : 0x81
      try damaged.write(to: copy)
      // Whether it can still be read does not matter here.
      _ = try? FlatGeobufReader(copy).contents()
    }
    for place in stride(from: 0, to: whole.count, by: 7) {
      try whole.prefix(place).write(to: copy)
      #expect(throws: FeatureStoreError.self) { try FlatGeobufReader(copy).contents() }
    }
  }
}
