import Foundation
import PortolanFeatures
import PortolanGeoPackage
import PortolanGeodatabase
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanConversion

/// Tables whose column may hold shapes of any type.
@Suite(.temporaryDirectory) struct MixedShapesTests {
  private func url(_ name: String) -> URL { temporaryDirectory.appending(path: name) }

  /// A GeoPackage with a table of two points, three lines and a row without a shape.
  private func mixed() async throws -> GeoPackage {
    var lines = FeatureTableContents.rows("lines", 3)
    lines.schema.geometryType = .polyline
    for index in lines.features.indices {
      let path = Path([Coordinate(x: 0, y: 0), Coordinate(x: 1, y: Double(index + 1))])
      lines.features[index].geometry = .polyline(Polyline(paths: [path]))
    }
    _ = try await convert(
      InMemoryFeatureStore([.rows("points", 2), lines]), to: url("source.gpkg"))
    let connection = try Connection(at: url("source.gpkg"), access: .readWrite)
    let shape = try connection.query("SELECT column_name FROM gpkg_geometry_columns LIMIT 1")
    #expect(try shape.step())
    let column = "\"\(shape.text(at: 0))\""
    for statement in [
      "CREATE TABLE mixed (fid INTEGER PRIMARY KEY, text TEXT, geom BLOB)",
      "INSERT INTO mixed (text, geom) SELECT text, \(column) FROM points",
      "INSERT INTO mixed (text, geom) SELECT text, \(column) FROM lines",
      "INSERT INTO mixed (text) VALUES ('nowhere')",
      """
      INSERT INTO gpkg_contents (table_name, data_type, srs_id)
      SELECT 'mixed', 'features', srs_id FROM gpkg_contents WHERE table_name = 'points'
      """,
      """
      INSERT INTO gpkg_geometry_columns
      SELECT 'mixed', 'geom', 'GEOMETRY', srs_id, 0, 0 FROM gpkg_geometry_columns
      WHERE table_name = 'points'
      """,
    ] {
      try connection.execute(statement)
    }
    return try GeoPackage.open(at: url("source.gpkg"))
  }

  private func counts(_ store: any FeatureStore) async throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for schema in try await store.schemas() {
      counts["\(schema.name) \(schema.geometryType?.rawValue ?? "none")"] =
        try await store.count(in: schema.name, matching: .init())
    }
    return counts
  }

  @Test(arguments: ["out.gpkg", "out.geodatabase"])
  func `Each kind of shape gets a table of its own in a database`(_ name: String) async throws {
    let result = try await convert(
      mixed(), from: url("source.gpkg"), to: url(name), Conversion.Parameters(layer: "mixed"))
    #expect(result.isComplete)
    #expect(result.tables.map(\.name) == ["mixed_points", "mixed_lines", "mixed_no_shape"])
    #expect(result.tables.map(\.source) == ["mixed", "mixed", "mixed"])
    #expect(result.tables.map(\.readCount) == [2, 3, 1])
    #expect(result.tables.map(\.writtenCount) == [2, 3, 1])
    #expect(result.notes.contains("The lines of \"mixed\" are in \"mixed_lines\"."))
    let store: any FeatureStore =
      if name.hasSuffix("gpkg") {
        try GeoPackage.open(at: url(name))
      } else {
        try Geodatabase.open(at: url(name))
      }
    #expect(
      try await counts(store) == [
        "mixed_points esriGeometryPoint": 2, "mixed_lines esriGeometryPolyline": 3,
        "mixed_no_shape none": 1,
      ])
    let rows = try await store.features(in: "mixed_lines", matching: .init()).collect()
    #expect(rows.allSatisfy { $0.geometry?.type == .polyline })
  }

  @Test func `A table that is declared to hold any shape and holds one kind stays one`()
    async throws
  {
    let store = try await mixed()
    var parameters = Conversion.Parameters(layer: "mixed")
    parameters.whereClause = "fid <= 2"
    let result = try await convert(
      store, from: url("source.gpkg"), to: url("out.gpkg"), parameters)
    #expect(result.tables.map(\.name) == ["mixed"] && result.tables.map(\.writtenCount) == [2])
  }

  @Test(arguments: ["out.fgb", "out.csv"])
  func `Files whose rows say what their shapes are keep a table of several kinds whole`(
    _ name: String
  ) async throws {
    let result = try await convert(
      mixed(), from: url("source.gpkg"), to: url(name), Conversion.Parameters(layer: "mixed"))
    #expect(result.isComplete && result.tables.map(\.writtenCount) == [6])
    let store: any FeatureStore =
      if name.hasSuffix("fgb") {
        try await TableFile.flatGeobuf(at: url(name))
      } else {
        try await TableFile.csv(at: url(name))
      }
    let counts = try await counts(store)
    #expect(counts.values.sorted() == [1, 2, 3])
    #expect(counts.keys.contains { $0.hasSuffix("_points esriGeometryPoint") })
    #expect(counts.keys.contains { $0.hasSuffix("_lines esriGeometryPolyline") })
  }

  /// A table of shapes of each kind, areas with holes and of several parts among them.
  private func everyKind() -> InMemoryFeatureStore {
    let square = Envelope(xMin: 0, yMin: 0, xMax: 9, yMax: 9).polygon.rings
    let hole = Envelope(xMin: 2, yMin: 2, xMax: 4, yMax: 4).polygon.rings
    let other = Envelope(xMin: 20, yMin: 0, xMax: 29, yMax: 9).polygon.rings
    let line = Path([Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 1)])
    let shapes: [Geometry] = [
      .point(Point(x: 1, y: 2)), .polygon(Polygon(arranging: square + hole)),
      .polyline(Polyline(paths: [line])), .polygon(Polygon(arranging: square + hole + other)),
      .multipoint(Multipoint(points: line)), .polyline(Polyline(paths: [line, line])),
    ]
    var contents = FeatureTableContents.rows("places", shapes.count)
    contents.schema.mayMixShapes = true
    for (index, shape) in shapes.enumerated() { contents.features[index].geometry = shape }
    return InMemoryFeatureStore([contents])
  }

  @Test func `Shapes of each kind come back from one FlatGeobuf file`() async throws {
    let source = everyKind()
    _ = try await convert(source, to: url("out.fgb"))
    let written = try await source.features(in: "places", matching: .init()).collect()
    let read = try FlatGeobufReader(url("out.fgb")).contents().features
    #expect(read.map(\.geometry) == written.map(\.geometry))
  }

  @Test(.needsGDAL) func `GDAL reads shapes of each kind from one FlatGeobuf file`() async throws {
    _ = try await convert(everyKind(), to: url("out.fgb"))
    let output = try GDAL.run(["ogrinfo", "-al", url("out.fgb").path(percentEncoded: false)])
    #expect(!output.contains("ERROR"), "\(output)")
    let kinds = ["  POINT (", "  MULTIPOINT (", "  MULTILINESTRING ("].map { output.contains($0) }
    #expect(kinds == [true, true, true])
    #expect(output.split(separator: "MULTIPOLYGON (").count == 3)
  }

  @Test(arguments: ["out.gpkg", "out.geodatabase"])
  func `Points beside sets of points become sets of one in a database`(
    _ name: String
  ) async throws {
    var contents = FeatureTableContents.rows("places", 3)
    contents.schema.mayMixShapes = true
    contents.features[1].geometry = nil
    let pair = Multipoint(points: Path([Coordinate(x: 1, y: 2), Coordinate(x: 3, y: 4)]))
    contents.features[2].geometry = .multipoint(pair)
    let result = try await convert(InMemoryFeatureStore([contents]), to: url(name))
    #expect(result.isComplete && result.tables.map(\.name) == ["places"])
    #expect(result.tables.map(\.readCount) == [3] && result.tables.map(\.writtenCount) == [3])
    let store: any FeatureStore =
      if name.hasSuffix("gpkg") {
        try GeoPackage.open(at: url(name))
      } else {
        try Geodatabase.open(at: url(name))
      }
    let rows = try await store.features(in: "places", matching: .init()).collect()
    #expect(rows.map { $0.geometry?.paths.first?.count } == [1, nil, 2])
    #expect(rows.map(\.objectID) == [1, 2, 3])
  }
}
