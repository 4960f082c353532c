import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanTestSupport
import Testing

@testable import PortolanConversion

/// Heights and measures in shapefiles that are written.
@Suite(.temporaryDirectory) struct ShapefileHeightsTests {
  private let tables = TableFileConversionTests()

  private static let line = Path(
    [Coordinate(x: 0, y: 0), Coordinate(x: 4, y: 0), Coordinate(x: 4, y: 2)], z: [5, 6, -7])
  private static let ring = Path(
    [
      Coordinate(x: 0, y: 0), Coordinate(x: 9, y: 0), Coordinate(x: 9, y: 9),
      Coordinate(x: 0, y: 0),
    ], z: [1, 2, 3, 1])

  private static func measured(_ path: Path, _ measures: [Double]) -> Path {
    Path(path.coordinates, z: path.z, m: measures)
  }

  /// Shapes, and the first of them as GDAL says it.
  private static let shapes: [([Geometry?], String)] = [
    ([.point(Point(x: 1, y: 2, z: 3)), nil, .point(Point(x: 4, y: 5, z: -6))], "POINT Z (1 2 3)"),
    ([.point(Point(x: 1, y: 2, z: 3, m: 4))], "POINT ZM (1 2 3 4)"),
    ([.point(Point(x: 1, y: 2, m: 4)), .point(Point(x: 1, y: 2))], "POINT M (1 2 4)"),
    ([.multipoint(Multipoint(points: line))], "MULTIPOINT Z ((0 0 5),(4 0 6),(4 2 -7))"),
    (
      [.polyline(Polyline(paths: [line])), .polyline(Polyline(paths: [line, line]))],
      "LINESTRING Z (0 0 5,4 0 6,4 2 -7)"
    ),
    (
      [.polyline(Polyline(paths: [measured(line, [7, 8, 9])]))],
      "LINESTRING ZM (0 0 5 7,4 0 6 8,4 2 -7 9)"
    ),
    (
      [.polyline(Polyline(paths: [Path(line.coordinates, m: [7, .nan, 9])]))], "LINESTRING M (0 0 7"
    ),
    ([.polygon(Polygon(rings: [ring])), nil], "POLYGON Z ((0 0 1,9 9 3,9 0 2,0 0 1))"),
  ]

  private func write(_ shapes: [Geometry?]) async throws -> (URL, ConversionResult) {
    let type = shapes.compactMap(\.self).first?.type ?? .point
    let store = TableFileConversionTests.store(type, shapes)
    var schema = try #require(try await store.schemas().first)
    schema.hasM = shapes.contains { $0?.paths.contains { $0.m != nil } == true }
    let features = try await store.features(in: schema.name, matching: .init()).collect()
    let contents = FeatureTableContents(schema: schema, features: features)
    return try await tables.convert(InMemoryFeatureStore([contents]), to: "high.shp")
  }

  private static func read(_ url: URL) async throws -> (FeatureTableSchema, [Geometry?]) {
    let store = try await TableFile.shapefile(at: url)
    let schema = try #require(try await store.schemas().first)
    let rows = try await store.features(in: schema.name, matching: .init()).collect()
    return (schema, rows.map(\.geometry))
  }

  @Test(arguments: shapes)
  func `Heights and measures survive a shapefile`(
    _ shapes: [Geometry?], _ text: String
  ) async throws {
    let (url, result) = try await write(shapes)
    #expect(result.omissions.isEmpty && result.failureCount == 0)
    let (schema, read) = try await Self.read(url)
    // Not-a-number is no more than itself, but is written like itself.
    #expect(read.map { $0?.wellKnownBinary() } == shapes.map { $0?.wellKnownBinary() })
    #expect(schema.hasZ == text.contains("Z") && schema.hasM == text.contains("M "))
  }

  @Test(.needsGDAL, arguments: shapes)
  func `GDAL reads the heights and measures of a shapefile`(
    _ shapes: [Geometry?], _ text: String
  ) async throws {
    let (url, _) = try await write(shapes)
    let output = try GDAL.run(["ogrinfo", "-al", url.path(percentEncoded: false)])
    #expect(output.contains(text), "\(output)")
    #expect(!output.contains("ERROR") && !output.contains("Warning"))
  }

  /// As GDAL and Esri's software have it, for a file of heights has no place for shapes without.
  @Test func `A height that is missing is 0 in a shapefile`() async throws {
    let flat = Path(Self.line.coordinates)
    let half = Path(Self.line.coordinates, z: [5, .nan, .nan])
    let shapes = [Self.line, flat, half].map { Geometry.polyline(Polyline(paths: [$0])) }
    let (_, read) = try await Self.read(try await write(shapes).0)
    #expect(read.map { $0?.paths.first?.z } == [[5, 6, -7], [0, 0, 0], [5, 0, 0]])
  }

  @Test func `The header says between which heights and measures the shapes are`() async throws {
    let measured = Geometry.polyline(Polyline(paths: [Self.measured(Self.line, [7, .nan, 9])]))
    let (url, _) = try await write([measured])
    let bytes = ShapefileBytes(try Data(contentsOf: url))
    #expect(bytes.little(32) == 13)
    #expect((0..<4).map { bytes.double(68 + 8 * $0) } == [-7, 6, 7, 9])
  }
}
