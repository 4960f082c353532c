import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanTestSupport
import PortolanTileFiles
import PortolanTiles
import Testing

@testable import PortolanConversion

/// Vector tiles made of features, held against GDAL's reader and the `pmtiles` of PyPI.
@Suite(.temporaryDirectory) struct VectorTileConversionTests {
  private static let fields: [Field] = [
    Field("OBJECTID", .objectID), Field("NAME", .string), Field("RANK", .integer),
    Field("SIZE", .double), Field("NOTE", .string),
  ]

  private static func feature(_ id: Int64, _ geometry: Geometry?) -> Feature {
    Feature(
      objectID: id,
      attributes: Attributes(
        FieldList(fields),
        [
          .integer(id), .text("Näme \(id % 7)"), .integer(id % 5 - 2), .double(Double(id) / 4),
          .null,
        ]), geometry: geometry)
  }

  /// Shapes around 0,0 in degrees.
  private static func layer(
    _ name: String, _ type: GeometryType, count: Int, _ shape: (Double, Double) -> Geometry
  ) -> VectorTileConversion.Layer {
    let schema = FeatureTableSchema(
      name: name, geometryType: type, spatialReference: .wgs84, fields: fields)
    let side = Int(Double(count).squareRoot().rounded(.up))
    let step = 20 / Double(side)
    let features = (0..<count).map { number -> Feature in
      let (column, row) = (Double(number % side), Double(number / side))
      return feature(Int64(number + 1), shape(column * step - 10, row * step - 10))
    }
    let store = InMemoryFeatureStore([FeatureTableContents(schema: schema, features: features)])
    return VectorTileConversion.Layer(name, store: store, schema: schema)
  }

  private static let points = layer("points", .point, count: 400) { x, y in
    .point(Point(x: x, y: y))
  }
  private static let lines = layer("lines", .polyline, count: 100) { x, y in
    .polyline(
      Polyline(paths: [
        Path([
          Coordinate(x: x, y: y), Coordinate(x: x + 1, y: y + 0.5), Coordinate(x: x + 1.5, y: y),
        ])
      ]))
  }
  /// Squares of a degree and a half with a hole of half a degree.
  private static let areas = layer("areas", .polygon, count: 100) { x, y in
    let hole = Envelope(xMin: x + 0.5, yMin: y + 0.5, xMax: x + 1, yMax: y + 1)
    return .polygon(
      Polygon(
        arranging: Envelope(xMin: x, yMin: y, xMax: x + 1.5, yMax: y + 1.5).polygon.rings
          + hole.polygon.rings))
  }

  private func write(
    _ layers: [VectorTileConversion.Layer], _ ending: String, levels: ClosedRange<Int> = 0...6,
    _ change: (inout VectorTileConversion.Parameters) -> Void = { _ in }
  ) async throws -> (URL, ConversionResult) {
    let url = temporaryDirectory.appending(path: "tiles.\(ending)")
    var parameters = VectorTileConversion.Parameters(
      name: "Test", levels: levels, replacesTarget: true)
    change(&parameters)
    let conversion = try VectorTileConversion(
      layers, from: URL(filePath: "/nowhere/source"), to: url, parameters)
    return (url, try await conversion.run())
  }

  private func collection(_ url: URL, _ layer: String, level: Int) throws -> JSONValue {
    let path = temporaryDirectory.appending(path: "\(layer)-\(level).geojson")
      .path(percentEncoded: false)
    let result = try Tool.run(
      "ogr2ogr", "-f", "GeoJSON", "-oo", "ZOOM_LEVEL=\(level)", "-oo", "CLIP=YES",
      "-t_srs", "EPSG:4326", path, url.path(percentEncoded: false), layer)
    #expect(result.status == 0, "\(result.errors)")
    return try JSONValue(parsing: try Data(contentsOf: URL(filePath: path)))
  }

  @Test(.needsTool("ogr2ogr")) func `GDAL reads all features with all fields`() async throws {
    let (url, result) = try await write([Self.points, Self.lines, Self.areas], "mbtiles")
    #expect(result.isComplete && result.tables.map(\.writtenCount) == [400, 100, 100])
    for (layer, count) in [("points", 400), ("lines", 100), ("areas", 100)] {
      let features = try collection(url, layer, level: 6)["features"]?.array ?? []
      // A feature is in every tile that it reaches; its id says that it is one.
      let ids = Set(features.compactMap { $0["properties"]?["mvt_id"]?.int ?? $0["id"]?.int })
      #expect(ids.count == count, "\(layer)")
      let third = features.first { ($0["properties"]?["mvt_id"]?.int ?? $0["id"]?.int) == 3 }
      let properties = try #require(third?["properties"])
      #expect(properties["NAME"]?.string == "Näme 3")
      #expect(properties["RANK"]?.double == 1 && properties["SIZE"]?.double == 0.75)
      #expect(properties["NOTE"]?.isNull ?? true)
    }
  }

  @Test(.needsTool("ogr2ogr")) func `Areas keep their size and their holes, cut at tiles`()
    async throws
  {
    let (url, _) = try await write([Self.areas], "mbtiles")
    for level in [4, 6] {
      let features = try collection(url, "areas", level: level)["features"]?.array ?? []
      let sum = try features.reduce(0.0) { sum, feature in
        guard let geometry = feature["geometry"] else { return sum }
        return sum + Self.area(try Geometry(geoJSON: geometry))
      }
      // A hundred squares of 2.25 square degrees without their holes of 0.25.
      #expect(abs(sum - 200) < 200 * 0.02, "level \(level): \(sum)")
    }
  }

  private static func area(_ geometry: Geometry) -> Double {
    guard case .polygon(let polygon) = geometry else { return 0 }
    return polygon.rings.reduce(0) { sum, ring in
      let points = ring.coordinates
      var area = 0.0
      for (start, end) in zip(points, points.dropFirst()) {
        area += start.x * end.y - end.x * start.y
      }
      return sum + area / 2
    }
  }

  @Test(.needsPython("pmtiles")) func `The program of the format's makers reads the archive`()
    async throws
  {
    let (url, _) = try await write([Self.points, Self.areas], "pmtiles")
    let script = """
      import gzip, json, sys
      from pmtiles.reader import Reader, MmapSource
      with open(sys.argv[1], "rb") as f:
          r = Reader(MmapSource(f))
          h = r.header()
          tile = gzip.decompress(r.get(0, 0, 0))
          print(json.dumps([h["min_zoom"], h["max_zoom"], h["tile_type"].name,
            sorted(l["id"] for l in r.metadata()["vector_layers"]), len(tile) > 100]))
      """
    let result = try Tool.run("python3", "-c", script, url.path(percentEncoded: false))
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output.trimmingCharacters(in: .whitespacesAndNewlines)
        == #"[0, 6, "MVT", ["areas", "points"], true]"#)
  }

  @Test func `A row that cannot be read is left out of the tiles, and listed`() async throws {
    let store = FragileStore(10, damaged: [3])
    let schema = try #require(try await store.schemas().first)
    let layer = VectorTileConversion.Layer("rows", store: store, schema: schema)
    let (_, result) = try await write([layer], "pmtiles")
    #expect(result.failures.map(\.item) == ["row 3"])
    #expect(result.tables.map(\.writtenCount) == [9])
  }

  @Test func `A package holds the style and every tile above another`() async throws {
    var style = VectorTileStyleWriter(source: "esri")
    style.add(StyledTileLayer("areas", schema: Self.areas.schema, drawingInfo: DrawingInfo()))
    let json = style.json(sourceURL: "../../", name: "Test")
    let (url, result) = try await write([Self.areas], "vtpk", levels: 3...5) { $0.style = json }
    let package = try VectorTilePackage.open(url)
    #expect(try package.style() == json)
    #expect(
      package.info.levels == 0...5 && result.tileSets[0].counts.keys.sorted() == [0, 1, 2, 3, 4, 5])
    #expect(result.notes.contains { $0.contains("has all levels from 0") })
    #expect(try package.tileMap()?.contains(TileID(level: 0, row: 0, column: 0)) == true)
  }

  @Test func `Files do not depend on how many tasks make them`() async throws {
    var files: [Data] = []
    for concurrency in [1, 4] {
      let (url, _) = try await write([Self.points, Self.lines, Self.areas], "pmtiles") {
        $0.concurrency = concurrency
      }
      files.append(try Data(contentsOf: url))
    }
    #expect(files[0] == files[1])
  }

  @Test func `Tiles keep within their limits, and say what they leave out`() async throws {
    let (url, result) = try await write([Self.points], "pmtiles", levels: 0...3) {
      $0.limits.featureCount = 50
      $0.limits.size = 900
    }
    #expect(result.notes.contains { $0.contains("too large") })
    let archive = try PMTilesFile.open(url)
    var sizes: [Int] = []
    for try await id in archive.tileIDs {
      sizes.append(try archive.tile(at: id)?.data.count ?? 0)
    }
    #expect(!sizes.isEmpty && sizes.allSatisfy { $0 <= 900 })
  }

  @Test func `Only tiles of the ground that is wanted are made`() async throws {
    let extent = Envelope(xMin: 1, yMin: 1, xMax: 4, yMax: 4)
    let (_, whole) = try await write([Self.areas], "pmtiles", levels: 6...6)
    let (_, part) = try await write([Self.areas], "pmtiles", levels: 6...6) { $0.extent = extent }
    let counts = [whole, part].map { $0.tileSets[0].counts[6] ?? 0 }
    #expect(counts[1] > 0 && counts[1] < counts[0] / 4, "\(counts)")
  }

  @Test func `Shapes outside of the map of the web and rows without shapes are counted`()
    async throws
  {
    let layer = Self.layer("odd", .point, count: 9) { x, y in
      .point(Point(x: x, y: y > 0 ? .nan : y))
    }
    let (_, result) = try await write([layer], "mbtiles")
    #expect(result.tables[0].writtenCount < 9 && result.tables[0].readCount == 9)
    #expect(result.notes.contains { $0.contains("no shape") })
  }

  @Test(arguments: [(2...3, [2, 3], false), (18...23, [18, 19], true), (21...22, [19], true)])
  func `Only the levels that are wanted are made, and those that cannot be are named`(
    _ levels: ClosedRange<Int>, _ made: [Int], _ isNoted: Bool
  ) async throws {
    let layer = Self.layer("one", .point, count: 1) { _, _ in .point(Point(x: 1, y: 1)) }
    let (_, result) = try await write([layer], "mbtiles", levels: levels)
    #expect(result.tileSets.map { $0.counts.keys.sorted() } == [made])
    #expect(result.notes.contains { $0.contains("levels up to 19") } == isNoted)
  }
}
