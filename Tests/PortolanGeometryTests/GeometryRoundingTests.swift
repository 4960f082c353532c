import PortolanGeometry
import Testing

/// Coordinates as texts have them after they were computed.
@Suite struct GeometryRoundingTests {
  @Test(arguments: [
    (-69.519_999_999_565_41, 7, "-69.52"), (44.364_351_896_330_73, 7, "44.3643519"),
    (180.000_000_000_000_03, 7, "180.0"), (-0.000_000_001, 7, "0.0"),
    (7_871_679.492_699_999, 4, "7871679.4927"), (1e300, 7, "1e+300"), (Double.nan, 7, "nan"),
    (-Double.infinity, 4, "-inf"), (2.5, 0, "3.0"),
  ])
  func `No more decimals are written than there are to be`(
    _ number: Double, _ decimals: Int, _ text: String
  ) {
    let rounded = Coordinate(x: number, y: 1.25).rounded(toDecimals: decimals)
    #expect("\(rounded.x)" == text)
    #expect(rounded.y == (decimals == 0 ? 1 : 1.25))
  }

  @Test func `Positions of every kind of shape are rounded, and heights are not`() {
    let noise = 1e-10
    func path(_ noise: Double) -> Path {
      Path(
        [(0.1, 0.2), (1.1, 0.2), (1.1, 1.2), (0.1, 0.2)]
          .map { Coordinate(x: $0.0 + noise, y: $0.1 - noise) },
        z: [1e-9, 2, 3, 4], m: [5e-9, 6, 7, 8])
    }
    func shapes(_ noise: Double) -> [Geometry] {
      [
        .point(Point(x: 0.1 + noise, y: 0.2, z: 1e-9, m: 5e-9)),
        .multipoint(Multipoint(points: path(noise))), .polyline(Polyline(paths: [path(noise)])),
        .polygon(Polygon(rings: [path(noise)])),
        .envelope(Envelope(xMin: 0.1 + noise, yMin: 0.2, xMax: 1.1, yMax: 1.2 - noise)),
        .envelope(.empty),
      ]
    }
    #expect(shapes(noise).map { $0.rounded(toDecimals: 7) } == shapes(0))
    #expect(shapes(noise) != shapes(0))
  }

  @Test func `Degrees have seven decimals, and metres and feet four`() {
    let references = [4326, 4258, 3857, 25_832, 2_263].map { SpatialReference(wkid: $0) }
    #expect(references.map(\.writtenDecimals) == [7, 7, 4, 4, 4])
  }

  @Test(arguments: [
    ("Kilometer", 1000.0, 7), ("Meter", 1.0, 4), ("Foot", 0.3048, 4), ("Centimeter", 0.01, 2),
    ("Statute_Mile", 1609.344, 8),
  ])
  func `Lengths have as many decimals as their unit needs`(
    _ name: String, _ meters: Double, _ decimals: Int
  ) {
    let text = """
      PROJCS["Local",GEOGCS["GCS_ETRS_1989",DATUM["D_ETRS_1989",\
      SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],\
      UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],\
      PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],\
      PARAMETER["Central_Meridian",9.0],PARAMETER["Scale_Factor",0.9996],\
      PARAMETER["Latitude_Of_Origin",0.0],UNIT["\(name)",\(meters)]]
      """
    #expect(SpatialReference(wkt: text).writtenDecimals == decimals)
  }
}
