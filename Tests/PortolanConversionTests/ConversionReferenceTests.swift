import Foundation
import PortolanFeatures
import PortolanGeoPackage
import PortolanGeodatabase
import PortolanGeometry
import PortolanJSON
import PortolanTestSupport
import PortolanTiles
import Testing

@testable import PortolanConversion

/// The spatial reference of the files that conversions write, and that may be requested of them.
@Suite(.temporaryDirectory) struct ConversionReferenceTests {
  private let tables = TableFileConversionTests()

  @Test(arguments: [
    ("things.shp", true), ("things.fgb", true), ("things.gpkg", true),
    ("things.geodatabase", true), ("things.geojson", false), ("things.csv", false),
  ])
  func `Formats that say what coordinates mean keep those of the layer, the others get degrees`(
    _ name: String, _ keeps: Bool
  ) async throws {
    let place = Point(x: 1_113_194.907_932_735_7, y: 0)
    let store = TableFileConversionTests.store(.point, [.point(place)])
    let cases: [(Conversion.Coordinates?, isNative: Bool)] = [
      (nil, keeps), (.native, true), (.wgs84, false),
    ]
    for (asked, isNative) in cases {
      let (url, result) = try await tables.convert(store, to: name) { $0.coordinates = asked }
      #expect(result.failureCount == 0)
      let (reference, point) = try await Self.first(in: url)
      let isSilent = name.hasSuffix(".csv") && isNative
      #expect(
        isSilent
          ? reference == nil
          : isNative ? reference?.isWebMercator == true : reference?.isWGS84 == true)
      // A geodatabase keeps whole steps of a tenth of a millimetre.
      let tolerance = isNative && name.hasSuffix(".geodatabase") ? 1e-4 : 1e-6
      #expect(abs((point?.x ?? .nan) - (isNative ? place.x : 10)) < tolerance)
      #expect(result.notes.contains { $0.contains("which the file cannot say") } == isSilent)
    }
  }

  /// The spatial reference of the only table, and its first point.
  private static func first(in url: URL) async throws -> (SpatialReference?, Point?) {
    let store: any FeatureStore =
      switch url.pathExtension {
      case "shp": try await TableFile.shapefile(at: url)
      case "fgb": try await TableFile.flatGeobuf(at: url)
      case "gpkg": try GeoPackage.open(at: url)
      case "geodatabase": try Geodatabase.open(at: url)
      case "csv": try await TableFile.csv(at: url)
      default: try await GeoJSONFile.open(at: url)
      }
    let schema = try #require(try await store.schemas().first)
    let feature = try await store.features(in: schema.name, matching: .init()).collect().first
    guard case .point(let point)? = feature?.geometry else { return (nil, nil) }
    return (schema.spatialReference, point)
  }

  @Test(.needsGDAL, arguments: ["things.shp", "things.fgb", "things.gpkg"])
  func `GDAL finds a layer where it was, in its own spatial reference`(
    _ name: String
  ) async throws {
    let utm = SpatialReference(wkid: 32_619, latestWKID: 32_619)
    let store = TableFileConversionTests.store(
      .point, [.point(Point(x: 419_825, y: 4_872_358))], in: utm)
    let (url, _) = try await tables.convert(store, to: name) { $0.coordinates = nil }
    let copy = temporaryDirectory.appending(path: "degrees.geojson")
    let paths = [copy, url].map { $0.path(percentEncoded: false) }
    let summary = try GDAL.run(["ogrinfo", "-so", "-al", paths[1]])
    #expect(summary.contains("UTM zone 19N") || summary.contains("UTM_Zone_19N"), "\(summary)")
    _ = try GDAL.run(["ogr2ogr", "-f", "GeoJSON", "-t_srs", "EPSG:4326", paths[0], paths[1]])
    let json = try JSONValue(parsing: try Data(contentsOf: copy))
    let place = json["features"]?.array?.first?["geometry"]?["coordinates"]?.array ?? []
    #expect(place.count == 2)
    #expect(abs((place.first?.double ?? 0) + 69.99) < 0.1)
    #expect(abs((place.last?.double ?? 0) - 44.0) < 0.1)
  }

  @Test(arguments: [
    "things.shp", "things.fgb", "things.gpkg", "things.geodatabase", "things.geojson", "things.csv",
  ])
  func `Coordinates are projected to the requested spatial reference`(
    _ name: String
  ) async throws {
    let store = TableFileConversionTests.store(
      .point, [.point(Point(x: -70, y: 44))], in: .wgs84)
    let utm = SpatialReference(wkid: 32_619)
    let (url, result) = try await tables.convert(store, to: name) {
      $0.coordinates = .reference(utm)
    }
    #expect(result.failureCount == 0)
    let (reference, point) = try await Self.first(in: url)
    let isSilent = name.hasSuffix(".csv")
    // A .prj says it in words alone.
    let isUTM = reference?.currentWKID == 32_619 || reference?.wkt?.contains("19N") == true
    #expect(isSilent ? reference == nil : isUTM)
    // As GDAL's gdaltransform says.
    #expect(abs((point?.x ?? .nan) - 419_825.740157) < 1e-3)
    #expect(abs((point?.y ?? .nan) - 4_872_358.885429) < 1e-3)
    #expect(
      result.notes.contains { $0.contains("of the spatial reference 32619, which the file") }
        == isSilent)
  }

  @Test(arguments: ["things.geojson", "things.csv"])
  func
    `Texts have degrees that were computed without noise, and those of the layer to the last bit`(
      _ name: String
    ) async throws
  {
    // To a tenth of a millimetre, as geodatabases keep them.
    let metres = Point(x: -7_738_930.999_9, y: 5_480_930.477_5)
    let (computed, _) = try await tables.convert(
      TableFileConversionTests.store(.point, [.point(metres)]), to: name
    ) { $0.coordinates = .wgs84 }
    let (_, point) = try await Self.first(in: computed)
    #expect(point?.x == -69.52 && point?.y == 44.1)
    let degrees = Point(x: -69.519_999_999_565_41, y: 44.123_456_789_012_34)
    let (kept, _) = try await tables.convert(
      TableFileConversionTests.store(.point, [.point(degrees)], in: .wgs84), to: "kept-" + name)
    let (_, same) = try await Self.first(in: kept)
    #expect(same?.x == degrees.x && same?.y == degrees.y)
  }

  @Test(arguments: [nil, "", "garbage", "PROJCS[\"cut", "GEOGCS[\"x\"]"] as [String?])
  func `Coordinates in an unknown reference are not projected, and copied with a note`(
    _ projection: String?
  ) async throws {
    let read = try await unplaced(projection)
    let isNamed = projection?.isEmpty == false
    let definition = (read as? any SurveyedStore)?.unknownReference
    let fault = "\"things.prj\" defines no spatial reference that is known"
    #expect((definition?.fact == fault) == isNamed)
    let wanted = ConversionError.unplacedCoordinates(table: "things", definition: definition)
    #expect(wanted.errorDescription?.contains("things.prj") == isNamed)
    for name in ["a.geojson", "a.csv", "a.gpkg", "a.geodatabase", "a.fgb", "a.shp"] {
      await #expect(throws: wanted) {
        try await tables.convert(read, to: name) { $0.coordinates = .wgs84 }
      }
      let (copy, result) = try await tables.convert(read, to: name) { $0.coordinates = nil }
      // GeoJSON has degrees where it does not say otherwise.
      let (reference, point) = try await Self.first(in: copy)
      #expect((reference == nil) == (name != "a.geojson") && point?.x == 419_825, "\(name)")
      #expect(result.failureCount == 0 && result.tables.map(\.writtenCount) == [1])
      #expect(result.notes.contains { $0.contains("\"things.prj\" defines no") } == isNamed)
      #expect(
        result.notes.contains { $0.contains("what the coordinates of \"things\" mean") }
          == (name == "a.geojson" || name == "a.csv"))
    }
    let (_, known) = try await tables.convert(
      TableFileConversionTests.store(.point, [nil]), to: "known.geojson"
    ) { $0.coordinates = .wgs84 }
    #expect(!known.notes.contains { $0.contains("Nothing says") })
  }

  @Test(arguments: ["a.fgb", "a.gpkg"])
  func `Degrees with heights keep their number, though no definition in files can hold them`(
    _ name: String
  ) async throws {
    let store = TableFileConversionTests.store(
      .point, [.point(Point(x: 9, y: 50, z: 33))], in: SpatialReference(wkid: 4979))
    let (url, _) = try await tables.convert(store, to: name) { $0.coordinates = nil }
    #expect(try await Self.first(in: url).0?.currentWKID == 4979)
  }

  /// In the later form of well-known text, as FlatGeobuf files of GDAL have it.
  private static let ownGrid = """
    PROJCRS["own",BASEGEOGCRS["x",DATUM["y",ELLIPSOID["Bessel 1841",6377397.155,299.1528128]]],\
    CONVERSION["z",METHOD["Transverse Mercator",ID["EPSG",9807]],\
    PARAMETER["Latitude of natural origin",0,ANGLEUNIT["degree",0.0174532925199433]],\
    PARAMETER["Longitude of natural origin",9.5,ANGLEUNIT["degree",0.0174532925199433]],\
    PARAMETER["Scale factor at natural origin",1,SCALEUNIT["unity",1]],\
    PARAMETER["False easting",3500000,LENGTHUNIT["metre",1]],\
    PARAMETER["False northing",0,LENGTHUNIT["metre",1]]],\
    CS[Cartesian,2],AXIS["(E)",east],AXIS["(N)",north],LENGTHUNIT["metre",1]]
    """
  private static let boundGrid = """
    BOUNDCRS[SOURCECRS[\(ownGrid)],TARGETCRS[GEOGCRS["WGS 84",\
    DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563]],\
    CS[ellipsoidal,2],AXIS["latitude",north],AXIS["longitude",east],\
    ANGLEUNIT["degree",0.0174532925199433],ID["EPSG",4326]]],\
    ABRIDGEDTRANSFORMATION["to WGS 84",METHOD["Geocentric translations (geog2D domain)",\
    ID["EPSG",9603]],PARAMETER["X-axis translation",598.1,ID["EPSG",8605]],\
    PARAMETER["Y-axis translation",73.7,ID["EPSG",8606]],\
    PARAMETER["Z-axis translation",418.2,ID["EPSG",8607]]]]
    """

  @Test(arguments: [ownGrid, boundGrid])
  func
    `A definition in the later form is kept by FlatGeobuf, and is put into the older one in a .prj`(
      _ text: String
    ) async throws
  {
    let place: [Geometry?] = [.point(Point(x: 3_500_000, y: 5_500_000))]
    let store = TableFileConversionTests.store(.point, place, in: SpatialReference(wkt: text))
    let (url, _) = try await tables.convert(store, to: "own.fgb") { $0.coordinates = nil }
    let read = try await TableFile.flatGeobuf(at: url)
    #expect((read as? any SurveyedStore)?.unknownReference == nil)
    let (degrees, _) = try await tables.convert(read, to: "degrees.geojson") {
      $0.coordinates = .wgs84
    }
    let (_, point) = try await Self.first(in: degrees)
    #expect(abs((point?.x ?? 0) - 9.5) < 0.01 && abs((point?.y ?? 0) - 49.63) < 0.03)
    let (copy, result) = try await tables.convert(read, to: "own.shp") { $0.coordinates = nil }
    let file = copy.deletingPathExtension().appendingPathExtension("prj")
    #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("PROJCS["))
    #expect(!result.notes.contains { $0.contains("the file cannot say") })
  }

  @Test func `A reference that a .prj cannot define is said to be missing`() async throws {
    let store = TableFileConversionTests.store(
      .point, [.point(Point(x: 1, y: 2))], in: SpatialReference(wkid: 4978))
    let (_, result) = try await tables.convert(store, to: "deep.shp") { $0.coordinates = nil }
    #expect(result.notes.contains { $0.contains("the file cannot say") })
  }

  @Test func `Nothing of a shapefile that is replaced stays beside the new one`() async throws {
    let place: [Geometry?] = [.point(Point(x: 1, y: 2))]
    let (url, _) = try await tables.convert(
      TableFileConversionTests.store(.point, place), to: "old.shp")
    let stem = url.deletingPathExtension()
    for ending in ["qix", "sbn", "sbx", "PRJ", "txt"] {
      try Data("old".utf8).write(to: stem.appendingPathExtension(ending))
    }
    let (_, result) = try await tables.convert(
      TableFileConversionTests.store(.point, place, in: nil), to: "old.shp")
    #expect(result.tables.map(\.writtenCount) == [1])
    let left = try filesLeft().filter { $0.hasPrefix("old.") }
    #expect(left == ["old.cpg", "old.dbf", "old.shp", "old.shx", "old.txt"])
    #expect(try await TableFile.shapefile(at: url).schemas().first?.spatialReference == nil)
  }

  @Test func `Nothing beside a shapefile goes before the new one is in its place`() async throws {
    let place: [Geometry?] = [.point(Point(x: 1, y: 2))]
    let unplaced = TableFileConversionTests.store(.point, place, in: nil)
    // Nothing takes the place of a folder.
    let folder = temporaryDirectory.appending(path: "old.dbf")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let projection = temporaryDirectory.appending(path: "old.prj")
    try Data("old".utf8).write(to: projection)
    let kept = temporaryDirectory.appending(path: "old.sbn")
    try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
    await #expect(throws: (any Error).self) { try await tables.convert(unplaced, to: "old.shp") }
    #expect(try Data(contentsOf: projection) == Data("old".utf8))
    try FileManager.default.removeItem(at: folder)
    _ = try await tables.convert(unplaced, to: "old.shp")
    // A folder is no index of shapes.
    #expect(
      try filesLeft().filter { $0.hasPrefix("old.") }
        == ["old.cpg", "old.dbf", "old.sbn", "old.shp", "old.shx"])
  }

  /// A point of the zone 19 as a shapefile has it, with another `.prj`, or none.
  private func unplaced(_ projection: String?) async throws -> any FeatureStore {
    let (url, _) = try await tables.convert(
      TableFileConversionTests.store(.point, [.point(Point(x: 419_825, y: 4_872_358))]),
      to: "things.shp")
    let file = url.deletingPathExtension().appendingPathExtension("prj")
    try FileManager.default.removeItem(at: file)
    if let projection { try Data(projection.utf8).write(to: file) }
    return try await TableFile.shapefile(at: url)
  }

  @Test(arguments: [nil, "garbage"] as [String?])
  func `What coordinates mean can be said of a file that does not say it`(
    _ projection: String?
  ) async throws {
    let read = try await unplaced(projection)
    let utm = SpatialReference(wkid: 32_619)
    let (copy, result) = try await tables.convert(read, to: "degrees.geojson") {
      $0.coordinates = .wgs84
      $0.sourceReference = utm
      $0.extent = Envelope(xMin: -71, yMin: 43, xMax: -69, yMax: 45)
    }
    #expect(!result.notes.contains { $0.contains("Nothing says") || $0.contains(".prj") })
    let (_, point) = try await Self.first(in: copy)
    // As GDAL's gdaltransform says.
    #expect(abs((point?.x ?? .nan) + 69.99) < 0.1 && abs((point?.y ?? .nan) - 44) < 0.1)
    let (kept, _) = try await tables.convert(read, to: "kept.gpkg") {
      $0.coordinates = nil
      $0.sourceReference = utm
    }
    let (reference, same) = try await Self.first(in: kept)
    #expect(reference?.currentWKID == 32_619 && same?.x == 419_825)
    // It holds whatever the file says.
    let (moved, _) = try await tables.convert(
      TableFileConversionTests.store(.point, [.point(Point(x: 1, y: 2))]), to: "moved.gpkg"
    ) { $0.sourceReference = .wgs84 }
    #expect(try await Self.first(in: moved).0?.isWGS84 == true)
  }

  @Test(
    arguments: [
      ("a.shp", true, false), ("a.gpkg", false, true), ("a.fgb", false, true),
      ("a.geodatabase", false, false), ("a.geojson", false, true), ("a.csv", true, true),
    ])
  func `What heights refer to is said where the file does not name it`(
    _ name: String, _ losesID: Bool, _ losesText: Bool
  ) async throws {
    let places: [Geometry?] = [.point(Point(x: 419_825, y: 4_872_358, z: 9))]
    let zone = SpatialReference(wkid: 25_832)
    let heights = """
      VERTCS["DHHN92",VDATUM["Deutches_Haupthoehennetz_1992"],\
      PARAMETER["Vertical_Shift",0.0],PARAMETER["Direction",1.0],UNIT["Meter",1.0]]
      """
    // As Esri's software and GDAL write it beside shapefiles.
    let text = try zone.esriWellKnownText() + "," + heights
    let references = [
      (SpatialReference(wkid: 5555), losesID),
      (SpatialReference(wkid: 25_832, latestWKID: 25_832, wkt: text), losesText), (zone, false),
    ]
    for (reference, isLost) in references {
      let store = TableFileConversionTests.store(.point, places, in: reference)
      let (_, result) = try await tables.convert(store, to: name)
      #expect(result.notes.contains { $0.contains("refer to \"DHHN92") } == isLost)
      let (_, projected) = try await tables.convert(store, to: name) { $0.coordinates = .wgs84 }
      #expect(
        projected.notes.contains { $0.contains("refer to \"DHHN92") } == (reference != zone))
    }
    let flat = TableFileConversionTests.store(
      .point, [.point(Point(x: 419_825, y: 4_872_358))], in: SpatialReference(wkid: 5555))
    let (_, result) = try await tables.convert(flat, to: name)
    #expect(!result.notes.contains { $0.contains("refer to") })
  }

  @Test func `No box in degrees is made around coordinates in an unknown reference`() async throws {
    let places: [Geometry?] = [.point(Point(x: 419_825, y: 4_872_358))]
    await #expect(throws: ConversionError.unplacedExtent(table: "things")) {
      try await tables.convert(TableFileConversionTests.store(.point, places, in: nil), to: "a.csv")
      {
        $0.extent = Envelope(xMin: 0, yMin: 0, xMax: 1, yMax: 1)
      }
    }
  }

  @Test func `An option without meaning for a source is refused`() async throws {
    let store = TableFileConversionTests.store(.point, [nil])
    let levels = ConversionError.meaningless(.levels, source: "things.x", holding: .features)
    await #expect(throws: levels) {
      try await tables.convert(store, to: "a.csv") { $0.levels = 3...3 }
    }
    let rows = FeatureTableSchema(name: "rows", fields: [Field("OBJECTID", .objectID)])
    let table = InMemoryFeatureStore([FeatureTableContents(schema: rows, features: [])])
    let extent = ConversionError.meaningless(
      .extent, source: "things.x", holding: .rowsWithoutShapes)
    await #expect(throws: extent) {
      try await tables.convert(table, to: "a.csv") {
        $0.coordinates = nil
        $0.extent = Envelope(xMin: 0, yMin: 0, xMax: 1, yMax: 1)
      }
    }
    let coordinates = ConversionError.meaningless(
      .coordinates, source: "things.x", holding: .rowsWithoutShapes)
    await #expect(throws: coordinates) { try await tables.convert(table, to: "a.csv") }
    let source = InMemoryTileSource(
      info: TileSourceInfo(name: "t", scheme: .webMercator, levels: 0...3, declaredFormat: "PNG"),
      tiles: [:])
    var rowsOnly = Conversion.Parameters()
    rowsOnly.whereClause = "a = 1"
    let native = Conversion.Parameters(coordinates: .native)
    var placed = Conversion.Parameters()
    placed.sourceReference = .wgs84
    let cases: [(Conversion.Parameters, ConversionError.Choice)] = [
      (rowsOnly, .rows), (native, .coordinates), (placed, .coordinates),
    ]
    for (parameters, choice) in cases {
      let conversion = try Conversion(
        of: .tiles([source]), at: URL(filePath: "/nowhere/t.x"),
        to: temporaryDirectory.appending(path: "t.pmtiles"), parameters)
      await #expect(
        throws: ConversionError.meaningless(choice, source: "t.x", holding: .tiles)
      ) { try await conversion.run() }
    }
  }
}
