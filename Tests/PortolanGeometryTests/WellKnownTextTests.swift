import PortolanGeometry
import Testing

@Suite struct WellKnownTextTests {
  @Test(arguments: [
    "POINT (1 2)", "POINT Z (1 2 3)", "POINT EMPTY", "MULTIPOINT (1 2, 3 4)",
    "LINESTRING (1 2, 3 4.5)", "LINESTRING EMPTY", "LINESTRING Z (1 2 3, 4 5 6)",
    "MULTILINESTRING ((1 2, 3 4), (5 6, 7 8))",
    "POINT M (1 2 9)", "POINT ZM (1 2 3 9)", "MULTIPOINT M (1 2 8, 3 4 9)",
    "LINESTRING M (1 2 7, 3 4 nan)", "LINESTRING ZM (1 2 3 7, 3 4 5 8)",
    "MULTILINESTRING M ((1 2 5, 3 4 6), (5 6 7, 7 8 8))",
    "POLYGON ((0 0, 9 0, 9 9, 0 0), (4 2, 5 3, 5 2, 4 2))",
    "POLYGON ZM ((0 0 1 2, 9 0 3 4, 9 9 5 6, 0 0 1 2), (4 2 7 8, 5 3 9 1, 5 2 2 3, 4 2 7 8))",
    "MULTIPOLYGON M (((0 0 1, 1 0 2, 1 1 3, 0 0 1)), ((5 5 4, 6 5 5, 6 6 6, 5 5 4)))",
    "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((5 5, 6 5, 6 6, 5 5)))",
  ])
  func `A shape is written as it was read`(_ text: String) throws {
    #expect(try Geometry(wellKnownText: text).wellKnownText() == text)
  }

  @Test(arguments: [
    ("point(1 2)", "POINT (1 2)"), ("SRID=4326; POINT ( 1  2 ) ", "POINT (1 2)"),
    ("POINTZ(1 2 3)", "POINT Z (1 2 3)"), ("POINTM(1 2 9)", "POINT M (1 2 9)"),
    ("Point zm(1 2 3 9)", "POINT ZM (1 2 3 9)"), ("POINT M (1 2 NaN)", "POINT (1 2)"),
    ("POLYGON M ((0 0 1, 9 9 2, 9 0 3, 0 0 1))", "POLYGON M ((0 0 1, 9 0 3, 9 9 2, 0 0 1))"),
    ("LINESTRING (1 2 3, 4 5)", "LINESTRING Z (1 2 3, 4 5 0)"),
    ("LINESTRING(1e1 -2.5,3 4)", "LINESTRING (10 -2.5, 3 4)"),
    ("MULTIPOINT ((1 2), (3 4))", "MULTIPOINT (1 2, 3 4)"),
    ("POLYGON Z EMPTY", "POLYGON EMPTY"),
  ])
  func `Other spellings are read`(_ text: String, _ plain: String) throws {
    #expect(try Geometry(wellKnownText: text).wellKnownText() == plain)
  }

  @Test(arguments: [
    "", "POINT", "POINT (", "POINT (1)", "POINT (1 x)", "POINT (1 2) 3", "POINT (1 2, 3 4)",
    "CIRCULARSTRING (1 2, 3 4", "CIRCULARSTRING (1 2) 3", "COMPOUNDCURVE (1 2, 3 4)",
    "COMPOUNDCURVE (COMPOUNDCURVE ((1 2, 3 4)))", "MULTICURVE (POINT (1 2))", "CURVEPOLYGON (",
    "MULTISURFACE ((1 2, 3 4))", "MULTISURFACE (CIRCULARSTRING (1 2, 3 4, 5 6))", "CIRCULARSTRING",
    "TIN (((0 0, 1 0, 1 1, 0 0)))", "GEOMETRYCOLLECTION (POINT (1 2))", "LINESTRING (1 2, 3)",
    "LINESTRING 1 2", "POLYGON ((((((((1 2))))))))", "POINT (1 nan)", "POINT (1 inf)",
    "POINT M (1 nan 2)", "POINT M (1 2 inf)",
    "Main Street",
    "SRID=4326", "POINT Z", "POINT (1 2", "POLYGON (1 2, 3 4)", "LINESTRING ((1 2), (3 4))",
  ])
  func `What is none is refused`(_ text: String) {
    #expect(throws: GeometryError.self) { try Geometry(wellKnownText: text) }
  }

  @Test(arguments: [
    ("CIRCULARSTRING (0 0, 1 1, 2 0)", GeometryType.polyline, [91]),
    ("CircularStringZ(0 0 1,1 1 2,2 0 3)", .polyline, [91]),
    ("CIRCULARSTRING EMPTY", .polyline, []), ("CURVEPOLYGON EMPTY", .polygon, []),
    (
      "COMPOUNDCURVE ((-1 0, 0 0), CIRCULARSTRING (0 0, 1 1, 2 0), (2 0, 5 0, 6 0))", .polyline,
      [94]
    ),
    ("COMPOUNDCURVE M (LINESTRING M (0 0 1, 1 1 2), (1 1 2, 2 2 3))", .polyline, [3]),
    ("CURVEPOLYGON ((0 0, 4 0, 4 4, 0 0))", .polygon, [4]),
    (
      "CURVEPOLYGON(COMPOUNDCURVE(CIRCULARSTRING(0 0,2 2,4 0),(4 0,0 0)),(1 0.5,3 0.5,2 1,1 0.5))",
      .polygon, [92, 4]
    ),
    ("MULTICURVE ((0 0, 1 1), CIRCULARSTRING (0 0, 1 1, 2 0), EMPTY)", .polyline, [2, 91]),
    (
      """
      SRID=4326;MULTISURFACE (((10 10, 11 10, 11 11, 10 10)), \
      CURVEPOLYGON (CIRCULARSTRING (0 0, 2 2, 4 0, 2 -2, 0 0)))
      """, .polygon, [4, 181]
    ),
  ])
  func `Arcs become lines between positions on their circle`(
    _ text: String, _ type: GeometryType, _ counts: [Int]
  ) throws {
    let shape = try Geometry(wellKnownText: text)
    #expect(shape.type == type && shape.paths.map(\.count) == counts)
  }

  @Test func `Heights change evenly along an arc`() throws {
    let shape = try Geometry(wellKnownText: "CIRCULARSTRING Z (0 0 0, 1 1 45, 2 0 0)")
    let heights = try #require(shape.paths.first?.z)
    #expect(zip(heights.indices, heights).allSatisfy { abs(Double(min($0, 90 - $0)) - $1) < 1e-9 })
  }

  @Test func `Measures change evenly along an arc, beside its heights`() throws {
    let shape = try Geometry(wellKnownText: "CIRCULARSTRING ZM (0 0 7 0, 1 1 7 45, 2 0 7 90)")
    let path = try #require(shape.paths.first)
    let measures = try #require(path.m)
    #expect(measures.enumerated().allSatisfy { abs(Double($0) - $1) < 1e-9 })
    #expect(measures.count == 91 && path.z?.allSatisfy { abs($0 - 7) < 1e-9 } == true)
  }

  @Test(
    arguments: [
      ("(0 0, 1 1), (1 1 5, 2 2 6)", ["nan", "5.0", "6.0"]),
      ("(0 0, 1 1), (1 2 5, 2 2 6)", ["nan", "nan", "5.0", "6.0"]),
      ("(0 0 4, 1 1 5), (1 1, 2 2)", ["4.0", "5.0", "nan"]),
      ("(0 0, 1 1), EMPTY, (1 1, 2 2)", nil),
    ] as [(String, [String]?)])
  func `Heights of one part of a line stay where others have none`(
    _ parts: String, _ heights: [String]?
  ) throws {
    let shape = try Geometry(wellKnownText: "COMPOUNDCURVE (\(parts))")
    #expect(shape.paths.count == 1)
    #expect(shape.paths.first?.z?.map { "\($0)" } == heights)
  }

  @Test func `The exterior of an area of curves is the first of its rings`() throws {
    let text = "CURVEPOLYGON ((0 0, 0 9, 9 9, 9 0, 0 0), (1 1, 2 1, 2 2, 1 1))"
    let rings = try Geometry(wellKnownText: text).paths
    #expect(rings.map { $0.signedArea > 0 } == [true, false])
  }

  @Test func `Arcs without end are refused`() {
    let text = (0..<40_003).map { "\($0) \($0 % 2)" }.joined(separator: ",")
    #expect(
      throws: GeometryError.unsupported(.wellKnownText, feature: "a shape of more than 20000 arcs")
    ) { try Geometry(wellKnownText: "CIRCULARSTRING (\(text))") }
  }

  @Test func `Brackets without end are refused and not followed`() {
    let text = "POLYGON " + String(repeating: "(", count: 1_000_000)
    #expect(throws: GeometryError.self) { try Geometry(wellKnownText: text) }
  }
}
