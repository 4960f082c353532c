import Foundation
import PortolanArchives
import PortolanConversion
import PortolanFeatures
import PortolanFiles
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanRendering
import PortolanTestSupport
import PortolanTileFiles
import PortolanTiles
import Synchronization
import Testing

@testable import PortolanAuthoring

@Suite(.temporaryDirectory) struct PackageAuthorTests {
  private static let specification = """
    {
      "title": "Trees of the town",
      "summary": "What grows where.",
      "tags": ["trees"],
      "id": "6f0a2c1e-9f54-4a0e-9d38-58a1f9a1d001",
      "created": "2026-05-01",
      "expiration": {
        "date": "2030-01-01", "message": "Ask for a new one.", "policy": "preventAccess"
      },
      "data": {
        "Trees": {
          "file": "trees.csv", "title": "Trees", "displayField": "NAME",
          "fields": {"HEIGHT": "Height (m)"}
        },
        "Paths": {"file": "paths.geojson"},
        "Lawns": {"file": "lawns.geojson"}
      },
      "backdrops": {
        "park": {"background": "#eeeeee", "maxLevel": 12,
          "layers": [{"data": "Lawns", "color": "#aaddaa"}, {"data": "Paths", "color": "#886644"}]}
      },
      "maps": [
        {
          "name": "trees",
          "title": "Trees",
          "backdrop": "park",
          "layers": [
            {
              "data": "Paths", "title": "Paths",
              "renderer": {"type": "simple", "symbol": {"color": "#884400", "style": "dash"}}
            },
            {
              "data": "Trees", "title": "By kind",
              "renderer": {"type": "uniqueValue", "field": "kind"},
              "labels": {"text": "{NAME} ({HEIGHT} m)"},
              "popup": {"title": "{NAME}", "fields": ["KIND", {"name": "HEIGHT", "places": 1}]}
            }
          ],
          "bookmarks": [{"name": "Pond", "extent": [-68.2, 44.3, -68.1, 44.4]}],
          "search": {"hint": "Tree", "layers": [{"layer": "By kind", "field": "name"}]}
        },
        {
          "name": "heights",
          "layers": [
            {
              "data": "Trees", "where": "HEIGHT > 4",
              "renderer": {
                "type": "classBreaks", "field": "HEIGHT", "method": "equalInterval", "classes": 2
              }
            }
          ]
        }
      ]
    }
    """

  private func lay(_ specification: String = Self.specification) throws -> URL {
    let trees = """
      NAME,KIND,HEIGHT,longitude,latitude
      Old oak,Oak,24.5,-68.15,44.35
      Young oak,Oak,5,-68.16,44.36
      Pond willow,Willow,14,-68.17,44.34
      Sapling,Birch,2,-68.18,44.33

      """
    let paths = """
      {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"NAME": "Way"},
       "geometry": {"type": "LineString", "coordinates": [[-68.2, 44.3], [-68.1, 44.4]]}}]}
      """
    let lawns = """
      {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"NAME": "Lawn"},
       "geometry": {"type": "Polygon", "coordinates":
       [[[-68.2, 44.3], [-68.1, 44.3], [-68.1, 44.4], [-68.2, 44.4], [-68.2, 44.3]]]}}]}
      """
    let url = temporaryDirectory.appending(path: "book.json")
    for (name, text) in [
      ("book.json", specification), ("trees.csv", trees), ("paths.geojson", paths),
      ("lawns.geojson", lawns),
    ] {
      try Data(text.utf8).write(to: temporaryDirectory.appending(path: name))
    }
    return url
  }

  private var target: URL { temporaryDirectory.appending(path: "book.mmpk") }

  @discardableResult
  private func create(_ specification: String = Self.specification) async throws -> AuthoringResult
  {
    let parsed = try PackageSpecification(at: lay(specification))
    return try await PackageAuthor(
      parsed, environment: Self.environment, drawing: PictureDrawing()
    ).write(to: target)
  }

  /// The time at which packages are made and opened.
  private static let now = Date(timeIntervalSince1970: 1_780_000_000)
  private static let environment = ConversionEnvironment(now: { Self.now })

  private func open() async throws -> MobileMapPackage {
    try await MobileMapPackage.open(
      at: target, unpackingInto: temporaryDirectory.appending(path: "unpacked"), now: Self.now)
  }

  @Test(arguments: [
    ("preventAccess", "does not open"), ("allowAccess", "opens with a warning"),
  ])
  func `A package that has expired before it is made is noted`(
    _ policy: String, _ outcome: String
  ) async throws {
    let result = try await create(
      Self.specification.replacing("2030-01-01", with: "2026-05-02")
        .replacing("preventAccess", with: policy))
    #expect(
      result.notes
        == ["The \"date\" of \"expiration\" has passed already: the package \(outcome)."])
  }

  @Test func `A package has what its specification says`() async throws {
    let result = try await create()
    #expect(result.notes == [])
    #expect(result.tables.map(\.writtenCount) == [4, 1])
    let package = try await open()
    #expect(package.info.title == "Trees of the town")
    #expect(package.failures.isEmpty)
    #expect(package.warnings == [])
    #expect(package.maps.map(\.title) == ["Trees", "heights"])
    let map = try #require(package.maps.first)
    #expect(map.webMap.operationalLayers.map(\.title) == ["Paths", "By kind"])
    #expect(map.webMap.bookmarks.map(\.name) == ["Pond"])
    #expect(map.webMap.searchSettings.hint == "Tree")
    #expect(map.webMap.searchSettings.entries.map(\.field) == ["NAME"])
    #expect(map.item.thumbnail?.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
    #expect(package.info.expiration?.message == "Ask for a new one.")
    #expect(package.info.expiration?.policy == .preventAccess)
    // 2030-01-01, at the end of the day.
    #expect(package.info.expiration?.date == Date(timeIntervalSince1970: 1_893_542_399))
  }

  @Test(arguments: [("paths.geojson", nil), ("gone.geojson", "There is no file \"gone.geojson\".")])
  func `Data that no layer shows are reported, and reported as missing once removed`(
    _ file: String, _ problem: String?
  ) async throws {
    let specification = Self.specification.replacing(
      "\"Lawns\": {", with: "\"Extra\": {\"file\": \"\(file)\"}, \"Lawns\": {")
    let parsed = try PackageSpecification(at: lay(specification))
    do {
      let result = try await PackageAuthor(
        parsed, environment: Self.environment, drawing: PictureDrawing()
      ).write(to: target)
      #expect(problem == nil)
      #expect(
        result.notes == ["No layer and no backdrop shows \"Extra\": it is not in the package."])
    } catch AuthoringError.invalidSpecification(_, let problems) {
      #expect(problems.map(\.message) == [problem] && problems.map(\.path) == ["data.Extra.file"])
    }
  }

  @Test(.needsMounting) func `A full disk is not blamed on the specification`() async throws {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 1)
    let free = try #require(FreeSpace.byteCount(at: disk.url))
    try Data(count: free - 64 << 10).write(to: disk.url.appending(path: "others"))
    let parsed = try PackageSpecification(at: lay())
    do {
      _ = try await PackageAuthor(parsed).write(to: disk.url.appending(path: "book.mmpk"))
      Issue.record("there is no room for the package")
    } catch AuthoringError.unwritable(let file, let reason) {
      // As Portolan says it, or as the system does.
      let reasons = ["the disk is full", "No space left on device"]
      #expect(reasons.contains(reason), "\(file): \(reason)")
    }
    #expect(disk.url.isFileURL, "it is mounted all the time")
  }

  @Test func `What cannot be written is told from data that cannot be used`() {
    let full = AuthoringError.unwritable(file: "a", reason: "the disk is full")
    #expect(AuthoringError(writing: FileError.diskFull(file: "a")) == full)
    #expect(
      AuthoringError(writing: TileError.unwritable(file: "a", reason: "the disk is full")) == full)
    #expect(
      AuthoringError(writing: ArchiveError.unwritable(file: "a", reason: "the disk is full"))
        == full)
    #expect(AuthoringError(writing: FileError.absent(file: "a")) == nil)
    #expect(AuthoringError(writing: TileError.noTiles(file: "a")) == nil)
  }

  @Test func `A link to a package opens as the package`() async throws {
    try await create()
    let link = temporaryDirectory.appending(path: "link.mmpk")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
    let package = try await MobileMapPackage.open(
      at: link, unpackingInto: temporaryDirectory.appending(path: "unpacked"),
      now: Date(timeIntervalSince1970: 1_780_000_000))
    let map = try #require(package.maps.first)
    let layer = try #require(map.webMap.operationalLayers.first)
    #expect(await map.contents.content(of: layer).problem == nil)
  }

  @Test func `Every layer finds its data, in the package's spatial reference`() async throws {
    try await create()
    for map in try await open().maps {
      for layer in map.webMap.allLayers + map.webMap.basemap.layers {
        let content = await map.contents.content(of: layer)
        #expect(content.problem == nil, "\(map.name): \(layer.title)")
        for features in content.features {
          #expect(features.schema.spatialReference?.isWebMercator == true)
        }
      }
    }
  }

  @Test func `Rows that are not converted unchanged are listed`() async throws {
    let specification = try PackageSpecification(at: lay())
    let paths = """
      {"type": "FeatureCollection", "features": [
       {"type": "Feature", "properties": {"NAME": "Way"},
        "geometry": {"type": "LineString", "coordinates": [[-68.2, 44.3], [-68.1, 44.4]]}},
       {"type": "Feature", "properties": {"NAME": "Short"},
        "geometry": {"type": "LineString", "coordinates": ["a", "b"]}},
       {"type": "Feature", "properties": {"NAME": "Odd"},
        "geometry": {"type": "Lime", "coordinates": [1]}},
       {"type": "Feature", "properties": {"NAME": "Pole"},
        "geometry": {"type": "LineString", "coordinates": [[-68, 95], [-68.1, 44.4]]}}]}
      """
    try Data(paths.utf8).write(to: temporaryDirectory.appending(path: "paths.geojson"))
    let trees = "NAME,KIND,HEIGHT,longitude,latitude\nOak,Oak,24,-68.15,44.35\nElm,Elm,9,,\n"
    try Data(trees.utf8).write(to: temporaryDirectory.appending(path: "trees.csv"))
    let result = try await PackageAuthor(specification).write(to: target)
    #expect(!result.isComplete && result.failureCount == 4)
    for part in [
      "\"paths.geojson\", feature 2: ", "\"paths.geojson\", feature 3: ", "\"Paths\", row ",
      "\"trees.csv\", line 3: it has no coordinates",
    ] {
      #expect(result.failures.contains { $0.hasPrefix(part) }, "\(result.failures)")
    }
    #expect(result.tables.map(\.writtenCount) == [2, 2])
  }

  @Test func `A map may lie across the antimeridian`() async throws {
    try await create(
      Self.specification.replacing(
        "\"name\": \"heights\",", with: "\"name\": \"heights\", \"extent\": [170, -10, -170, 10],"))
    let map = try #require(try await open().maps.last)
    let frame = map.initialFrame(width: 200, height: 100)
    let center = try Projection(from: frame.spatialReference, to: .wgs84).project(frame.center)
    #expect(abs(abs(center.x) - 180) < 0.001 && abs(center.y) < 0.001, "\(center)")
    #expect(map.item.extent.map { $0.xMin > 160 && $0.width < 30 } == true)
  }

  @Test func `A table may come from a shapefile`() async throws {
    let source = try lay().deletingLastPathComponent().appending(path: "paths.geojson")
    let shapes = temporaryDirectory.appending(path: "paths.shp")
    _ = try await Conversion(
      of: .features(try await GeoJSONFile.open(at: source)), at: source, to: shapes
    ).run()
    let result = try await create(Self.specification.replacing("paths.geojson", with: "paths.shp"))
    #expect(result.tables.map(\.writtenCount) == [4, 1])
    let map = try #require(try await open().maps.first)
    let layer = try #require(map.webMap.operationalLayers.first)
    let content = try #require(await map.contents.content(of: layer).features.first)
    let features = try await content.store.features(in: content.schema.name, matching: .init())
      .collect()
    #expect(features.map { $0.attributes["NAME"] } == [.text("Way")])
    #expect(features.first?.geometry?.paths.first?.coordinates.count == 2)
  }

  @Test func `A table may be what a feature service has answered`() async throws {
    let wells = """
      {"objectIdFieldName": "FID", "geometryType": "esriGeometryPoint",
       "spatialReference": {"wkid": 102100, "latestWkid": 3857}, "exceededTransferLimit": true,
       "fields": [{"name": "FID", "type": "esriFieldTypeOID"},
                  {"name": "depth", "type": "esriFieldTypeDouble"}],
       "features": [{"attributes": {"FID": 7, "depth": 2.5}, "geometry": {"x": 1000, "y": 2000}},
                    {"attributes": {"FID": 9, "depth": 4}, "geometry": {"x": 3000, "y": 4000}}]}
      """
    try Data(wells.utf8).write(to: temporaryDirectory.appending(path: "wells.json"))
    let result = try await create(
      #"{"title": "Wells", "data": {"Wells": {"file": "wells.json"}}, "#
        + #""maps": [{"name": "wells", "layers": [{"data": "Wells", "title": "Wells"}]}]}"#)
    #expect(result.isComplete && result.tables.map(\.writtenCount) == [2])
    #expect(result.notes.contains { $0.contains("does not have all features") })
  }

  @Test func `Features that cannot be read are reported`() async throws {
    let file = try lay().deletingLastPathComponent().appending(path: "broken.geojson")
    let features = [
      #"{"type": "Point", "coordinates": [1]}"#, #"{"type": "Pint", "coordinates": [1, 2]}"#,
      "null",
    ]
    .map { #"{"type": "Feature", "properties": {"NAME": "a"}, "geometry": \#($0)}"# }
    let text = #"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ","))]}"#
    try Data(text.utf8).write(to: file)
    let result = try await create(
      Self.specification.replacing(#""paths.geojson""#, with: #""broken.geojson""#))
    #expect(result.failureCount == 2)
    #expect(result.failures.allSatisfy { $0.contains("broken.geojson") })
    #expect(result.failures.map { $0.contains("feature 1") } == [true, false])
  }

  @Test func `Renderers are made of the values that there are`() async throws {
    try await create()
    let maps = try await open().maps
    let kinds = try #require(maps.first?.webMap.operationalLayers.last)
    guard case .uniqueValue(let renderer)? = kinds.layerDefinition.drawingInfo.renderer else {
      Issue.record("another renderer")
      return
    }
    let values = (renderer.json.objects("uniqueValueInfos")).compactMap { $0.text("value") }
    #expect(values == ["Birch", "Oak", "Willow"])
    let (least, ends) = try await classes()
    #expect(least == 5 && ends == [14.75, 24.5])
  }

  @Test func `Classes of a whole table are made of all its rows, in any letter case`() async throws
  {
    try await create(
      Self.specification.replacing(#""where": "HEIGHT > 4","#, with: "")
        .replacing(#""field": "HEIGHT""#, with: #""field": "height""#))
    let (least, ends) = try await classes()
    #expect(least == 2 && ends == [13.25, 24.5])
  }

  /// The extent that a map of points shows at first.
  private func extent(ofPoints coordinates: String) async throws -> Envelope {
    let text = #"""
      {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"N": 1},
       "geometry": {"type": "MultiPoint", "coordinates": [\#(coordinates)]}}]}
      """#
    try Data(text.utf8).write(to: temporaryDirectory.appending(path: "points.geojson"))
    try await create(
      #"{"title": "Points", "data": {"P": {"file": "points.geojson"}}, "#
        + #""maps": [{"name": "points", "layers": [{"data": "P"}]}]}"#)
    return try #require(try await open().maps.first?.item.extent)
  }

  @Test func `A map of a single place shows what is around it`() async throws {
    let extent = try await extent(ofPoints: "[7.5, 46.5]")
    #expect((0.005...0.05).contains(extent.width) && (0.005...0.05).contains(extent.height))
    #expect(extent.contains(Coordinate(x: 7.5, y: 46.5)))
  }

  @Test func `A map of the world shows no more than that`() async throws {
    let extent = try await extent(ofPoints: "[-180, -80], [180, 80]")
    #expect(extent.yMin == -90 && extent.yMax == 90)
    #expect(abs(extent.xMin + 180) < 1e-6 && abs(extent.xMax - 180) < 1e-6)
  }

  /// The least number of the classes of the last map, and their upper ends.
  private func classes() async throws -> (Double?, [Double]) {
    let heights = try #require(try await open().maps.last?.webMap.operationalLayers.first)
    guard case .classBreaks(let classes)? = heights.layerDefinition.drawingInfo.renderer else {
      Issue.record("another renderer")
      return (nil, [])
    }
    let infos = classes.json.objects("classBreakInfos")
    return (classes.minimum, infos.compactMap { $0.number("classMaxValue") })
  }

  @Test(.needsTool("unzip"), .needsTool("sqlite3"), .needsPython("zipfile"))
  func `Other programs find the package sound`() async throws {
    try await create()
    let path = target.path(percentEncoded: false)
    let tested = try Tool.run("unzip", ["-tqq", path])
    #expect(tested.status == 0, "\(tested.output)\(tested.errors)")
    let folder = temporaryDirectory.appending(path: "out").path(percentEncoded: false)
    _ = try Tool.run("unzip", ["-q", path, "-d", folder])
    let checked = try Tool.run(
      "sqlite3",
      ["\(folder)/p13/book.geodatabase", "PRAGMA integrity_check; SELECT count(*) FROM Trees;"])
    #expect(checked.output == "ok\n4\n")
    let script = """
      import json, sys, zipfile
      package = zipfile.ZipFile(sys.argv[1])
      for name in package.namelist():
        if name.endswith((".info", ".mmap")):
          print(name, len(json.loads(package.read(name))))
      """
    let read = try Tool.run("python3", ["-c", script, path])
    #expect(read.status == 0, "\(read.errors)")
    #expect(read.output.contains("p13/trees.mmap 2"))
  }

  @Test(.needsTool("unzip"))
  func `A table that a backdrop draws twice is in its tiles once`() async throws {
    let layer = ##"{"data": "Paths", "color": "#886644"}"##
    try await create(Self.specification.replacing(layer, with: "\(layer), \(layer)"))
    let folder = temporaryDirectory.appending(path: "out")
    let unpacked = try Tool.run(
      "unzip",
      ["-q", target.path(percentEncoded: false), "-d", folder.path(percentEncoded: false)])
    #expect(unpacked.status == 0, "\(unpacked.errors)")
    let file = try TilePackageFile.open(folder.appending(path: "p13/park.vtpk"))
    let found = try await file.source.tile(at: TileID(level: 0, row: 0, column: 0))
    let tile = try #require(found)
    let data = try Gzip.decompress(tile.data, limit: 1 << 20, name: "tile")
    // The name of a layer, as its field of the tile.
    let name = Data([0x0A, 5]) + Data("Paths".utf8)
    let first = try #require(data.range(of: name))
    #expect(data.range(of: name, in: first.upperBound..<data.endIndex) == nil)
  }

  @Test func `The same specification gives the same bytes`() async throws {
    let specification = try PackageSpecification(at: lay())
    var files: [Data] = []
    for _ in 0..<2 {
      let ids = IDs()
      _ = try await PackageAuthor(
        specification,
        environment: .init(now: { Date(timeIntervalSince1970: 1) }, makeID: { ids.next() })
      ).write(to: target, replacing: true)
      files.append(try Data(contentsOf: target))
    }
    #expect(files[0] == files[1])
  }

  private static let faults: [(from: String, to: String, message: String)] = [
    ("HEIGHT > 4", "HIGHT > 4", "There is no field \"HIGHT\"."),
    (
      "\"trees.csv\",", "\"trees.csv\", \"where\": \"HIGHT > 4\",", "There is no field \"HIGHT\"."
    ),
    ("\"title\": \"{NAME}\"", "\"title\": \"{NAMES}\"", "There is no field \"NAMES\"."),
    ("trees.csv", "bushes.csv", "There is no file \"bushes.csv\"."),
    ("trees.csv", "../book.shp", "There is no file"),
    ("\"field\": \"kind\"", "\"field\": \"species\"", "There is no field \"species\"."),
    ("\"style\": \"dash\"", "\"style\": \"circle\"", "cannot have the style \"circle\""),
    ("{NAME} (", "{NAMES} (", "There is no field \"NAMES\"."),
    ("\"field\": \"HEIGHT\"", "\"field\": \"NAME\"", "is no field of numbers"),
    ("HEIGHT > 4", "HEIGHT >", "The where clause is wrong"),
    ("\"backdrop\": \"park\"", "\"backdrop\": \"wood.tpkx\"", "There is no file \"wood.tpkx\"."),
    ("\"backdrop\": \"park\"", "\"backdrop\": \".\"", "\".\" is a folder."),
    ("\"displayField\": \"NAME\"", "\"displayField\": \"N\"", "There is no field \"N\"."),
    ("\"field\": \"name\"", "\"field\": \"nom\"", "There is no field \"nom\"."),
  ]

  @Test(arguments: faults.indices)
  func `Items that do not fit the data are named with their lines, and nothing is left`(
    _ index: Int
  ) async throws {
    let fault = Self.faults[index]
    let text = Self.specification.replacing(fault.from, with: fault.to)
    do {
      try await create(text)
      Issue.record("made all the same")
    } catch AuthoringError.invalidSpecification(_, let problems) {
      let problem = try #require(problems.first { $0.message.contains(fault.message) })
      let line = try #require(problem.line)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(line > 1 && lines.indices.contains(line - 1))
    }
    let left = try FileManager.default.contentsOfDirectory(
      atPath: temporaryDirectory.path(percentEncoded: false))
    #expect(left.sorted() == ["book.json", "lawns.geojson", "paths.geojson", "trees.csv"])
  }

  @Test(arguments: ["tiles", "tiles.mbtiles", "tiles.pmtiles"])
  func `Tiles of a kind that no package shows are no backdrop, and it is said what to do`(
    _ name: String
  ) async throws {
    let url = temporaryDirectory.appending(path: name == "tiles" ? "tiles/0/0/0.png" : name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("tile".utf8).write(to: url)
    do {
      try await create(
        Self.specification.replacing("\"backdrop\": \"park\"", with: "\"backdrop\": \"\(name)\""))
      Issue.record("made all the same")
    } catch AuthoringError.invalidSpecification(_, let problems) {
      let problem = try #require(problems.first { $0.message.hasPrefix("\"\(name)\" holds tiles") })
      #expect(problem.message.contains("Convert pictures to .tpkx first"))
    }
  }

  @Test(.needsSharedFiles)
  func `A table with shapes of several types is named, with what makes tables of them`()
    async throws
  {
    let file = temporaryDirectory.appending(path: "sights.gpkg")
    try SharedFiles.copy("samples/geopackage/java_example.gpkg", to: file)
    do {
      try await create(
        #"{"title": "Sights", "data": {"#
          + #""Roads": {"file": "sights.gpkg", "table": "line1"}, "#
          + #""All": {"file": "sights.gpkg", "table": "geometry1"}}, "#
          + #""maps": [{"name": "sights", "layers": [{"data": "Roads"}, {"data": "All"}]}]}"#)
      Issue.record("made all the same")
    } catch AuthoringError.invalidSpecification(_, let problems) {
      #expect(problems.map(\.path) == ["data.All"])
      #expect(problems.allSatisfy { $0.message.contains("shapes of several types") })
    }
  }

  @Test(arguments: ["Trees 100%", "Which trees?", "Tree%20s #1"])
  func `Names with signs that mean something in addresses lead to the data`(
    _ name: String
  ) async throws {
    try await create(
      Self.specification.replacing(
        "\"title\": \"Trees of the town\"",
        with: "\"title\": \"Trees of the town\", \"name\": \"\(name)\""
      ).replacing("\"park\"", with: "\"park \(name)\""))
    for map in try await open().maps {
      for layer in map.webMap.allLayers + map.webMap.basemap.layers {
        let problem = await map.contents.content(of: layer).problem
        #expect(problem == nil, "\(map.name): \(layer.title)")
      }
    }
  }

  @Test func `A backdrop that is called as another file of the package is refused`() async throws {
    let folder = temporaryDirectory.appending(path: "more")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("PK".utf8).write(to: folder.appending(path: "Park.vtpk"))
    do {
      try await create(
        Self.specification.replacing(
          "\"name\": \"heights\",", with: "\"name\": \"heights\", \"backdrop\": \"more/Park.vtpk\","
        ))
      Issue.record("made all the same")
    } catch AuthoringError.invalidSpecification(_, let problems) {
      #expect(problems.map(\.message) == ["Another file of the package is called \"Park.vtpk\"."])
    }
  }

  @Test(arguments: [
    ("HEIGHT > 4", "HIGHT > 4", "maps[1].layers[0].where"),
    ("\"title\": \"{NAME}\"", "\"title\": \"{NAMES}\"", "maps[0].layers[1].popup.title"),
    ("\"trees.csv\",", "\"trees.csv\", \"where\": \"HIGHT > 4\",", "data.Trees.where"),
  ])
  func `A field that is not there is named at the text that names it`(
    _ from: String, _ to: String, _ path: String
  ) async throws {
    do {
      try await create(Self.specification.replacing(from, with: to))
      Issue.record("made all the same")
    } catch AuthoringError.invalidSpecification(_, let problems) {
      #expect(problems.map(\.path) == [path])
    }
  }

  @Test(arguments: [
    (
      "\"data\": \"Paths\", \"title\"",
      "\"data\": \"Paths\", \"where\": \"OBJECTID = 50\", \"title\"",
      "maps[0].layers[0].where: No feature of \"Paths\" meets \"OBJECTID = 50\"."
    ),
    (
      "\"paths.geojson\"", "\"paths.geojson\", \"where\": \"NAME = 'Way 2'\"",
      "data.Paths.where: No feature of \"paths.geojson\" meets \"NAME = 'Way 2'\"."
    ),
  ])
  func `A condition that no feature meets is reported with its place`(
    _ from: String, _ to: String, _ note: String
  ) async throws {
    let result = try await create(Self.specification.replacing(from, with: to))
    let notes = result.notes.filter { $0.hasPrefix("book.json, line ") }
    #expect(notes.count == 1 && notes.allSatisfy { $0.hasSuffix(", " + note) }, "\(result.notes)")
  }

  @Test func `A condition may be on the object ids`() async throws {
    let result = try await create(
      Self.specification.replacing(
        "\"data\": \"Trees\", \"title\"",
        with: "\"data\": \"Trees\", \"where\": \"OBJECTID = 2\", \"title\""))
    #expect(result.notes == [])
  }

  @Test func `A field with another name in the package is not taken for one with its letters`()
    async throws
  {
    let towns = """
      {"type": "FeatureCollection", "features": [{"type": "Feature",
       "properties": {"name": "a", "NAME": "b"},
       "geometry": {"type": "Point", "coordinates": [1, 2]}}]}
      """
    try Data(towns.utf8).write(to: temporaryDirectory.appending(path: "towns.geojson"))
    do {
      try await create(
        #"{"title": "Towns", "data": {"T": {"file": "towns.geojson"}}, "maps": [{"name": "towns", "#
          + #""layers": [{"data": "T", "renderer": {"type": "uniqueValue", "field": "NAME"}, "#
          + #""labels": {"text": "{name}"}, "popup": {"title": "{NAME}"}}]}]}"#)
      Issue.record("made all the same")
    } catch AuthoringError.invalidSpecification(_, let problems) {
      let layer = "maps[0].layers[0]"
      #expect(Set(problems.map(\.path)) == ["\(layer).renderer.field", "\(layer).popup.title"])
    }
  }

  @Test func `All that does not fit the data is listed at once, by line`() async throws {
    var text = Self.specification
    for (from, to) in [
      ("{NAME} (", "{N} ("), ("\"title\": \"{NAME}\"", "\"title\": \"{M}\""),
      ("\"KIND\", {", "\"K\", {"), ("\"field\": \"kind\"", "\"field\": \"k\""),
      ("\"field\": \"name\"", "\"field\": \"nom\""), ("HEIGHT > 4", "H > 4"),
      ("\"backdrop\": \"park\"", "\"backdrop\": \"trees.csv\""),
    ] { text = text.replacing(from, with: to) }
    do {
      try await create(text)
      Issue.record("made all the same")
    } catch AuthoringError.invalidSpecification(_, let problems) {
      let layer = "maps[0].layers[1]"
      #expect(
        problems.map(\.path) == [
          "maps[0].backdrop", "\(layer).renderer.field", "\(layer).labels.text",
          "\(layer).popup.fields[0]", "\(layer).popup.title", "maps[0].search.layers[0].field",
          "maps[1].layers[0].where",
        ])
      #expect(problems.allSatisfy { !$0.message.contains(".part/") })
    }
  }

  @Test func `All errors in the text, its data and its maps are reported at once`() async throws {
    var text = Self.specification
    for (from, to) in [
      ("\"summary\"", "\"sumary\""), ("\"paths.geojson\"", "\"nowhere.geojson\""),
      ("{\"HEIGHT\": \"Height (m)\"}", "{\"HIGHT\": \"Height (m)\"}"),
      ("\"displayField\": \"NAME\"", "\"displayField\": \"N\""),
      ("\"field\": \"kind\"", "\"field\": \"k\""), ("HEIGHT > 4", "H > 4"),
    ] { text = text.replacing(from, with: to) }
    let specification = try PackageSpecification(unchecked: lay(text))
    do {
      _ = try await PackageAuthor(specification).write(to: target)
      Issue.record("made all the same")
    } catch AuthoringError.invalidSpecification(_, let problems) {
      #expect(
        Set(problems.map(\.path)) == [
          "sumary", "data.Trees.displayField", "data.Trees.fields.HIGHT", "data.Paths.file",
          "maps[0].layers[1].renderer.field", "maps[1].layers[0].where",
        ])
      #expect(problems.map(\.line) == problems.map(\.line).sorted { ($0 ?? 0) < ($1 ?? 0) })
    }
    #expect(!FileManager.default.fileExists(atPath: target.path(percentEncoded: false)))
  }

  @Test func `A package that is there is not replaced unasked`() async throws {
    try Data("mine".utf8).write(to: target)
    await #expect(throws: AuthoringError.self) { try await create() }
    #expect(try Data(contentsOf: target) == Data("mine".utf8))
  }

  @Test func `A package that appears while another is made stays`() async throws {
    let author = try PackageAuthor(PackageSpecification(at: lay()), drawing: PictureDrawing())
    let target = target
    await #expect(throws: AuthoringError.targetExists(file: target.relativePath)) {
      try await author.write(to: target) { progress in
        guard progress == .packing else { return }
        #expect(throws: Never.self) { try Data("mine".utf8).write(to: target) }
      }
    }
    #expect(try Data(contentsOf: target) == Data("mine".utf8))
  }
}

/// Ids that count.
private final class IDs: Sendable {
  private let count = Mutex<UInt8>(0)

  func next() -> UUID {
    let number = count.withLock { count in
      count += 1
      return count
    }
    return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number))
  }
}
