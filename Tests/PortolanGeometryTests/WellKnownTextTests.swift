import PortolanGeometry
import Testing

@Suite struct WellKnownTextTests {
  @Test(arguments: [
    "POINT (1 2)", "POINT Z (1 2 3)", "POINT EMPTY", "MULTIPOINT (1 2, 3 4)",
    "LINESTRING (1 2, 3 4.5)", "LINESTRING EMPTY", "LINESTRING Z (1 2 3, 4 5 6)",
    "MULTILINESTRING ((1 2, 3 4), (5 6, 7 8))",
    "POLYGON ((0 0, 9 0, 9 9, 0 0), (4 2, 5 3, 5 2, 4 2))",
    "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((5 5, 6 5, 6 6, 5 5)))",
  ])
  func `A shape is written as it was read`(_ text: String) throws {
    #expect(try Geometry(wellKnownText: text).wellKnownText() == text)
  }

  @Test(arguments: [
    ("point(1 2)", "POINT (1 2)"), ("SRID=4326; POINT ( 1  2 ) ", "POINT (1 2)"),
    ("POINTZ(1 2 3)", "POINT Z (1 2 3)"), ("POINT M (1 2 9)", "POINT (1 2)"),
    ("Point ZM (1 2 3 9)", "POINT Z (1 2 3)"),
    ("LINESTRING(1e1 -2.5,3 4)", "LINESTRING (10 -2.5, 3 4)"),
    ("MULTIPOINT ((1 2), (3 4))", "MULTIPOINT (1 2, 3 4)"),
    ("POLYGON Z EMPTY", "POLYGON EMPTY"),
  ])
  func `Other spellings are read`(_ text: String, _ plain: String) throws {
    #expect(try Geometry(wellKnownText: text).wellKnownText() == plain)
  }

  @Test(arguments: [
    "", "POINT", "POINT (", "POINT (1)", "POINT (1 x)", "POINT (1 2) 3", "POINT (1 2, 3 4)",
    "CIRCULARSTRING (1 2, 3 4, 5 6)", "GEOMETRYCOLLECTION (POINT (1 2))", "LINESTRING (1 2, 3)",
    "LINESTRING 1 2", "POLYGON ((((((((1 2))))))))", "POINT (1 nan)", "POINT (1 inf)",
    "Main Street",
    "SRID=4326", "POINT Z", "POINT (1 2", "POLYGON (1 2, 3 4)", "LINESTRING ((1 2), (3 4))",
  ])
  func `What is none is refused`(_ text: String) {
    #expect(throws: GeometryError.self) { try Geometry(wellKnownText: text) }
  }

  @Test func `Brackets without end are refused and not followed`() {
    let text = "POLYGON " + String(repeating: "(", count: 1_000_000)
    #expect(throws: GeometryError.self) { try Geometry(wellKnownText: text) }
  }
}
