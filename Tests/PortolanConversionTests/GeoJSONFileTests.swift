import Foundation
import PortolanFeatures
import PortolanGeometry
import Testing

@testable import PortolanConversion

@Suite struct GeoJSONFileTests {
  @Test(arguments: [
    (["1", "2"], FieldType.integer), (["1", "5000000000"], .bigInteger), (["1", "2.5"], .double),
    (["5000000000", "1e3"], .double), (["\"a\"", "null"], .string), (["null"], .string),
    (["true", "false"], .smallInteger), (["true", "1"], .string), (["1", "\"1\""], .string),
    (["\"2020-01-31\""], .dateOnly), (["\"2020-01-31T10:00:00Z\""], .date),
    (["\"2020-01-31T10:00:00Z\"", "\"2020-01-31\""], .date),
    (["\"2020-01-31T10:00:00+02:00\"", "\"soon\""], .string), (["\"2020-02-30\""], .string),
    (["\"{0F3C5A64-3C7C-4B52-9A1F-111111111111}\""], .guid), (["[1,2]", "{\"a\":1}"], .string),
    (["\"\""], .string), (["1", "12345678901234567890123"], .string),
    (["9223372036854775808"], .string), (["-9223372036854775808"], .bigInteger),
    (["1", "0.1234567890123456789012"], .double), (["1", "12345678901234567890e3"], .double),
  ])
  func `A field has the type that all values have`(values: [String], type: FieldType) async throws {
    let features = values.map { GeoJSONText.point("\"v\":\($0)") }
    let store = try await GeoJSONText.store(GeoJSONText.collection(features))
    #expect(try await store.schemas()[0].field(named: "v")?.type == type)
    #expect(try await GeoJSONText.rows(store).count == values.count)
  }

  @Test func `Whole numbers beyond 64 bits keep all digits, and texts what they say`() async throws
  {
    let text = #""t":"a \" 12345678901234567890123","n":-12345678901234567890123"#
    let store = try await GeoJSONText.store(GeoJSONText.collection([GeoJSONText.point(text)]))
    let row = try #require(try await GeoJSONText.rows(store).first)
    #expect(row.attributes["t"] == .text("a \" 12345678901234567890123"))
    #expect(row.attributes["n"] == .text("-12345678901234567890123"))
    #expect(store.damagedCount == 0)
  }

  @Test(.timeLimit(.minutes(1)))
  func `A long number is found behind others, in a time that grows with the length of the text`() {
    let decimal = "0.\(String(repeating: "1", count: 500_000))"
    for count in 17...24 {
      let text = "[\(decimal),\(String(repeating: "9", count: count))]"
      let quoted = String(decoding: LongIntegers.quoted(in: Array(text.utf8)[...]), as: UTF8.self)
      #expect(quoted.hasSuffix("9\"]") == (count >= 19))
    }
  }

  @Test(arguments: ["", ",", "]["])
  func `Features in an array are read, and one that does not end is refused`(
    _ cut: String
  ) async throws {
    let features = [GeoJSONText.point("\"a\":1"), GeoJSONText.point("\"a\":2")]
    let start = "\n[ \(features.joined(separator: " , "))"
    let rows = try await GeoJSONText.rows(try await GeoJSONText.store("\(start)]\n"))
    #expect(rows.map { $0.attributes["a"] } == [.integer(1), .integer(2)])
    await #expect(throws: FeatureStoreError.self) {
      _ = try await GeoJSONText.store("\(start)\(cut)")
    }
  }

  @Test(arguments: [String.Encoding.utf16BigEndian, .utf16LittleEndian, .utf16])
  func `A text in UTF-16 is read, which is said`(_ encoding: String.Encoding) async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).geojson")
    defer { try? FileManager.default.removeItem(at: url) }
    let text = GeoJSONText.collection([GeoJSONText.point("\"name\":\"Kölblinger 🏔\"")])
    try #require(text.data(using: encoding)).write(to: url)
    let store = try await GeoJSONFile.open(at: url)
    let row = try #require(try await GeoJSONText.rows(store).first)
    #expect(row.attributes["name"] == .text("Kölblinger 🏔"))
    #expect(store.notes == ["\"\(url.lastPathComponent)\" was read as UTF-16."])
  }

  @Test(arguments: [(1_901, "1 property is left out"), (1_903, "3 properties are left out")])
  func `Properties beyond the limit of a table are reported`(
    _ count: Int, _ reason: String
  ) async throws {
    let properties = (0..<count).map { "\"p\($0)\":\($0)" }.joined(separator: ",")
    let feature = GeoJSONText.point(properties)
    let store = try await GeoJSONText.store(GeoJSONText.collection([feature, feature]))
    let failure = try #require(store.failures.first)
    #expect(failure.reason.hasPrefix(reason), "\(failure.reason)")
    #expect(store.damagedCount == 1 && store.failures.count == 1)
    #expect(try await store.schemas()[0].fields.count == 1_901)
  }

  @Test func `Values are what the text says`() async throws {
    let text = GeoJSONText.collection([
      GeoJSONText.point(
        #""i":7,"d":0.5,"b":true,"t":"é\n","w":"2020-01-31T10:00:00+02:00","n":null,"l":[1,"x"]"#),
      GeoJSONText.point(#""t":"","d":3,"extra":1"#),
    ])
    let rows = try await GeoJSONText.rows(try await GeoJSONText.store(text))
    let first = rows[0].attributes
    #expect(first["OBJECTID"] == .integer(1))
    #expect(first["i"] == .integer(7))
    #expect(first["d"] == .double(0.5))
    #expect(first["b"] == .integer(1))
    #expect(first["t"] == .text("é\n"))
    #expect(first["w"] == .date(Date(timeIntervalSince1970: 1_580_457_600)))
    #expect(first["n"] == .null)
    #expect(first["l"] == .text(#"[1,"x"]"#))
    #expect(first["extra"] == .null)
    #expect(rows[1].attributes["d"] == .double(3))
    #expect(rows[1].attributes["extra"] == .integer(1))
    #expect(rows[1].attributes["i"] == .null)
  }

  @Test(arguments: [
    (["5", "9"], [5, 9], "OBJECTID"), (["9", "5"], [1, 2], "OBJECTID"),
    (["\"a\"", "\"b\""], [1, 2], "OBJECTID"), (["1", "5000000000"], [1, 2], "OBJECTID"),
    (["0", "1"], [1, 2], "OBJECTID"), (["1.5", "2"], [1, 2], "OBJECTID"),
  ])
  func `Ids are kept, as object ids where they can be`(
    ids: [String], objectIDs: [Int64], field: String
  ) async throws {
    let store = try await GeoJSONText.store(
      GeoJSONText.collection(ids.map { GeoJSONText.point("\"a\":1", id: $0) }))
    #expect(try await GeoJSONText.rows(store).map(\.objectID) == objectIDs)
    let schema = try await store.schemas()[0]
    #expect(schema.objectIDField == field)
    #expect((schema.field(named: "id") == nil) == (objectIDs != [1, 2]))
  }

  @Test func `A property that repeats the id is the object id`() async throws {
    let store = try await GeoJSONText.store(
      GeoJSONText.collection([
        GeoJSONText.point("\"a\":3,\"FID\":3", id: "3"),
        GeoJSONText.point("\"a\":1,\"FID\":8", id: "8"),
      ]))
    let schema = try await store.schemas()[0]
    #expect(schema.objectIDField == "FID")
    #expect(schema.fields.map(\.name) == ["a", "FID"])
    #expect(schema.field(named: "FID")?.type == .objectID)
  }

  @Test func `Single and multiple shapes share a table`() async throws {
    let store = try await GeoJSONText.store(
      GeoJSONText.collection([
        GeoJSONText.shape("Point", "[1,2]"), GeoJSONText.shape("MultiPoint", "[[1,2],[3,4,5]]"),
        "{\"type\":\"Feature\",\"geometry\":null,\"properties\":null}",
      ]))
    let schema = try await store.schemas()
    #expect(schema.map(\.geometryType) == [.multipoint])
    #expect(schema[0].hasZ)
    let rows = try await GeoJSONText.rows(store)
    #expect(rows.map(\.geometry?.type) == [.multipoint, .multipoint, nil])
    #expect(
      try await store.extent(of: "file", matching: QueryParameters())
        == Envelope(xMin: 1, yMin: 2, xMax: 3, yMax: 4))
  }

  @Test func `Each family of shapes has a table of its own`() async throws {
    let store = try await GeoJSONText.store(
      GeoJSONText.collection(
        [
          GeoJSONText.shape("Point", "[1,2]"), GeoJSONText.shape("LineString", "[[1,2],[3,4]]"),
          GeoJSONText.shape("Polygon", "[[[0,0],[0,1],[1,1],[0,0]]]"),
          GeoJSONText.shape("MultiLineString", "[[[1,2],[3,4]]]"),
          "{\"type\":\"Feature\",\"geometry\":null,\"properties\":{\"kind\":\"none\"}}",
        ], members: "\"name\":\"all\","))
    let schemas = try await store.schemas()
    #expect(schemas.map(\.name) == ["all_points", "all_lines", "all_areas", "all_no_shape"])
    #expect(schemas.map(\.geometryType) == [.point, .polyline, .polygon, nil])
    var counts: [Int] = []
    for schema in schemas {
      counts.append(try await store.count(in: schema.name, matching: QueryParameters()))
    }
    #expect(counts == [1, 2, 1, 1])
  }

  @Test(arguments: [
    ("", 4326),
    (#""crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}},"#, 4326),
    (#""crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::3857"}},"#, 3857),
    (#""crs":{"type":"name","properties":{"name":"EPSG:25832"}},"#, 25_832),
    (#""crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:ESRI::102039"}},"#, 102_039),
    (
      #""crs":{"type":"name","properties":{"name":"http://www.opengis.net/def/crs/EPSG/0/25832"}},"#,
      25_832
    ),
    (#""crs":{"properties":{"name":"https://www.opengis.net/def/crs/OGC/1.3/CRS84"}},"#, 4326),
    (#""crs":{"properties":{"name":"http://www.opengis.net/gml/srs/epsg.xml#25832"}},"#, 25_832),
    (#""crs":{"properties":{"name":"urn:ogc:def:crs:EPSG:9.8.3:25832"}},"#, 25_832),
    (#""crs":{"type":"EPSG","properties":{"code":3857,"coordinate_order":[0,1]}},"#, 3857),
    (#""crs":{"type":"EPSG","properties":{"code":"25832"}},"#, 25_832),
    (#""crs":{"type":"name","properties":{"name":25832}},"#, 25_832), (#""crs":25832,"#, 25_832),
    (#""crs":"EPSG:3857","#, 3857),
    (#""crs":null,"#, 4326),
  ])
  func `A member says what the coordinates mean`(members: String, wkid: Int) async throws {
    let store = try await GeoJSONText.store(
      GeoJSONText.collection([GeoJSONText.point("")], members: members))
    #expect(try await store.schemas()[0].spatialReference?.currentWKID == wkid)
  }

  @Test(arguments: [
    #""crs":{"type":"link"},"#, #""crs":{"properties":{"name":"local"}},"#,
    #""crs":{"type":"EPSG","properties":{}},"#, #""crs":"local","#, #""crs":0,"#, #""crs":true,"#,
  ])
  func `A reference that is not known is refused`(members: String) async throws {
    await #expect(throws: FeatureStoreError.self) {
      try await GeoJSONText.store(
        GeoJSONText.collection([GeoJSONText.point("")], members: members))
    }
  }

  @Test func `Numbers that are none are no values`() async throws {
    let store = try await GeoJSONText.store(
      GeoJSONText.collection([
        GeoJSONText.point(#""a":NaN,"b":"NaN \" NaN","c":1"#),
        GeoJSONText.point(#""a":2.5,"b":"\\","c":NaN"#),
        GeoJSONText.point(#""a":NaN,"b":,"c":1"#),
      ]))
    let name = try #require(try await store.schemas().first?.name)
    let rows = try await store.features(in: name, matching: .init()).collect()
    #expect(rows.map { $0.attributes["a"] } == [.null, .double(2.5)])
    #expect(rows.map { $0.attributes["b"] } == [.text("NaN \" NaN"), .text("\\")])
    #expect(rows.map { $0.attributes["c"] } == [.integer(1), .null])
    #expect(store.damagedCount == 1)
  }

  @Test func `Features one after the other are a collection too`() async throws {
    let lines = [
      GeoJSONText.point("\"a\":1"), GeoJSONText.point("\"a\":2"), GeoJSONText.point("\"a\":3"),
    ]
    for text in [
      lines.joined(separator: "\n"), "\u{FEFF}" + lines.joined(separator: "\r\n") + "\n",
      lines.map { "\u{1E}\($0)\n" }.joined(),
    ] {
      let rows = try await GeoJSONText.rows(try await GeoJSONText.store(text))
      #expect(rows.map { $0.attributes["a"] } == [.integer(1), .integer(2), .integer(3)])
    }
  }

  @Test(arguments: [
    "{\"type\":\"Feature\",\"geom", "{\"type\":\"Feature\"", "{\"a\":[1", "{\"a\" 1}", "{,}",
    "hello", "12", "]",
    "{\"type\":\"FeatureCollection\",\"features\":[", "{\"a\":\"\\",
  ])
  func `A damaged record of a text sequence is left out, and the next ones are read`(
    _ record: String
  ) async throws {
    let sound = GeoJSONText.point("\"a\":1")
    for records in [[record, sound, sound], [sound, record, sound], [sound, sound, record]] {
      for end in ["\n", ""] {
        let store = try await GeoJSONText.store(records.map { "\u{1E}\($0)\(end)" }.joined())
        let rows = try await GeoJSONText.rows(store)
        #expect(rows.map { $0.attributes["a"] } == [.integer(1), .integer(1)], "\(records)")
        #expect(store.damagedCount >= 1 && store.failures.count == store.damagedCount)
      }
    }
    // Two halves of a feature are none.
    let halves = "\u{1E}{\"type\":\"Feature\",\"properties\":[1\n\u{1E}2]}\n\u{1E}\(sound)\n"
    let store = try await GeoJSONText.store(halves)
    #expect(try await GeoJSONText.rows(store).count == 1 && store.damagedCount == 2)
  }

  @Test func `The features before the end of a collection that is cut off are read`() async throws {
    let sound = GeoJSONText.point("\"a\":1")
    let cut = "{\"type\":\"FeatureCollection\",\"features\":[\(sound),{\"type\":\"Fea"
    let store = try await GeoJSONText.store("\u{1E}\(cut)\n\u{1E}\(sound)\n")
    #expect(try await GeoJSONText.rows(store).count == 2 && store.damagedCount == 1)
  }

  @Test func `A geometry alone is a feature without properties`() async throws {
    let store = try await GeoJSONText.store(#"{"type":"Point","coordinates":[1,2]}"#)
    let rows = try await GeoJSONText.rows(store)
    #expect(rows.map(\.geometry) == [.point(Point(x: 1, y: 2))])
  }

  @Test func `Members may be in any order, with anything between`() async throws {
    let text = """
      { "features" : [ \(GeoJSONText.point(#""t":"}]\\\"{""#)) ] , "bbox":[1,2,3,4],
        "name" : "late" , "x": {"a":[{}]}, "crs":{"properties":{"name":"EPSG:3857"}},
        "type":"FeatureCollection" }
      """
    let store = try await GeoJSONText.store(text)
    let schema = try await store.schemas()[0]
    #expect(schema.name == "late")
    #expect(schema.spatialReference?.isWebMercator == true)
    #expect(try await GeoJSONText.rows(store)[0].attributes["t"] == .text(#"}]\"{"#))
  }

  @Test func `Damaged features are reported and left out`() async throws {
    let store = try await GeoJSONText.store(
      GeoJSONText.collection([
        GeoJSONText.point("\"a\":1"), "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\"}}",
        "[1}", GeoJSONText.point("\"a\":nan"),
        GeoJSONText.shape("GeometryCollection", "[]"), "null", GeoJSONText.point("\"a\":2"),
      ]))
    let rows = try await GeoJSONText.rows(store)
    #expect(rows.map { $0.attributes["a"] } == [.integer(1), .null, .integer(2)])
    #expect(store.damagedCount == 5)
    #expect(store.failures.map(\.item) == (2...6).map { "feature \($0)" })
    // A sound feature whose shape is not supported is kept without it.
    #expect(rows[1].attributes["kind"] == .text("GeometryCollection") && rows[1].geometry == nil)
    #expect(
      store.failures[3].reason
        == "it has a geometry collection, which is not supported; it is kept without a shape")
  }
}
