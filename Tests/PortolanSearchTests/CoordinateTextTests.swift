import PortolanGeometry
import Testing

@testable import PortolanSearch

@Suite struct CoordinateTextTests {
  @Test(arguments: [
    "44.3876, -68.2079", "44.3876 -68.2079", "44.3876N 68.2079W", "N44.3876 W68.2079",
    "68.2079W, 44.3876N", "44°23'15.36\"N 68°12'28.44\"W", "44° 23′ 15.36″ N, 68° 12′ 28.44″ W",
    "44 23 15.36 N 68 12 28.44 W", "44°23.256'N 68°12.474'W", "44 23.256 N, 68 12.474 W",
    "44:23:15.36N 68:12:28.44W", "-68 12 28.44 W, 44 23 15.36", "19T 563091 4915229",
    "19T 563091E 4915229N", "19TEK6309115229", "19T EK 63091 15229", "19tek 6309 1522",
    "19 north 563091 4915229", "563091 4915229 19T", "563091E 4915229N 19 T",
    "UTM 19T 563091 4915229", "MGRS 19TEK6309115229", "geo:44.3876,-68.2079;u=20?z=12",
    "lat: 44.3876, lon: -68.2079", "Lat. 44.3876, Long. -68.2079", "Lon.: -68.2079 Lat.: 44.3876",
    "longitude=-68.2079 latitude=44.3876", "44,3876; -68,2079",
    "44,3876 -68,2079", "44,3876° N, 68,2079° W", "44 23 15.36 -68 12 28.44",
    "44°23'15.36\" -68°12'28.44\"", "44 23.256 -68 12.474", "+44.3876-068.2079/",
    "N 44° 23.256' W 068° 12.474'", "44.3876 68.2079W", "44.3876 north, 68.2079 west",
    "44 degrees 23 minutes 15.36 seconds North 68 deg 12 min 28.44 sec West",
    "latitude 44.3876 longitude -68.2079", "442315.36N 0681228.44W", "4423.256N06812.474W",
    "+442315.36-0681228.44/", "N442315.36 W0681228.44", "UTM zone 19T 563091m E 4915229m N",
    "19T E563091 N4915229", "UTM 19T E: 563091 N: 4915229", "zone 19 T, E=563091, N=4915229",
    "19T 4915229N 563091E", "563091m E, 4915229m N, 19T",
    "(44.3876, -68.2079)", "[44.3876, -68.2079]", "44.3876\t-68.2079", "POINT(-68.2079 44.3876)",
    "44-23-15.36N 68-12-28.44W", "N44-23-15.36, W068-12-28.44", "44-23.256N/68-12.474W",
    "44.3876, 291.7921", "44.3876N 291.7921E", "291.7921, 44.3876", "POINT(291.7921 44.3876)",
    "４４．３８７６，　－６８．２０７９", "４４．３８７６Ｎ ６８．２０７９Ｗ",
    "\u{664}\u{664}\u{66B}\u{663}\u{668}\u{667}\u{666}\u{60C} -\u{666}\u{668}\u{66B}\u{662}\u{660}\u{667}\u{669}",
    "\u{6F4}\u{6F4}.\u{6F3}\u{6F8}\u{6F7}\u{6F6}N \u{6F6}\u{6F8}.\u{6F2}\u{6F0}\u{6F7}\u{6F9}W",
    "४४.३८७६, -६८.२०७९",
    "44°\u{A0}23′\u{A0}15.36″\u{A0}N 68°\u{A0}12′\u{A0}28.44″\u{A0}W",
    "44°\u{202F}23′\u{202F}15.36″\u{202F}N, 68°\u{202F}12′\u{202F}28.44″\u{202F}W",
    "44˚23‘15.36“N 68˚12‘28.44“W", "44°23´15.36´´N 68°12´28.44´´W", "44∘23`15.36``N 68∘12`28.44``W",
    "44.3876, \u{2013}68.2079", "44.3876N\u{A0}68.2079W", "\u{200E}44.3876, -68.2079\u{200E}",
    "19T\u{A0}563091\u{A0}4915229", "19T\u{A0}EK\u{A0}63091\u{A0}15229", "44.3876 N,68.2079 W",
    "44d23m15.36s, -68d12m28.44s", "44d23m15.36sN 68d12m28.44sW", "POINT Z (-68.2079 44.3876 7)",
    "44.3876, -68.2079, 12 m", "44.3876 -68.2079 12.5m", "44.3876, 291.7921; -3 ft",
    "44.3876N 68.2079W 40 ft", "44°23'15.36\"N 68°12'28.44\"W, 12 m", "19T 563091 4915229 12 m",
    "44.3876 Nord, 68.2079 West", "44.3876 norte, 68.2079 oeste", "44.3876° nord 68.2079° ouest",
    "44 Grad 23 Minuten 15,36 Sekunden Nord 68 Grad 12 Minuten 28,44 Sekunden West",
    "44.3876 с.ш. 68.2079 з.д.", "44°23'15.36\" с. ш. 68°12'28.44\" з. д.",
    "北緯44.3876 西経68.2079", "北纬44度23分15.36秒，西经68度12分28.44秒",
    "북위 44도 23분 15.36초 서경 68도 12분 28.44초", "X: -68.2079 Y: 44.3876", "x=-68.2079, y=44.3876",
    "X: -68,2079; Y: 44,3876", "19T 563 091 4 915 229",
    "WGS84 44.3876 -68.2079", "WGS 84: 44.3876, -68.2079", "44.3876, -68.2079 (WGS-84)",
    "44.3876, -68.2079, WGS1984", "UTM WGS84 19T 563091 4915229", "(44.3876, -68.2079) wgs84",
    "44.3876,-68.2079,1200", "44.3876, -68.2079, -12.5", "44.3876,-68.2079,120 m",
  ])
  func `Usual forms of one place are found`(_ text: String) throws {
    guard !text.hasPrefix("-68 12 28.44 W") else {
      #expect(CoordinateText(text) == nil)
      return
    }
    let place = try #require(CoordinateText(text)).coordinate
    #expect(abs(place.y - 44.3876) < 2e-4 && abs(place.x + 68.2079) < 2e-4, "\(place)")
  }

  @Test(arguments: [
    ("-33.8568, 151.2153", -33.8568, 151.2153), ("33°51'24.5\"S 151°12'55\"E", -33.8568, 151.2153),
    ("56HLH 34900 52288", -33.8568, 151.2153), ("56 south 334897 6252288", -33.8568, 151.2153),
    ("56S 334897 6252288", -33.8568, 151.2153), ("334897mE 6252288mN 56S", -33.8568, 151.2153),
    ("0, 0", 0, 0), ("151.2153, -33.8568", -33.8568, 151.2153),
    ("33 51 24.5 151 12 55", 33.8568, 151.2153), ("-43.5 170", -43.5, 170), ("-43 170", -43, 170),
    ("-43 170, 1200 m", -43, 170),
  ])
  func `Places of the southern hemisphere are found`(
    _ text: String, _ latitude: Double, _ longitude: Double
  ) throws {
    let place = try #require(CoordinateText(text)).coordinate
    #expect(abs(place.y - latitude) < 1e-3 && abs(place.x - longitude) < 1e-3, "\(place)")
  }

  @Test func `The letter S is the band of that name where its northings are`() throws {
    let place = try #require(CoordinateText("33S 500000 4000000")).coordinate
    #expect(abs(place.x - 15) < 1e-6 && (36..<37).contains(place.y), "\(place)")
  }

  @Test(arguments: [
    ("32V", "KN 97000 00000", Envelope(xMin: 5.1, yMin: 60.2, xMax: 5.6, yMax: 60.6)),
    ("33X", "VH 34000 63000", Envelope(xMin: 11.5, yMin: 78.8, xMax: 12.3, yMax: 79)),
    ("33X", "VH 34000 63000", Envelope(xMin: 10, yMin: 77, xMax: 30, yMax: 80)),
    ("1K", "BA 20000 00000", Envelope(xMin: 178, yMin: -20, xMax: 182.5, yMax: -15)),
  ])
  func `Zones that are wider than others, and those beyond the antimeridian, need not be named`(
    _ zone: String, _ reference: String, _ map: Envelope
  ) throws {
    let whole = try #require(CoordinateText("\(zone) \(reference)")).coordinate
    #expect(CoordinateText(reference, near: map)?.coordinate == whole)
  }

  @Test func `Of two readings of coordinates the one inside the map is meant`() throws {
    let town = Envelope(xMin: -88.3, yMin: 41.6, xMax: -88, yMax: 41.9)
    let pasted = try #require(CoordinateText("-88.118336,41.735276", near: town)).coordinate
    #expect(pasted == Coordinate(x: -88.118336, y: 41.735276))
    let usual = try #require(CoordinateText("41.735276,-88.118336", near: town)).coordinate
    #expect(usual == pasted)
    let elsewhere = try #require(CoordinateText("10, 20", near: town)).coordinate
    #expect(elsewhere == Coordinate(x: 20, y: 10))
    let island = Envelope(xMin: 175, yMin: -20, xMax: 185, yMax: -10)
    let beyond = try #require(CoordinateText("-178.0, -15.0", near: island)).coordinate
    #expect(beyond == Coordinate(x: -178, y: -15))
  }

  @Test(arguments: [
    "geo:44.3876,-68.2079", "GEO:44.3876,-68.2079,12?z=15", "geo:0,0?q=44.3876,-68.2079(Harbor)",
    "https://www.openstreetmap.org/#map=15/44.3876/-68.2079&layers=N",
    "https://www.openstreetmap.org/?mlat=44.3876&mlon=-68.2079#map=3/1/2",
    "https://www.google.com/maps/@44.3876,-68.2079,15z",
    "https://www.google.com/maps/place/Bar+Harbor/@44.3,-68.1,13z/data=!4m5!8m2!3d44.3876!4d-68.2079",
    "https://www.google.com/maps/search/?api=1&query=44.3876%2C-68.2079",
    "https://maps.google.com/?q=loc:44.3876,-68.2079",
    "https://maps.google.com/maps?ll=44.3876,-68.2079&z=9",
    "http://maps.google.com/maps/place/44.3876,-68.2079/",
    "https://www.bing.com/maps?cp=44.3876~-68.2079&lvl=15",
    "https://www.bing.com/maps?sp=point.44.3876_-68.2079_Harbor&cp=1~2",
    "https://maps.apple.com/?q=Harbor&ll=44.3876,-68.2079",
    "https://maps.apple.com/place?address=Main+St&coordinate=44.3876,-68.2079&name=Harbor",
    "https://www.google.com/maps/@?api=1&map_action=pano&viewpoint=44.3876%2C-68.2079",
    "https://www.arcgis.com/apps/mapviewer/index.html?webmap=1&center=-68.2079,44.3876&level=12",
    "  https://example.org/map?center=44.3876,-68.2079  ",
  ])
  func `The place that a link to a map shows is found`(_ text: String) throws {
    let place = try #require(CoordinateText(text)).coordinate
    #expect(place == Coordinate(x: -68.2079, y: 44.3876))
  }

  @Test(arguments: [
    "https://maps.app.goo.gl/AbCdEf123", "https://example.org/?q=Bar+Harbor", "geo:", "geo:91,0",
    "https://www.openstreetmap.org/#map=15/91/0", "http://", "https://example.org/@44.3876",
    "ftp://example.org/@44.3876,-68.2079",
    "https://example.org/?q=" + String(repeating: "1,", count: 5000),
  ])
  func `A link without a place is none`(_ text: String) {
    #expect(CoordinateText(text) == nil)
  }

  @Test(arguments: [
    ("8FVC9G8F+6X", 47.365_562_5, 8.524_937_5), ("4VCPPQGP+Q9", -41.273_062_5, 174.785_937_5),
    ("9c3w9qcj+2vx", 51.370_112_5, -1.217_765_6), ("9QCJ+2VX", 51.370_112_5, -1.217_765_6),
    ("CJ9QCJ+2V", 58.370_062_5, -7.217_812_5), ("J9QCJ+2V", nil, nil), ("9QCJ+2", nil, nil),
    ("9QCJ+A2", nil, nil), ("22+22", nil, nil), ("X8VC9G8F+6X", nil, nil),
  ])
  func `Plus codes are found, also shortened ones that rely on the map's extent`(
    _ text: String, _ latitude: Double?, _ longitude: Double?
  ) throws {
    let near = Envelope(xMin: -1.3, yMin: 51.3, xMax: -1.1, yMax: 51.5)
    guard let latitude, let longitude else {
      #expect(CoordinateText(text, near: near) == nil)
      return
    }
    let place = try #require(CoordinateText(text, near: near)).coordinate
    #expect(abs(place.y - latitude) < 1e-6 && abs(place.x - longitude) < 1e-6, "\(place)")
  }

  @Test(arguments: [
    ("8FVC9G8F+6X Zürich", 47.365_562_5, 8.524_937_5),
    ("9QCJ+2VX Reading, England", 51.370_112_5, -1.217_765_6),
    ("9qcj+2vx, Reading", 51.370_112_5, -1.217_765_6), ("9QCJ+2VX 12", nil, nil),
    ("9QCJ+A2 Reading", nil, nil), ("12+14 Main St", nil, nil),
  ])
  func `A plus code may be followed by the name of its place`(
    _ text: String, _ latitude: Double?, _ longitude: Double?
  ) throws {
    let near = Envelope(xMin: -1.3, yMin: 51.3, xMax: -1.1, yMax: 51.5)
    let place = CoordinateText(text, near: near)?.coordinate
    guard let latitude, let longitude else {
      #expect(place == nil)
      return
    }
    let found = try #require(place)
    #expect(abs(found.y - latitude) < 1e-6 && abs(found.x - longitude) < 1e-6, "\(found)")
    let country = Envelope(xMin: -6, yMin: 50, xMax: 2, yMax: 56)
    // There are many such places in a country: without the town, which is meant is not known.
    #expect((CoordinateText(text, near: country) == nil) == text.lowercased().hasPrefix("9q"))
  }

  @Test(arguments: ["EK 63091 15229", "ek6309115229", "EK 630 152"])
  func `The zone of a grid reference may be left out near the map`(_ text: String) throws {
    let island = Envelope(xMin: -68.5, yMin: 44.2, xMax: -68, yMax: 44.5)
    let place = try #require(CoordinateText(text, near: island)).coordinate
    #expect(abs(place.y - 44.3876) < 1e-3 && abs(place.x + 68.2079) < 1e-3, "\(place)")
    let elsewhere = Envelope(xMin: -88.3, yMin: 41.6, xMax: -88, yMax: 41.9)
    #expect(CoordinateText(text, near: elsewhere) == nil)
    #expect(CoordinateText(text) == nil)
  }

  @Test(arguments: ["31UDQ", "31U DQ"]) func `A whole square may be named`(_ text: String) throws {
    let place = try #require(CoordinateText(text)).coordinate
    #expect(abs(place.x - 2.31) < 0.02 && abs(place.y - 49.21) < 0.02, "\(place)")
  }

  @Test(arguments: [
    "", "12", "12 Main St", "91, 0", "0, 181", "44 61 0 N 68 0 0 W", "44.5 30 N 68 W", "1,2,3",
    "12 14", "12-45", "12-45-30, 13-20-10", "-12-45N 13W", "12, 200", "12.5, 361.5", "１２",
    "12 34 56 78", "555 1234", "Lat 5", "41 46 13 8 88", "61T 563091 4915229",
    "11 gar", "2000 N 3000 W", "446115N 0680000W", "11 Garden Road 2, Northfield", "+1-555-1234",
    "19I 563091 4915229", "19TEW 1 1", "19TEJ 123", "N, W", ",", "--1, 2", "1e5, 3",
    "1,000", "12,050", "2222+22", "EK 63 15", "WGS84", "WGS 84 m", "12, 1200 m",
    "X 12 Y 34", "24/7", "12 / 14", "x: 12 y", "улица 12, 34", "5 км от 12", "1丁目2番3号",
    "12 m", "12 5 ft", "- 12 14", "-43", "1.5,2,3", "1.5,2.5,", "1.5,2.5,3,4", "1.5,2.5,3-4",
    "nan, nan", String(repeating: "1", count: 5000),
  ])
  func `Text that is no coordinate is not taken for one`(_ text: String) {
    #expect(CoordinateText(text) == nil)
  }
}
