import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanTestSupport
import Testing

@testable import PortolanConversion

/// Shapefiles as other programs write, change and damage them.
@Suite(.temporaryDirectory) struct ShapefileReaderTests {
  /// Bytes of a file, the smallest of a number first.
  private static func little(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func big(_ number: Int) -> [UInt8] { little(number).reversed() }

  private static func doubles(_ numbers: [Double]) -> [UInt8] {
    numbers.flatMap { number in
      (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * UInt64($0))) }
    }
  }

  /// The header of a `.shp` or `.shx` of a length in bytes.
  private static func header(_ type: Int, _ length: Int) -> [UInt8] {
    big(9994) + [UInt8](repeating: 0, count: 20) + big(length / 2) + little(1000) + little(type)
      + [UInt8](repeating: 0, count: 64)
  }

  private static func point(_ x: Double, _ y: Double) -> [UInt8] { little(1) + doubles([x, y]) }

  /// Writes a shapefile; `order` says which of the shapes is whose in the index, which is left out if `nil`.
  private func write(
    _ type: Int, _ shapes: [[UInt8]], order: [Int]? = nil, surplus: [UInt8] = [],
    rows: [String]? = nil
  ) throws -> URL {
    var body: [UInt8] = []
    var entries: [[UInt8]] = []
    for (number, shape) in shapes.enumerated() {
      entries.append(Self.big((100 + body.count) / 2) + Self.big(shape.count / 2))
      body += Self.big(number + 1) + Self.big(shape.count / 2) + shape
    }
    let url = temporaryDirectory.appending(path: "made.shp")
    let stem = url.deletingPathExtension()
    try Data(Self.header(type, 100 + body.count) + body + surplus).write(to: url)
    if let order {
      let index = order.flatMap { entries[$0] }
      try Data(Self.header(type, 100 + index.count) + index)
        .write(to: stem.appendingPathExtension("shx"))
    }
    if let rows {
      try Self.table(rows).write(to: stem.appendingPathExtension("dbf"))
    }
    return url
  }

  /// Rows with one text of four letters each.
  private static func table(_ rows: [String]) -> Data {
    var bytes: [UInt8] = [3, 124, 1, 1] + little(rows.count) + [65, 0, 5, 0]
    bytes += [UInt8](repeating: 0, count: 20)
    bytes += Array("NAME".utf8) + [UInt8](repeating: 0, count: 7) + Array("C".utf8)
    bytes += [0, 0, 0, 0, 4, 0] + [UInt8](repeating: 0, count: 14) + [0x0D]
    for row in rows {
      bytes += Array(" \(row.padding(toLength: 4, withPad: " ", startingAt: 0))".utf8)
    }
    return Data(bytes)
  }

  private static func features(_ url: URL) async throws -> (FeatureTableSchema, [Feature]) {
    let store = try await TableFile.shapefile(at: url)
    let schema = try #require(try await store.schemas().first)
    return (schema, try await store.features(in: schema.name, matching: .init()).collect())
  }

  @Test func `The index says which shape is whose, and which one is left over`() async throws {
    // The second shape has grown: it is the last one, and what it was before is still there.
    let url = try write(
      1, [Self.point(1, 1), Self.point(9, 9), Self.point(3, 3), Self.point(2, 2)],
      order: [0, 3, 2], rows: ["a", "b", "c"])
    let (_, features) = try await Self.features(url)
    #expect(features.map { $0.attributes["NAME"] } == ["a", "b", "c"].map(AttributeValue.text))
    let places: [Geometry?] = [1, 2, 3].map { .point(Point(x: $0, y: $0)) }
    #expect(features.map(\.geometry) == places)
  }

  @Test func `An index of other shapes, or with one shape many times, is not used`() async throws {
    let shapes = [Self.point(1, 1), Self.point(2, 2)]
    let url = try write(1, shapes, order: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
    let places: [Geometry?] = [.point(Point(x: 1, y: 1)), .point(Point(x: 2, y: 2))]
    #expect(try await Self.features(url).1.map(\.geometry) == places)
    // One that was not continued when a shape was added.
    let added = try write(1, shapes, order: [0], rows: ["a", "b"])
    #expect(try await Self.features(added).1.map(\.geometry) == places)
    let index = url.deletingPathExtension().appendingPathExtension("shx")
    try Data(Self.header(1, 108) + Self.big(52) + Self.big(10)).write(to: index)
    #expect(try await Self.features(url).1.map(\.geometry) == places)
  }

  @Test(arguments: [0, 1])
  func `An index that was not written to its end hides no shapes`(_ written: Int) async throws {
    let url = try write(
      1, [Self.point(1, 1), Self.point(2, 2)], order: [0, 1], rows: ["a", "b"])
    let index = url.deletingPathExtension().appendingPathExtension("shx")
    let length = 100 + written * 8
    try (Data(contentsOf: index).prefix(length) + Data(count: 116 - length)).write(to: index)
    let places: [Geometry?] = [.point(Point(x: 1, y: 1)), .point(Point(x: 2, y: 2))]
    #expect(try await Self.features(url).1.map(\.geometry) == places)
  }

  @Test func `Memos are not taken for their places, which is said`() async throws {
    let url = try write(1, [Self.point(1, 1)], rows: ["0007"])
    let table = url.deletingPathExtension().appendingPathExtension("dbf")
    var bytes = try Data(contentsOf: table)
    bytes[32 + 11] = UInt8(ascii: "M")
    try bytes.write(to: table)
    let store = try #require(try await TableFile.shapefile(at: url) as? SurveyedTables)
    let row = try #require(try await store.features(in: "made", matching: .init()).collect().first)
    #expect(row.attributes["NAME"] == .null)
    #expect(store.notes.contains { $0.contains("\"NAME\"") && $0.contains(".dbt") })
  }

  @Test func `Rows with multipatches are read without their shapes, which is said`() throws {
    let shape = Self.little(31) + [UInt8](repeating: 0, count: 48)
    let contents = try ShapefileReader(write(31, [shape, shape], rows: ["roof", "wall"])).contents()
    #expect(contents.features.map { $0.attributes["NAME"] } == [.text("roof"), .text("wall")])
    #expect(contents.features.allSatisfy { $0.geometry == nil })
    #expect(contents.tables().map(\.schema.geometryType) == [nil])
    #expect(
      contents.notes
        == ["The rows of \"made.shp\" are read without their shapes, which are multipatches."])
  }

  @Test func `Columns that take no bytes do not take memory without bound`() throws {
    let url = try write(1, [Self.point(1, 2)])
    let start = 32 * 1_001 + 1
    var bytes = Data([3, 124, 1, 1] + Self.little(20_000))
    bytes += [UInt8(start & 255), UInt8(start >> 8), 1, 0]
    bytes += [UInt8](repeating: 0, count: 20)
    for _ in 0..<1_000 {
      bytes += Array("A".utf8) + [UInt8](repeating: 0, count: 10) + Array("C".utf8)
      bytes += [UInt8](repeating: 0, count: 20)
    }
    bytes += [0x0D] + [UInt8](repeating: 0x20, count: 20_000)
    try bytes.write(to: url.deletingPathExtension().appendingPathExtension("dbf"))
    #expect(
      throws: FeatureStoreError.unsupported(
        file: "made.dbf", feature: "more rows of 1000 columns than fit in memory")
    ) { try ShapefileReader(url) }
  }

  @Test func `What is behind the end that the header names is no shape`() async throws {
    let url = try write(1, [Self.point(1, 1)], surplus: [UInt8](repeating: 0, count: 64))
    let store = try #require(try await TableFile.shapefile(at: url) as? SurveyedTables)
    #expect(try await store.count(in: "made", matching: .init()) == 1)
    #expect(store.damagedCount == 0)
  }

  @Test func `Heights and measures of points and sets of points are read`() async throws {
    let none = -1.797_693_134_862_315_7e308
    let sets =
      Self.little(18) + Self.doubles([1, 2, 3, 4]) + Self.little(2)
      + Self.doubles([1, 2, 3, 4] + [5, 6, 5, 6] + [7, 7, none, 7])
    let (schema, features) = try await Self.features(try write(18, [sets]))
    #expect(schema.geometryType == .multipoint && schema.hasZ && schema.hasM)
    let path = try #require(features.first?.geometry?.paths.first)
    #expect(path.coordinates == [Coordinate(x: 1, y: 2), Coordinate(x: 3, y: 4)])
    #expect(path.z == [5, 6] && path.m?.first?.isNaN == true && path.m?.last == 7)
    let points = [
      Self.little(11) + Self.doubles([1, 2, 3, none]), Self.little(11) + Self.doubles([4, 5, 6]),
    ]
    let (flat, heights) = try await Self.features(try write(11, points))
    #expect(flat.hasZ && !flat.hasM)
    #expect(
      heights.map(\.geometry) == [
        .point(Point(x: 1, y: 2, z: 3)), .point(Point(x: 4, y: 5, z: 6)),
      ])
  }

  @Test func `Lines with heights are read with their measures, and without`() async throws {
    let line =
      Self.little(13) + Self.doubles([0, 0, 3, 3]) + Self.little(2) + Self.little(4)
      + Self.little(0) + Self.little(2)
      + Self.doubles([0, 0, 1, 1, 2, 2, 3, 3] + [0, 9] + [10, 11, 12, 13])
    let measured = line + Self.doubles([0, 9] + [20, 21, 22, 23])
    let (schema, features) = try await Self.features(try write(13, [line, measured]))
    #expect(schema.hasZ && schema.hasM && features.count == 2)
    #expect(features[0].geometry?.paths.map(\.z) == [[10, 11], [12, 13]])
    #expect(features[0].geometry?.paths.allSatisfy { $0.m == nil } == true)
    #expect(features[1].geometry?.paths.map(\.z) == [[10, 11], [12, 13]])
    #expect(features[1].geometry?.paths.map(\.m) == [[20, 21], [22, 23]])
  }

  @Test func `Rows keep their values where a shape is damaged, of another type, or cut off`()
    async throws
  {
    let empty = Self.little(3) + Self.doubles([0, 0, 0, 0]) + Self.little(1) + Self.little(1_000)
    let url = try write(
      1,
      [Self.point(1, 1), empty, Self.little(31) + [0, 0], Self.point(.nan, 4), Self.point(5, 5)],
      order: [0, 1, 2, 3, 4], rows: ["a", "b", "c", "d", "e"])
    try Data(contentsOf: url).dropLast(8).write(to: url)
    let store = try #require(try await TableFile.shapefile(at: url) as? SurveyedTables)
    let rows = try await store.features(in: "made", matching: .init()).collect()
    #expect(
      rows.map { $0.attributes["NAME"] } == ["a", "b", "c", "d", "e"].map(AttributeValue.text))
    #expect(rows.map(\.geometry) == [.point(Point(x: 1, y: 1)), nil, nil, nil, nil])
    // A point that is no number is how some programs write none.
    #expect(store.failures.map(\.item) == ["shape 2", "shape 3", "shape 5"])
    #expect(store.damagedCount == 3)
    // Without the index the same is known of those before the end.
    try FileManager.default.removeItem(
      at: url.deletingPathExtension().appendingPathExtension("shx"))
    let walked = try #require(try await TableFile.shapefile(at: url) as? SurveyedTables)
    #expect(walked.failures.map(\.item) == ["shape 2", "shape 3", "shape 5"])
  }

  @Test(
    arguments: [
      (6, ["12", "***", ""], FieldType.integer, [.integer(12), .null, .null]),
      (6, ["12", "1.5"], .double, [.double(12), .double(1.5)]),
      (6, ["12", "1,5"], .double, [.double(12), .double(1.5)]),
      (12, ["12.0", "7"], .bigInteger, [.integer(12), .integer(7)]),
      (11, ["12", "-2147483648", ""], .integer, [.integer(12), .integer(-2_147_483_648), .null]),
      (11, ["12", "2147483648"], .bigInteger, [.integer(12), .integer(2_147_483_648)]),
      (11, ["12", "1.5"], .double, [.double(12), .double(1.5)]),
      (20, ["1.5", "7"], .double, [.double(1.5), .double(7)]),
    ] as [(Int, [String], FieldType, [AttributeValue])])
  func `Numbers keep their decimals where the header says that there are none`(
    _ width: Int, _ cells: [String], _ type: FieldType, _ values: [AttributeValue]
  ) throws {
    var bytes: [UInt8] = [3, 124, 1, 1] + Self.little(cells.count)
    bytes += [65, 0, UInt8(width + 1), 0] + [UInt8](repeating: 0, count: 20)
    bytes += Array("SIZE".utf8) + [UInt8](repeating: 0, count: 7) + Array("N".utf8)
    bytes += [0, 0, 0, 0, UInt8(width), 0] + [UInt8](repeating: 0, count: 14) + [0x0D]
    for cell in cells {
      let blanks = String(repeating: " ", count: width + 1 - cell.count)
      bytes += Array((blanks + cell).utf8)
    }
    let table = try DBaseTable(Data(bytes), encoding: nil, file: "sizes")
    #expect(table.fields.map(\.type) == [type])
    #expect(cells.indices.compactMap { table.values($0)?.first } == values)
  }

  @Test func `Numbers and moments of Visual FoxPro are no texts`() throws {
    // The last column has a bit for each of the others that may have no value: the first and the third.
    let columns: [(name: String, kind: String, length: Int, flags: UInt8)] = [
      ("COUNT", "I", 4, 2), ("WIDTH", "B", 8, 0), ("PRICE", "Y", 8, 2), ("SEEN", "T", 8, 0),
      ("_NullFlags", "0", 1, 1),
    ]
    let length = columns.reduce(1) { $0 + $1.length }
    var bytes: [UInt8] = [0x30, 124, 1, 1] + Self.little(2)
    bytes += [UInt8(33 + 32 * columns.count), 0, UInt8(length), 0]
    bytes += [UInt8](repeating: 0, count: 20)
    for column in columns {
      bytes += Array(column.name.utf8) + [UInt8](repeating: 0, count: 11 - column.name.utf8.count)
      bytes += Array(column.kind.utf8) + [0, 0, 0, 0, UInt8(column.length), 0, column.flags]
      bytes += [UInt8](repeating: 0, count: 13)
    }
    bytes += [0x0D]
    // 1.5; 12.3456; a second and a half behind midnight of 2000-01-01.
    let width: [UInt8] = [0, 0, 0, 0, 0, 0, 0xF8, 0x3F]
    let price = Self.little(123_456) + [0, 0, 0, 0]
    let seen = Self.little(2_451_545) + Self.little(1_500)
    let zeros = [UInt8](repeating: 0, count: 8)
    let cells: [[UInt8]] = [
      [0x20], Self.little(-7), width, price, seen, [0],
      [0x20], Self.little(0), width, zeros, zeros, [3],
    ]
    bytes += cells.flatMap(\.self)
    let table = try DBaseTable(Data(bytes), encoding: nil, file: "fox")
    #expect(table.fields.map(\.name) == ["COUNT", "WIDTH", "PRICE", "SEEN"])
    #expect(table.fields.map(\.type) == [.integer, .double, .double, .date])
    let moment = Date(timeIntervalSince1970: 946_684_801.5)
    #expect(
      table.values(0) == [.integer(-7), .double(1.5), .double(12.3456), .date(moment)])
    #expect(table.values(1) == [.null, .double(1.5), .null, .null])
    #expect(table.memoFields.isEmpty)
    // Single values are those of the whole row, also where there is none, or it was deleted.
    for row in 0...2 {
      #expect((0..<4).compactMap { table.value(row, of: $0) } == table.values(row))
    }
    bytes[bytes.count - length] = UInt8(ascii: "*")
    let shorter = try DBaseTable(Data(bytes), encoding: nil, file: "fox")
    #expect(shorter.values(1) == nil && shorter.value(1, of: 1) == nil)
    #expect(shorter.value(0, of: 1) == .double(1.5))
  }

  @Test func `A byte order mark before a reference and an encoding is no part of them`()
    async throws
  {
    let url = try write(1, [Self.point(1, 1)], rows: [""])
    let stem = url.deletingPathExtension()
    let text = try SpatialReference.webMercator.esriWellKnownText()
    try Data("\u{FEFF}\(text)".utf8).write(to: stem.appendingPathExtension("prj"))
    #expect(try await Self.features(url).0.spatialReference?.isWebMercator == true)
    let moscow: [UInt8] = [0xCC, 0xEE, 0xF1, 0xEA, 0xE2, 0xE0]
    #expect(DBaseEncoding(label: "\u{FEFF}1251", driver: 0).text(Data(moscow)) == "Москва")
  }
}
