import Testing

@testable import PortolanGeometry

/// References that files define by a text alone, as the `.prj` of a shapefile does.
@Suite struct ListedReferenceTests {
  private static let etrs = """
    GEOGCS["GCS_ETRS_1989",DATUM["D_ETRS_1989",SPHEROID["GRS_1980",6378137.0,298.257222101]],\
    PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]
    """

  /// A zone of UTM under a name.
  private static func zone(_ name: String, meridian: Int) -> String {
    """
    PROJCS["\(name)",\(etrs),PROJECTION["Transverse_Mercator"],\
    PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],\
    PARAMETER["Central_Meridian",\(meridian).0],PARAMETER["Scale_Factor",0.9996],\
    PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]
    """
  }

  /// As GDAL writes them beside shapefiles.
  @Test(arguments: [
    4258, 4269, 25_833, 26_911, 27_700, 28_992, 2056, 2154, 2263, 31_467, 32_633, 3006, 3035, 5070,
    102_008, 54_030,
  ])
  func `A text in the form of Esri has the id under which it is listed`(_ id: Int) throws {
    let text = try SpatialReference(wkid: id).esriWellKnownText()
    #expect(!text.contains("AUTHORITY"))
    let reference = SpatialReference(wkt: text).listed()
    #expect(reference == SpatialReference(wkid: id, latestWKID: id, wkt: text))
  }

  @Test(arguments: [27_700, 31_467, 25_833])
  func `A text that names its id has that`(_ id: Int) throws {
    let text = try #require(SpatialReference(wkid: id).registered()?.wellKnownText)
    #expect(text.contains("AUTHORITY"))
    #expect(SpatialReference(wkt: text).listed().currentWKID == id)
  }

  @Test(arguments: [27_700, 31_467, 2229])
  func `A text that was edited does not have the id that it still names`(_ id: Int) throws {
    let text = try #require(SpatialReference(wkid: id).registered()?.wellKnownText)
    let name = #"PARAMETER["false_easting","#
    let moved = text.replacing(name, with: name + "1")
    #expect(moved != text)
    #expect(SpatialReference(wkt: moved).listed() == SpatialReference(wkt: moved))
  }

  @Test(arguments: [("EPSG", nil), ("ESRI", 25_833), ("Somebody", 25_833)] as [(String, Int?)])
  func `An id that is not listed is none`(_ authority: String, _ id: Int?) {
    let text = Self.zone("ETRS_1989_UTM_Zone_33N", meridian: 15).dropLast()
    let reference = SpatialReference(wkt: #"\#(text),AUTHORITY["\#(authority)","999999"]]"#)
    #expect(reference.listed().currentWKID == id)
  }

  @Test(arguments: ["ETRS_1989_UTM_Zone_33N", "unnamed", "My own zone"])
  func `A zone of UTM is known by its parameters, whatever its name is`(_ name: String) {
    #expect(SpatialReference(wkt: Self.zone(name, meridian: 15)).listed().currentWKID == 25_833)
  }

  @Test func `A vertical reference behind the text is no hindrance`() {
    let text = Self.zone("ETRS_1989_UTM_Zone_32N", meridian: 9)
    let whole = text + "," + SpatialReferenceTests.verticalText
    #expect(
      SpatialReference(wkt: whole).listed()
        == SpatialReference(wkid: 25_832, latestWKID: 25_832, wkt: whole))
  }

  @Test func `What has an id, or is WGS 84 or Web Mercator, is what it was`() {
    for reference in [SpatialReference.webMercator, SpatialReference(wkid: 102_683)] {
      #expect(reference.listed() == reference)
    }
    for text in [SpatialReferenceTests.geographicText, SpatialReferenceTests.mercatorText] {
      let reference = SpatialReference(wkt: text)
      #expect(reference.listed().currentWKID != nil)
      #expect(reference.listed() == reference.identified())
    }
  }

  @Test(arguments: [zone("ETRS_1989_UTM_Zone_33N", meridian: 16), "nonsense", "GEOGCS["])
  func `What no registry lists is its text alone`(_ text: String) {
    #expect(SpatialReference(wkt: text).listed() == SpatialReference(wkt: text))
  }

  @Test func `A grid that lies nowhere on the ground is refused in words`() throws {
    let grid = SpatialReference(wkt: #"LOCAL_CS["Site grid",UNIT["Meter",1]]"#)
    #expect(grid.listed() == grid)
    let error = #expect(throws: GeometryError.self) { try Projection(from: grid, to: .wgs84) }
    #expect(
      error?.errorDescription == """
        Coordinates cannot be projected from the spatial reference "Site grid" to the spatial \
        reference with the id 4326: nothing says how one lies in the other.
        """)
  }

  @Test func `What heights refer to is found by an id, in one text and in two`() throws {
    let zone = Self.zone("ETRS_1989_UTM_Zone_32N", meridian: 9)
    let esri = """
      VERTCS["DHHN92",VDATUM["Deutches_Haupthoehennetz_1992"],PARAMETER["Vertical_Shift",0.0],\
      PARAMETER["Direction",1.0],UNIT["Meter",1.0]]
      """
    let ogc = """
      VERT_CS["DHHN92 height",VERT_DATUM["Deutsches Haupthoehennetz 1992",2005],UNIT["metre",1],\
      AXIS["Up",UP]]
      """
    let cases: [(SpatialReference, isIdentified: Bool)] = [
      (SpatialReference(wkid: 5555), true), (SpatialReference(wkt: "\(zone), \(esri)"), false),
      (SpatialReference(wkid: 25_832, wkt: "COMPD_CS[\"both\",\(zone),\(ogc)]"), false),
    ]
    for (reference, isIdentified) in cases {
      let heights = try #require(reference.heightReference())
      #expect(heights.name == "DHHN92 height" && heights.isIdentified == isIdentified)
    }
    let others = [
      SpatialReference.wgs84, SpatialReference(wkid: 25_832), SpatialReference(wkt: zone),
      SpatialReference(wkt: "\(zone), garbage"), SpatialReference(wkt: "\(zone),\(zone)"),
    ]
    for other in others { #expect(other.heightReference() == nil) }
  }
}
