import Foundation
import PortolanArchives
import PortolanFeatures
import PortolanFiles
import PortolanGeoPackage
import PortolanGeodatabase
import PortolanGeometry
import PortolanTestSupport
import Testing

@testable import PortolanConversion

@Suite(.temporaryDirectory) struct ConversionFailureTests {
  private func url(_ name: String) -> URL { temporaryDirectory.appending(path: name) }

  @Test(
    arguments: [
      ([Int64](), 1_000), ([1], 1_000), ([1_000], 1_000), ([300, 301, 999], 1_000),
      (Array(1...600), 1_000), ([1], 1),
    ] as [([Int64], Int)])
  func `Damaged rows are listed, all others arrive`(damaged: [Int64], count: Int) async throws {
    let result = try await convert(
      FragileStore(count, damaged: Set(damaged)), to: url("rows.geodatabase"))
    #expect(result.failures.map(\.item) == damaged.sorted().map { "row \($0)" })
    #expect(result.isComplete == damaged.isEmpty)
    let copy = try Geodatabase.open(at: url("rows.geodatabase"))
    let rows = try await copy.features(in: "rows", matching: QueryParameters()).collect()
    let sound = (1...Int64(count)).filter { !damaged.contains($0) }
    #expect(rows.map(\.objectID) == sound)
  }

  @Test func `A truncated table keeps the rows before its end`() async throws {
    let result = try await convert(
      FragileStore(1_000, damaged: [], end: 700), to: url("rows.geodatabase"))
    #expect(result.tables[0].writtenCount == 512)
    #expect(result.failures.map(\.item) == ["all rows after 512"])
  }

  @Test func `A row that the target refuses is listed`() async throws {
    let store = try await GeoJSONText.store(
      GeoJSONText.collection([
        GeoJSONText.point("\"when\":\"-9999-01-01\""),
        GeoJSONText.shape("Point", "[1e300,5]"), GeoJSONText.point("\"a\":1"),
      ]))
    let result = try await convert(store, to: url("rows.geodatabase"))
    #expect(result.tables[0].readCount == 3)
    #expect(result.tables[0].writtenCount == 2)
    #expect(result.failures.map(\.item) == ["row 2"])
  }

  private func database(_ name: String) throws -> any FeatureStore {
    if name.hasSuffix("gpkg") { return try GeoPackage.open(at: url(name)) }
    return try Geodatabase.open(at: url(name))
  }

  @Test(arguments: ["rows.gpkg", "rows.geodatabase"])
  func `A row is kept without the values that do not fit, unless there must be one`(
    _ name: String
  ) async throws {
    let fields = [
      Field("OBJECTID", .objectID), Field("text", .string, length: 4), Field("whole", .integer),
      Field("must", .integer, isNullable: false),
    ]
    let list = FieldList(fields)
    let values: [[AttributeValue]] = [
      [.integer(1), .text("fits"), .integer(7), .integer(1)],
      [.integer(2), .text("too long"), .integer(1 << 40), .integer(2)],
      [.integer(3), .text("fits"), .integer(7), .text("three")],
    ]
    let features = values.enumerated().map { index, row in
      Feature(objectID: Int64(index + 1), attributes: Attributes(list, row))
    }
    let schema = FeatureTableSchema(name: "rows", fields: fields)
    let result = try await convert(
      InMemoryFeatureStore([FeatureTableContents(schema: schema, features: features)]),
      to: url(name))
    #expect(result.tables[0].readCount == 3 && result.tables[0].writtenCount == 2)
    #expect(result.failures.map(\.item) == ["row 2", "row 2", "row 3"])
    let isKept = result.failures.map { $0.reason.hasSuffix("the row is kept without that value") }
    #expect(isKept == [true, true, false])
    #expect(result.failures.last?.reason.contains("three") == true)
    let rows = try await database(name).features(in: "rows", matching: .init()).collect()
    #expect(rows.map(\.objectID) == [1, 2])
    #expect(rows.map { $0.attributes["text"] } == [.text("fits"), .null])
    #expect(rows.map { $0.attributes["whole"] } == [.integer(7), .null])
    #expect(rows.map { $0.attributes["must"] } == [.integer(1), .integer(2)])
  }

  @Test(arguments: ["rows.gpkg", "rows.geodatabase"])
  func `Rows with ids below 1 take none of the ids of others`(_ name: String) async throws {
    var contents = FeatureTableContents.rows("rows", 4)
    for (index, id) in [Int64(-7), 0, 1, 2].enumerated() {
      contents.features[index].objectID = id
      contents.features[index].attributes["OBJECTID"] = .integer(id)
    }
    let result = try await convert(InMemoryFeatureStore([contents]), to: url(name))
    #expect(result.isComplete && result.tables[0].readCount == 4)
    #expect(result.tables[0].writtenCount == 4)
    let rows = try await database(name).features(in: "rows", matching: .init()).collect()
    #expect(rows.map(\.objectID) == [1, 2, 3, 4])
    let texts = ["row 3", "row 4", "row 1", "row 2"].map { AttributeValue.text($0) }
    #expect(rows.map { $0.attributes["text"] } == texts)
  }

  @Test(arguments: ["rows.shp", "rows.fgb", "rows.csv"])
  func `A shape of another type than the file holds is listed`(_ name: String) async throws {
    var contents = FeatureTableContents.rows("rows", 3)
    contents.schema.geometryType = .point
    contents.features[0].geometry = .point(Point(x: 1, y: 2))
    contents.features[1].geometry = .polyline(
      Polyline(paths: [Path([.init(x: 0, y: 0), .init(x: 1, y: 1)])]))
    contents.features[2].geometry = nil
    let result = try await convert(InMemoryFeatureStore([contents]), to: url(name))
    #expect(result.tables[0].readCount == 3 && result.tables[0].writtenCount == 2)
    #expect(result.failures.map(\.item) == ["row \(contents.features[1].objectID)"])
    #expect(result.failures.first?.reason == "a file of points has no place for lines")
  }

  @Test(arguments: ["rows.gpkg", "rows.geodatabase", "rows.shp", "rows.fgb", "rows.csv"])
  func `A shape in a table without shapes is listed`(_ name: String) async throws {
    var contents = FeatureTableContents.rows("rows", 2)
    contents.schema.geometryType = nil
    contents.schema.spatialReference = nil
    contents.features[0].geometry = nil
    let result = try await convert(InMemoryFeatureStore([contents]), to: url(name))
    #expect(result.tables[0].readCount == 2 && result.tables[0].writtenCount == 1)
    #expect(result.failures.map(\.item) == ["row \(contents.features[1].objectID)"])
  }

  @Test(arguments: [(300, 300), (2_000, 1_724)])
  func `Rows of a shapefile are never longer than its header can say`(
    _ count: Int, _ kept: Int
  ) async throws {
    let names = (0..<count).map { "f\($0)" }
    let fields = [Field("OBJECTID", .objectID)] + names.map { Field($0, .string) }
    let texts = names.map { AttributeValue.text($0) }
    let long = AttributeValue.text(String(repeating: "x", count: 230))
    let rows = [long] + texts.dropFirst()
    let feature = Feature(
      objectID: 1, attributes: Attributes(FieldList(fields), [.integer(1)] + rows))
    let schema = FeatureTableSchema(name: "wide", fields: fields)
    let store = InMemoryFeatureStore([FeatureTableContents(schema: schema, features: [feature])])
    let result = try await convert(store, to: url("wide.shp"))
    #expect(result.omissions.contains(Omission(table: "wide", .values(field: "f0", rowCount: 1))))
    #expect(result.omissions.count == 1 + count - kept)
    let file = try await TableFile.shapefile(at: url("wide.shp"))
    let row = try #require(try await file.features(in: "wide", matching: .init()).collect().first)
    #expect(row.attributes["f1"] == .text("f1"))
    #expect(row.attributes["f\(kept - 1)"] == .text("f\(kept - 1)"))
    #expect(row.attributes["f\(kept)"] == nil)
  }

  @Test func `An existing output stays, unless it may be replaced`() async throws {
    let store = InMemoryFeatureStore([.rows("a", 1)])
    let old = Data("old".utf8)
    for name in ["a.geojson", "a.geodatabase"] {
      try old.write(to: url(name))
      await #expect(throws: ConversionError.self) { try await convert(store, to: url(name)) }
      #expect(try Data(contentsOf: url(name)) == old)
      try await convert(store, to: url(name), .init(replacesTarget: true))
      #expect(try Data(contentsOf: url(name)).count > 100)
    }
    #expect(try filesLeft() == ["a.geodatabase", "a.geojson"])
  }

  @Test(
    arguments: [
      "a.geojson", "a.csv", "a.fgb", "a.shp", "a.geodatabase", "a.gpkg", "layers/theirs.txt",
    ])
  func `What appears while a conversion runs stays`(name: String) async throws {
    let target = name.split(separator: "/")[0]
    let conversion = try Conversion(
      of: .features(InMemoryFeatureStore([.rows("a", 1)])), at: url("in"),
      to: url(String(target)))
    try FileManager.default.createDirectory(
      at: url(name).deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("theirs".utf8).write(to: url(name))
    let error = await #expect(throws: ConversionError.self) { try await conversion.run() }
    #expect(error?.errorDescription?.hasSuffix("\(target) exists already.") == true)
    #expect(try Data(contentsOf: url(name)) == Data("theirs".utf8))
    #expect(try filesLeft() == [String(target)])
  }

  @Test func `The files beside a shapefile are not replaced unasked`() async throws {
    let store = InMemoryFeatureStore([.rows("a", 1)])
    let late = try Conversion(of: .features(store), at: url("in"), to: url("a.shp"))
    try Data("theirs".utf8).write(to: url("a.dbf"))
    let exists = ConversionError.targetExists(file: url("a.dbf").relativePath)
    await #expect(throws: exists) { try await late.run() }
    await #expect(throws: exists) { try await convert(store, to: url("a.shp")) }
    #expect(try filesLeft() == ["a.dbf"])
    #expect(try Data(contentsOf: url("a.dbf")) == Data("theirs".utf8))
    try await convert(store, to: url("a.shp"), .init(replacesTarget: true))
    #expect(try Data(contentsOf: url("a.dbf")) != Data("theirs".utf8))
  }

  @Test func `A folder that holds something keeps it`() async throws {
    let store = InMemoryFeatureStore([.rows("a", 1), .rows("B/../b", 1)])
    let folder = url("layers")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try await convert(store, to: folder)
    try Data("mine".utf8).write(to: folder.appending(path: "other.txt"))
    await #expect(throws: ConversionError.self) { try await convert(store, to: folder) }
    try await convert(store, to: folder, .init(replacesTarget: true))
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.path(percentEncoded: false))
    #expect(names.sorted() == ["B_.._b.geojson", "a.geojson", "other.txt"])
    #expect(try filesLeft() == ["layers"])
  }

  @Test func `A place that cannot be written is named`() async throws {
    let store = InMemoryFeatureStore([.rows("a", 1)])
    let inside = url("no/a.geojson")
    #expect(throws: ConversionError.noSuchFolder(file: inside.relativePath)) {
      _ = try Conversion(of: .features(store), at: url("in"), to: inside)
    }
    #expect(throws: ConversionError.unknownTarget(file: url("a.dxf").relativePath)) {
      _ = try Conversion(of: .features(store), at: url("in"), to: url("a.dxf"))
    }
    await #expect(throws: ConversionError.self) { try await convert(store, to: url("a.tpkx")) }
  }

  @Test func `The source is never the target`() async throws {
    let source = url("a.geojson")
    try Data(GeoJSONText.collection([GeoJSONText.point("")]).utf8).write(to: source)
    try FileManager.default.createSymbolicLink(at: url("link.geojson"), withDestinationURL: source)
    try FileManager.default.linkItem(at: source, to: url("hard.geojson"))
    let store = try await GeoJSONFile.open(at: source)
    for target in [
      "a.geojson", "link.geojson", "hard.geojson",
      "../\(temporaryDirectory.lastPathComponent)/a.geojson",
    ] {
      #expect(throws: ConversionError.sameFile(file: url(target).relativePath)) {
        _ = try Conversion(
          of: .features(store), at: source, to: url(target), .init(replacesTarget: true))
      }
    }
  }

  @Test(arguments: ["a.geodatabase", "a.geojson", "folder"])
  func `A conversion that is cancelled leaves nothing behind`(name: String) async throws {
    let (reached, signal) = AsyncStream.makeStream(of: Void.self)
    let conversion = try Conversion(
      of: .features(EndlessStore { signal.yield() }), at: url("in"), to: url(name))
    let task = Task { try await conversion.run() }
    var iterator = reached.makeAsyncIterator()
    for _ in 0..<20 { await iterator.next() }
    #expect(try filesLeft().allSatisfy { $0.hasPrefix(".") })
    task.cancel()
    await #expect(throws: (any Error).self) { try await task.value }
    #expect(try filesLeft() == [])
  }

  @Test func `Remains of dead processes are removed, and nothing else`() async throws {
    let store = InMemoryFeatureStore([.rows("a", 1)])
    let names = [".portolan-1.part", ".portolan-x.part", "portolan-1.part", ".portolan-2.part.x"]
    for name in names { try age(name) }
    let living = try StagedFile(replacing: url("living"))
    try await convert(store, to: url("a.geojson"))
    let left = try filesLeft()
    #expect(left.count == 5)
    #expect(!left.contains(".portolan-1.part"))
    _ = living.count
  }

  /// Makes a file that was written long ago.
  private func age(_ name: String) throws {
    try Data().write(to: url(name))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
      ofItemAtPath: url(name).path(percentEncoded: false))
  }

  @Test func `Of the failures of a table the first are kept, and all are counted`() {
    var outcome = RowTransfer.Outcome(
      table: ConversionResult.Table(source: "rows", name: "rows"))
    let failure = ConversionResult.Failure(part: "rows", item: "row 1", reason: "it is a test")
    for _ in 0..<3 { outcome.add(Array(repeating: failure, count: 700)) }
    #expect(outcome.failures.count == ConversionResult.mostFailures)
    #expect(outcome.failureCount == 2_100)
  }
}
