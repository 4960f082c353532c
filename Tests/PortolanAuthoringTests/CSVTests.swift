import Foundation
import PortolanConversion
import PortolanFeatures
import PortolanGeometry
import PortolanTestSupport
import Testing

@testable import PortolanAuthoring

@Suite(.temporaryDirectory) struct CSVTests {
  private func write(_ text: String) throws -> URL {
    let url = temporaryDirectory.appending(path: "table.csv")
    try Data(text.utf8).write(to: url)
    return url
  }

  private func records(_ text: String) throws -> [[String]] {
    var records = try CSVRecords(at: write(text))
    var all: [[String]] = []
    while let record = try records.next() { all.append(record) }
    return all
  }

  private func features(_ text: String) async throws -> [Feature] {
    let copy = temporaryDirectory.appending(path: "table.geojson")
    var losses = ConversionResult()
    try CSVTranscript(source: write(text), x: nil, y: nil, reference: nil)
      .write(to: copy, losses: &losses)
    let store = try await GeoJSONFile.open(at: copy)
    let name = try #require(try await store.schemas().first?.name)
    return try await store.features(in: name, matching: QueryParameters()).collect()
  }

  @Test func `Cells are read as they were written`() throws {
    let text = "a,b\r\n\"1, \"\"one\"\"\nline\",2\r\n\r\n,\"\"\nlast,line"
    #expect(
      try records(text) == [["a", "b"], ["1, \"one\"\nline", "2"], ["", ""], ["last", "line"]])
  }

  @Test func `Empty lines are skipped, however many there are`() throws {
    let blank = String(repeating: "\n", count: 200_000)
    #expect(try records("a,b\n\(blank)1,2\n\(blank)") == [["a", "b"], ["1", "2"]])
    var records = try CSVRecords(at: write("a\n\n\nb\n"))
    _ = try records.next()
    _ = try records.next()
    #expect(records.line == 4)
  }

  @Test(arguments: [";", "\t"]) func `Other separators are found`(_ separator: String) throws {
    let text = "a\(separator)b\(separator)c,d\n1\(separator)2\(separator)3"
    #expect(try records(text) == [["a", "b", "c,d"], ["1", "2", "3"]])
  }

  @Test func `A reference beside a text that is not understood is named, and counts as missing`()
    async throws
  {
    try Data("garbage".utf8).write(to: temporaryDirectory.appending(path: "table.prj"))
    let copy = temporaryDirectory.appending(path: "table.geojson")
    let cases: [(SpatialReference?, isNamed: Bool)] = [
      (nil, true), (SpatialReference(wkid: 32_619), false),
    ]
    for (reference, isNamed) in cases {
      var losses = ConversionResult()
      let found = try CSVTranscript(
        source: write("x,y\n419825,4872358\n"), x: nil, y: nil, reference: reference
      ).write(to: copy, losses: &losses)
      #expect(found == reference)
      #expect(losses.notes.contains { $0.contains("\"table.prj\"") } == isNamed)
    }
  }

  @Test(arguments: [
    ("LINESTRING M (1 2 5, 3 4 6)", true), ("POINT ZM (1 2 3 4)", true),
    ("LINESTRING Z (1 2 5, 3 4 6)", false),
  ])
  func `Measures, which packages do not take from texts, are noted`(
    _ shape: String, _ isNoted: Bool
  ) throws {
    var losses = ConversionResult()
    try CSVTranscript(source: write("wkt\n\"\(shape)\"\n"), x: nil, y: nil, reference: nil)
      .write(to: temporaryDirectory.appending(path: "table.geojson"), losses: &losses)
    #expect(losses.notes == (isNoted ? ["The measures of \"table.csv\" are left out."] : []))
  }

  @Test func `A byte order mark is no part of a name`() throws {
    #expect(try records("\u{FEFF}a,b\n") == [["a", "b"]])
  }

  @Test func `No cell is lost for the name of its column, or for having none`() async throws {
    let row = try #require(try await features("name,name,,lon,lat\nA,B,C,1,2,D\n").first)
    #expect(row.attributes["name"] == .text("A") && row.attributes["name_2"] == .text("B"))
    #expect(row.attributes["column_3"] == .text("C") && row.attributes["column_6"] == .text("D"))
  }

  @Test func `Codes with more digits than a number holds stay texts`() async throws {
    let rows = try await features("code\n9007199254740993\n99999999999999999999\n")
    #expect(
      rows.map { $0.attributes["code"] }
        == [.text("9007199254740993"), .text("99999999999999999999")])
  }

  @Test(arguments: [["9007199254740993", "1.5"], ["1.5", "9007199254740993"]])
  func `Long whole numbers beside fractions stay texts, whichever comes first`(
    _ cells: [String]
  ) async throws {
    let rows = try await features("code\n\(cells[0])\n\(cells[1])\n")
    #expect(rows.map { $0.attributes["code"] } == cells.map(AttributeValue.text))
  }

  @Test func `Long whole numbers beside others stay numbers`() async throws {
    let rows = try await features("code\n9007199254740993\n-1\n")
    #expect(rows.map { $0.attributes["code"] } == [.integer(9_007_199_254_740_993), .integer(-1)])
  }

  @Test func `Numbers are numbers only where all cells are, and codes stay texts`() async throws {
    let rows = try await features("n,code,mixed\n1,0612,3\n2,0001,x\n")
    #expect(rows.map { $0.attributes["n"] } == [.integer(1), .integer(2)])
    #expect(rows.map { $0.attributes["code"] } == [.text("0612"), .text("0001")])
    #expect(rows.map { $0.attributes["mixed"] } == [.text("3"), .text("x")])
  }

  @Test(arguments: ["+4930123456", "12E4"])
  func `Codes of which a number would lose a part stay texts`(_ code: String) async throws {
    let rows = try await features("code\n\(code)\n")
    #expect(rows.map { $0.attributes["code"] } == [.text(code)])
  }

  @Test func `Numbers with a plus in front are numbers`() async throws {
    let rows = try await features("n,whole,code\n+1.5,+5,+05\n-2,6,7\n")
    #expect(rows.map { $0.attributes["n"] } == [.double(1.5), .double(-2)])
    #expect(rows.map { $0.attributes["whole"] } == [.integer(5), .integer(6)])
    #expect(rows.map { $0.attributes["code"] } == [.text("+05"), .text("7")])
  }

  @Test(
    arguments: [
      (Data([0x61, 0x0A, 0xE9, 0x0A]), "Windows-1252"),
      (Data([0xFF, 0xFE, 0x61, 0, 0x0A, 0, 0xE9, 0, 0x0A, 0]), "UTF-16"),
      (Data([0x61, 0x0A, 0xC3, 0xA9, 0x0A]), nil),
    ] as [(Data, String?)])
  func `The encoding that a text is read in is reported`(_ data: Data, _ name: String?) async throws
  {
    let url = temporaryDirectory.appending(path: "table.csv")
    try data.write(to: url)
    let copy = temporaryDirectory.appending(path: "table.geojson")
    var losses = ConversionResult()
    try CSVTranscript(source: url, x: nil, y: nil, reference: nil)
      .write(to: copy, losses: &losses)
    #expect(losses.notes.count == (name == nil ? 0 : 1))
    #expect(losses.notes.allSatisfy { $0.contains(name ?? "nothing") })
    let store = try await GeoJSONFile.open(at: copy)
    let table = try #require(try await store.schemas().first?.name)
    let rows = try await store.features(in: table, matching: QueryParameters()).collect()
    #expect(rows.map { $0.attributes["a"] } == [.text("é")])
  }

  @Test func `Coordinates become points`() async throws {
    let rows = try await features("name,Latitude,LON\nA,44.5,-68.25\nB,,\n")
    #expect(rows.first?.geometry == .point(Point(x: -68.25, y: 44.5)))
    #expect(rows.last?.geometry == nil)
    #expect(rows.first?.attributes.fields.contains { $0.name == "LON" } == false)
  }

  @Test func `Texts and numbers that JSON writes otherwise come through`() async throws {
    let rows = try await features(
      "t,n,LON,lat\n\"a \"\"q\"\" \\ ä\",1e3, 5 ,-0.50\n\tx,.5,+1,2\n\u{1},-0.25,1.5,\n")
    #expect(
      rows.map { $0.attributes["t"] } == [.text("a \"q\" \\ ä"), .text("\tx"), .text("\u{1}")])
    #expect(rows.map { $0.attributes["n"] } == [.double(1000), .double(0.5), .double(-0.25)])
    #expect(
      rows.map(\.geometry) == [.point(Point(x: 5, y: -0.5)), .point(Point(x: 1, y: 2)), nil])
  }

  @Test func `A column that is not there is named`() throws {
    let url = try write("a,b\n1,2\n")
    #expect(throws: CSVFault.self) { try CSVSurvey(at: url, x: "east", y: "b") }
  }

  @Test func `An unclosed quote is reported with its line`() throws {
    let error = #expect(throws: (any Error).self) {
      try records("a,b\n1,\"two\nlines\"\n3,\"open\n4,5\n")
    }
    #expect(error?.localizedDescription.contains("in line 4: a quote is not closed") == true)
  }

  @Test func `An empty file is refused`() throws {
    let url = try write("")
    #expect(throws: CSVFault.self) { try CSVSurvey(at: url, x: nil, y: nil) }
  }

  @Test func `Shapes are found as a conversion finds them`() async throws {
    let rows = try await features(
      "lat,lon,wkt\n1,2,\"LINESTRING (1 2, 3 4)\"\n3,4,\"SRID=4326;LINESTRING Z (5 6 7, 8 9 1)\"\n")
    #expect(rows.map { $0.geometry?.type } == [.polyline, .polyline])
    #expect(rows.map { $0.attributes["lat"] } == [.integer(1), .integer(3)])
    let points = try await features("x;y;elevation\n1,5;2;250\n")
    #expect(points.map(\.geometry) == [.point(Point(x: 1.5, y: 2, z: 250))])
    #expect(points[0].attributes["elevation"] == .integer(250))
  }

  @Test func `Cells that are no shapes are reported with their lines`() throws {
    var losses = ConversionResult()
    let text = "wkt\nPOINT (1 2)\nMain Street\n\nSRID=987654;POINT (1 2)\n"
    let reference = try CSVTranscript(source: write(text), x: nil, y: nil, reference: nil)
      .write(to: temporaryDirectory.appending(path: "table.geojson"), losses: &losses)
    #expect(reference == .wgs84 && losses.failures.map(\.item) == ["line 3", "line 5"])
  }

  @Test(
    arguments: [
      ("x,y\n500000,4000000\n", nil, nil), ("east,north\n5,4\n", nil, nil),
      ("x,y\n500000,4000000\n", 32_619, 32_619), ("lon,lat\n1,2\n", nil, 4326),
      ("wkt\nSRID=3857;POINT (1 2)\n", nil, 3857), ("wkt\nSRID=3857;POINT (1 2)\n", 4326, 4326),
    ] as [(String, Int?, Int?)])
  func `What coordinates mean is known or not`(_ text: String, _ given: Int?, _ found: Int?) throws
  {
    var losses = ConversionResult()
    let reference = try CSVTranscript(
      source: write(text), x: nil, y: nil,
      reference: given.map { SpatialReference(wkid: $0, latestWKID: $0) }
    ).write(to: temporaryDirectory.appending(path: "table.geojson"), losses: &losses)
    #expect(reference?.currentWKID == found && losses.failureCount == 0)
  }

  @Test func `Columns that are named go before all others`() throws {
    let url = try write("wkt,x,y,east,north\nPOINT (1 2),3,4,5,6\n")
    let survey = try CSVSurvey(at: url, x: "East", y: "north")
    #expect(survey.columns.map(\.name) == ["wkt", "x", "y"])
  }
}
