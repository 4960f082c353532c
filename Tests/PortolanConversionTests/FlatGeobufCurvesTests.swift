import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanTestSupport
import Testing

@testable import PortolanConversion

/// Shapes with arcs of circles in FlatGeobuf files.
@Suite(.temporaryDirectory) struct FlatGeobufCurvesTests {
  /// A line of some kind, or a shape of parts.
  private static func shape(
    _ kind: FlatGeobufShape.Kind, _ places: [Double] = [], heights: [Double] = [],
    parts: [FlatTableContents] = []
  ) -> FlatTableContents {
    var shape = FlatTableContents()
    if !places.isEmpty { shape.set(1, .doubles(places)) }
    if !heights.isEmpty { shape.set(2, .doubles(heights)) }
    shape.set(6, .number(UInt64(kind.rawValue), size: 1))
    if !parts.isEmpty { shape.set(7, .tables(parts)) }
    return shape
  }

  private static let half: [Double] = [0, 0, 1, 1, 2, 0]
  private static let triangle: [Double] = [10, 10, 11, 10, 11, 11, 10, 10]
  private static let circle: [Double] = [0, 0, 2, 2, 4, 0, 2, -2, 0, 0]

  /// Rows of the shapes in a file of a kind.
  private func read(
    _ shapes: [FlatTableContents], kind: FlatGeobufShape.Kind = .unknown
  ) throws -> TableFileContents {
    try read(rows: shapes.flatMap(Self.row), kind: kind)
  }

  private static func row(_ shape: FlatTableContents) -> [UInt8] {
    var row = FlatTableContents()
    row.set(0, .table(shape))
    return row.sizedBuffer
  }

  private func read(
    rows: [UInt8], kind: FlatGeobufShape.Kind = .unknown
  ) throws -> TableFileContents {
    var header = FlatTableContents()
    header.set(2, .number(UInt64(kind.rawValue), size: 1))
    header.set(9, .number(0, size: 2))
    let url = temporaryDirectory.appending(path: "curved.fgb")
    try Data(FlatGeobufReader.mark + [0] + header.sizedBuffer + rows).write(to: url)
    return try FlatGeobufReader(url).contents()
  }

  /// Shapes with arcs, and how many vertices there are in the lines and rings that they become.
  private static var curves: [(FlatGeobufShape.Kind, FlatTableContents, [Int])] {
    let compound = [
      shape(.line, [-1, 0, 0, 0]), shape(.arcs, half), shape(.line, [2, 0, 5, 0, 6, 0]),
    ]
    let ring = shape(.compoundCurve, parts: [shape(.arcs, half), shape(.line, [2, 0, 0, 0])])
    let lines = [shape(.line, [0, 0, 1, 1]), shape(.arcs, half)]
    let areas = [
      shape(.polygon, triangle), shape(.curvedPolygon, parts: [shape(.arcs, circle)]),
    ]
    return [
      (.arcs, shape(.arcs, half), [91]),
      (.compoundCurve, shape(.compoundCurve, parts: compound), [94]),
      (.curvedPolygon, shape(.curvedPolygon, parts: [ring]), [92]),
      (.curves, shape(.curves, parts: lines), [2, 91]),
      (.surfaces, shape(.surfaces, parts: areas), [4, 181]),
    ]
  }

  @Test func `Arcs become lines, in a file of one kind and of any`() throws {
    for (kind, shape, counts) in Self.curves {
      for kindOfFile in [FlatGeobufShape.Kind.unknown, kind] {
        let contents = try read([shape], kind: kindOfFile)
        let geometry = try #require(contents.features.first?.geometry)
        #expect(geometry.type == kind.type && geometry.paths.map(\.count) == counts)
        #expect(contents.failures.isEmpty)
      }
    }
  }

  @Test func `Heights change evenly along an arc`() throws {
    let contents = try read([Self.shape(.arcs, Self.half, heights: [0, 45, 0])])
    let heights = try #require(contents.features.first?.geometry?.paths.first?.z)
    #expect(heights.count == 91)
    #expect(zip(heights.indices, heights).allSatisfy { abs(Double(min($0, 90 - $0)) - $1) < 1e-9 })
  }

  @Test func `Curves of parts that they cannot have are damage`() {
    let shapes = [
      Self.shape(
        .compoundCurve,
        parts: [Self.shape(.compoundCurve, parts: [Self.shape(.arcs, Self.half)])]),
      Self.shape(.curves, parts: [Self.shape(.polygon, Self.triangle)]),
      Self.shape(.curvedPolygon, parts: [Self.shape(.point, [1, 2])]),
      Self.shape(.surfaces, parts: [Self.shape(.line, Self.half)]),
    ]
    for shape in shapes {
      #expect(throws: FeatureStoreError.self) { try read([shape]) }
    }
  }

  @Test func `A row with arcs without end is reported, and kept without its shape`() throws {
    let places = (0..<40_003).flatMap { [Double($0), Double($0 % 2)] }
    let contents = try read([Self.shape(.arcs, places), Self.shape(.arcs, Self.half)])
    #expect(contents.features.map { $0.geometry?.paths.first?.count } == [nil, 91])
    #expect(contents.failures.map(\.item) == ["row 1"])
    #expect(contents.failures.first?.reason.contains("more than 20000 arcs") == true)
  }

  @Test func `Parts without vertices that are all the same ones are damage`() throws {
    let lines = (0..<300).map { _ in Self.shape(.compoundCurve) }
    let areas = [Self.shape(.curvedPolygon, parts: lines)]
    let others = (0..<300).map { _ in Self.shape(.curvedPolygon) }
    var row = Self.row(Self.shape(.surfaces, parts: areas + others))
    #expect(try read(rows: row).features.map(\.geometry) == [nil])
    // All areas become the first one, which alone has lines.
    let count = try #require(row.firstRange(of: [0x2D, 0x01, 0, 0] as [UInt8]))
    let places = count.upperBound
    let step = Int(row[places]) | Int(row[places + 1]) << 8
    for index in 1...others.count {
      let offset = step - 4 * index
      row[places + 4 * index] = UInt8(truncatingIfNeeded: offset)
      row[places + 4 * index + 1] = UInt8(truncatingIfNeeded: offset >> 8)
      row[places + 4 * index + 2] = 0
    }
    let damaged = row
    #expect(throws: FeatureStoreError.self) { try read(rows: damaged) }
  }

  @Test(.needsGDAL) func `Curves that GDAL writes are read`() async throws {
    let text = """
      id,wkt
      1,"COMPOUNDCURVE ((-1 0,0 0),CIRCULARSTRING (0 0,1 1,2 0),(2 0,5 0,6 0))"
      2,"MULTISURFACE (((10 10,11 10,11 11,10 10)),CURVEPOLYGON (CIRCULARSTRING (0 0,2 2,4 0,2 -2,0 0)))"
      3,"MULTICURVE ((0 0,1 1),CIRCULARSTRING (0 0,1 1,2 0))"

      """
    let (source, url) = (
      temporaryDirectory.appending(path: "drawn.csv"),
      temporaryDirectory.appending(path: "drawn.fgb")
    )
    try Data(text.utf8).write(to: source)
    _ = try GDAL.run([
      "ogr2ogr", "-f", "FlatGeobuf", "-lco", "SPATIAL_INDEX=NO", url.path(percentEncoded: false),
      source.path(percentEncoded: false),
    ])
    let counts = try FlatGeobufReader(url).contents().features.map {
      $0.geometry?.paths.map(\.count)
    }
    #expect(counts == [[94], [4, 181], [2, 91]])
  }
}
