import PortolanTestSupport
import Testing

@testable import PortolanGeometry

@Suite struct SpatialReferenceTests {
  static let geographicText = """
    GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],\
    PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]
    """
  static let mercatorText = """
    PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",\(geographicText),\
    PROJECTION["Mercator_Auxiliary_Sphere"],PARAMETER["False_Easting",0.0],\
    PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",0.0],\
    PARAMETER["Standard_Parallel_1",0.0],PARAMETER["Auxiliary_Sphere_Type",0.0],\
    UNIT["Meter",1.0]]
    """
  static let verticalText = """
    VERTCS["WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],\
    PARAMETER["Vertical_Shift",0.0],PARAMETER["Direction",1.0],UNIT["Meter",1.0]]
    """
  static let stateText = """
    PROJCS["NAD_1983_StatePlane_Maine_East_FIPS_1801_Feet",GEOGCS["GCS_North_American_1983",\
    DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],\
    PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],\
    PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",984250.0],\
    PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-68.5],\
    PARAMETER["Scale_Factor",0.9999],PARAMETER["Latitude_Of_Origin",43.66666666666666],\
    UNIT["Foot_US",0.3048006096012192]]
    """

  @Test(arguments: [
    geographicText, geographicText + "," + verticalText,
    """
    GEOGCRS["WGS 84",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,\
    298.257223563]],CS[ellipsoidal,2],AXIS["longitude",east],AXIS["latitude",north],\
    ANGLEUNIT["degree",0.0174532925199433]]
    """,
  ])
  func `WGS 84 is known by its text`(_ text: String) {
    let reference = SpatialReference(wkt: text)
    #expect(reference.identified().isWGS84)
    #expect(reference.identified().wkt == text)
    #expect(reference.currentWKID == nil)
  }

  @Test(arguments: [mercatorText, mercatorText + "," + verticalText])
  func `Web Mercator is known by its text`(_ text: String) throws {
    let reference = SpatialReference(wkt: text)
    #expect(reference.identified().isWebMercator)
    #expect(try Projection(from: reference, to: .webMercator).isIdentity)
  }

  @Test(arguments: [(5703, false), (4978, false), (7415, true), (25_832, true)])
  func `Heights alone, and distances from the middle of the earth, are no reference of a map`(
    _ id: Int, _ isListed: Bool
  ) {
    #expect((SpatialReference(wkid: id).registered() != nil) == isListed)
  }

  @Test func `Other texts, and damaged ones, stay as they are`() {
    for text in [Self.stateText, "", "GEOGCS[", "nonsense", "+proj=merc", "EPSG:4326"] {
      let reference = SpatialReference(wkt: text)
      #expect(reference.identified() == reference)
    }
  }

  @Test func `A text says as much as an id`() throws {
    let byText = try Projection(from: .wgs84, to: SpatialReference(wkt: Self.stateText))
    let byID = try Projection(from: .wgs84, to: SpatialReference(wkid: 102_683))
    let portland = Coordinate(x: -69.7795, y: 44.3106)
    let (text, id) = (try byText.project(portland), try byID.project(portland))
    #expect(abs(text.x - id.x) < 10 && abs(text.y - id.y) < 10)
  }

  @Test func `Every prefix of a text is an error or a reference`() {
    for count in stride(from: 0, to: Self.stateText.count, by: 7) {
      let reference = SpatialReference(wkt: String(Self.stateText.prefix(count)))
      #expect(throws: GeometryError.self) { try Projection(from: .wgs84, to: reference) }
    }
  }

  @Test(arguments: [
    (SpatialReference.wgs84, true, "degree", 111_319.490_793_273_58),
    (.webMercator, false, "metre", 1),
    (SpatialReference(wkid: 4269), true, "degree", 111_319.490_793_273_58),
    (SpatialReference(wkid: 26912), false, "metre", 1),
    (SpatialReference(wkid: 2229), false, "US survey foot", 0.304_800_609_601_219_2),
    (SpatialReference(wkt: stateText), false, "US survey foot", 0.304_800_609_601_219_2),
  ])
  func `The unit is known`(
    _ reference: SpatialReference, _ isGeographic: Bool, _ unit: String, _ meters: Double
  ) throws {
    let properties = try reference.properties()
    #expect(properties.isGeographic == isGeographic)
    #expect(properties.unitName.lowercased() == unit.lowercased())
    #expect(abs(properties.metersPerUnit - meters) < 1e-9 * meters)
    #expect(!properties.name.isEmpty)
  }

  /// Levels of the tile schemes of ArcGIS Online.
  @Test(arguments: [
    (SpatialReferenceProperties.webMercator, 156_543.033_928, 591_657_527.591_555),
    (.webMercator, 4.777_314_267_948_769, 18_055.954_822_1),
    (.wgs84, 0.703_125, 295_828_763.795_777_5),
  ])
  func `Scale and resolution say the same`(
    _ properties: SpatialReferenceProperties, _ resolution: Double, _ scale: Double
  ) {
    #expect(abs(properties.scale(forResolution: resolution) / scale - 1) < 1e-8)
    #expect(abs(properties.resolution(forScale: scale) / resolution - 1) < 1e-8)
  }
}

@Suite struct SpatialReferenceTextTests {
  @Test(arguments: [
    (4326, "GEOGCS[\"GCS_WGS_1984\""), (26_912, "PROJCS[\"NAD_1983_UTM_Zone_12N\""),
    (2056, "PROJCS[\"CH1903+_LV95\""), (102_008, "PROJCS[\"North_America_Albers"),
  ]) func `A reference is written in the text of Esri`(_ id: Int, _ beginning: String) throws {
    let text = try SpatialReference(wkid: id).esriWellKnownText()
    #expect(text.hasPrefix(beginning))
    #expect(!text.contains("\n"))
  }

  @Test func `A reference that has a text keeps it`() throws {
    #expect(try SpatialReference(wkid: 4326, wkt: "GEOGCS[…]").esriWellKnownText() == "GEOGCS[…]")
  }

  @Test func `An unregistered id is an error`() {
    #expect(throws: GeometryError.self) {
      try SpatialReference(wkid: 999_999).esriWellKnownText()
    }
  }
}
