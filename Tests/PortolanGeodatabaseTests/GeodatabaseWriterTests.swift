import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

@Suite(.temporaryDirectory) struct GeodatabaseWriterTests {
  private var url: URL { temporaryDirectory.appending(path: "new.geodatabase") }

  @Test func `A new geodatabase is sound`() throws {
    try Example.write(to: url)
    // SQLite checks the rules of columns only where it may write.
    let connection = try Connection(at: url, access: .readWrite)
    #expect(try connection.integrityCheck() == [])
    #expect(try connection.applicationID() == 0x4573_7269)
    for index in ["GDB_Items_Shape", "Parks_Shape", "Trails_Shape"] {
      #expect(try connection.text("SELECT rtreecheck('st_spindex__\(index)')") == "ok")
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: temporaryDirectory.path)
    #expect(files == ["new.geodatabase"])
  }

  @Test func `The same input gives the same bytes`() throws {
    let other = temporaryDirectory.appending(path: "other.geodatabase")
    try Example.write(to: url)
    try Example.write(to: other)
    #expect(try Data(contentsOf: url) == Data(contentsOf: other))
  }

  @Test func `Every value has the storage class of its column`() throws {
    try Example.write(to: url)
    let connection = try Connection(at: url, access: .readOnly)
    let types = try connection.row(
      """
      SELECT typeof(OBJECTID), typeof(NAME), typeof(KIND), typeof(AREA), typeof(VISITED),
        typeof(GlobalID), typeof(PHOTO), typeof(Shape) FROM Parks WHERE OBJECTID = 1
      """)
    #expect(
      types == ["integer", "text", "integer", "real", "real", "text", "blob", "blob"])
  }

  @Test func `A table that keeps its history begins with current rows`() throws {
    try Example.write(to: url)
    let connection = try Connection(at: url, access: .readWrite)
    let history = try connection.row(
      """
      SELECT count(*), min(gdb_to_date = julianday('9999-12-31 23:59:59')),
        min(gdb_from_date = julianday('1970-01-01 00:00:01')), min(gdb_archive_oid) FROM Trails
      """)
    #expect(history == ["3", "1", "1", "1"])
    #expect(try connection.text("SELECT group_concat(OBJECTID) FROM Trails_evw") == "7,8,12")
  }

  @Test func `Attachments hang on the global id of their feature`() throws {
    try Example.write(to: url)
    let connection = try Connection(at: url, access: .readOnly)
    let attachment = try connection.row(
      """
      SELECT a.ATTACHMENTID, a.ATT_NAME, a.CONTENT_TYPE, a.DATA_SIZE, length(a.DATA), p.NAME
      FROM Parks__ATTACH a JOIN Parks p ON p.GlobalID = a.REL_GLOBALID
      """)
    #expect(attachment == ["1", "a.jpg", "image/jpeg", "3", "3", "Acadia"])
  }

  @Test func `An attachment that two features share is there for each of them`() throws {
    let writer = try GeodatabaseWriter(
      at: url, Example.definition, now: Example.moment, makeID: Example.ids())
    let photo = NewAttachment(name: "a.jpg", contentType: "image/jpeg", data: Data([1]), id: 1)
    let plan = NewAttachment(name: "b.jpg", contentType: "image/jpeg", data: Data([2]), id: 2)
    try writer.append(Example.parks[0], to: "Parks", attachments: [photo])
    try writer.append(Example.parks[1], to: "Parks", attachments: [photo, plan])
    try writer.finish()
    let reader = try GeodatabaseReader(at: url)
    let first = try reader.attachments(of: 1, in: "Parks")
    let second = try reader.attachments(of: 2, in: "Parks")
    #expect(first.map(\.name) == ["a.jpg"] && first.map(\.id) == [1])
    #expect(second.map(\.name).sorted() == ["a.jpg", "b.jpg"])
    #expect(Set(second.map(\.id)) == [2, 3])
  }

  @Test func `The catalogue lists tables, domains and relationship classes`() throws {
    try Example.write(to: url)
    let connection = try Connection(at: url, access: .readOnly)
    #expect(
      try connection.text(
        "SELECT group_concat(Name) FROM (SELECT Name FROM GDB_Items WHERE ObjectID > 3)")
          == """
          Kinds,Lengths,main.Parks,main.Parks__ATTACH,main.Trails,main.Rangers,\
          main.ParkTrails,main.ParkRangers,main.Parks__ATTACHREL
          """)
    #expect(
      try connection.text("SELECT group_concat(DatasetName || ItemId) FROM GDB_ServiceItems")
        == "Example-1,Parks0,Trails1,Rangers5,ParkRangers6")
    #expect(
      try connection.text(
        """
        SELECT base_id FROM GDB_RowidGenerators g JOIN GDB_TableRegistry t USING (registration_id)
        WHERE table_name = 'Trails'
        """) == "13")
  }

  @Test func `The previous file stays until the new one is complete`() throws {
    try Data("old".utf8).write(to: url)
    do {
      let writer = try GeodatabaseWriter(
        at: url, Example.definition, now: Example.moment, makeID: Example.ids())
      try writer.append(Example.parks[0], to: "Parks")
    }
    #expect(try Data(contentsOf: url) == Data("old".utf8))
    let files = try FileManager.default.contentsOfDirectory(atPath: temporaryDirectory.path)
    #expect(files == ["new.geodatabase"])
    try Example.write(to: url)
    #expect(try Data(contentsOf: url).starts(with: Data("SQLite format 3".utf8)))
  }

  @Test func `A file is written by one writer at a time, also after one that died`() throws {
    let partial = temporaryDirectory.appending(path: ".new.geodatabase.partial")
    try Data("left behind".utf8).write(to: partial)
    let writer = try GeodatabaseWriter(
      at: url, Example.definition, now: Example.moment, makeID: Example.ids())
    #expect(throws: GeodatabaseWriterError.self) { try Example.write(to: url) }
    try writer.finish()
    try Example.write(to: url)
    #expect(!FileManager.default.fileExists(atPath: partial.path(percentEncoded: false)))
  }

  @Test func `A folder that is not there is an error that names the file`() {
    let url = temporaryDirectory.appending(path: "no/such/folder.geodatabase")
    #expect {
      _ = try GeodatabaseWriter(
        at: url, Example.definition, now: Example.moment, makeID: Example.ids())
    } throws: { error in
      guard case .notWritable(let file, _) = error as? GeodatabaseWriterError else { return false }
      return file == url.path(percentEncoded: false)
    }
  }

  @Test(arguments: Example.badRows)
  func `A row that does not fit names its table, row and field`(
    _ field: String, _ feature: Feature
  ) throws {
    let writer = try GeodatabaseWriter(
      at: url, Example.definition, now: Example.moment, makeID: Example.ids())
    #expect {
      try writer.append(feature, to: "Parks")
    } throws: { error in
      guard case .invalidValue("Parks", 9, field, _) = error as? GeodatabaseWriterError else {
        return false
      }
      return true
    }
  }

  @Test func `What does not fit is said in the words of people`() throws {
    let writer = try GeodatabaseWriter(
      at: url, Example.definition, now: Example.moment, makeID: Example.ids())
    func reason(_ change: (inout Feature) -> Void) -> String? {
      var feature = Example.parks[1]
      change(&feature)
      do throws(GeodatabaseWriterError) {
        try writer.append(feature, to: "Parks")
        return nil
      } catch {
        guard case .invalidValue(_, _, _, let reason) = error else { return nil }
        return reason
      }
    }
    #expect(
      reason { $0.attributes["NAME"] = .integer(2) }
        == "it holds a text of at most 40 characters, not 2")
    #expect(
      reason { $0.attributes["KIND"] = .integer(40_000) }
        == "it holds a whole number from -32768 to 32767, not 40000")
    #expect(reason { $0.attributes["GlobalID"] = .text("none") } == "\"none\" is not a GUID")
    #expect(
      reason { $0.geometry = .point(Point(x: 0, y: 0)) } == "the table holds areas, not points")
  }

  @Test func `A row after a bad one is written as if nothing had been`() throws {
    let writer = try GeodatabaseWriter(
      at: url, Example.definition, now: Example.moment, makeID: Example.ids())
    #expect(throws: GeodatabaseWriterError.self) {
      try writer.append(Example.badRows[0].1, to: "Parks")
    }
    #expect(try writer.append(Example.parks[0], to: "PARKS") == 1)
    #expect(throws: GeodatabaseWriterError.self) { try writer.append(Example.parks[0], to: "X") }
    #expect(throws: GeodatabaseWriterError.self) {
      try writer.append(Example.parks[0], to: "Parks")
    }
    try writer.finish()
    let connection = try Connection(at: url, access: .readWrite)
    #expect(try connection.text("SELECT count(*) FROM Parks") == "1")
    #expect(try connection.integrityCheck() == [])
  }

  @Test(arguments: ["Parks", "Trails"])
  func `Two rows with one id are found at the end, and no file is made`(_ table: String) throws {
    let writer = try GeodatabaseWriter(
      at: url, Example.definition, now: Example.moment, makeID: Example.ids())
    var feature = table == "Parks" ? Example.parks[0] : Example.trails[0]
    try writer.append(feature, to: table)
    if table == "Parks" { feature.objectID = 7 }
    try writer.append(feature, to: table)
    do {
      try writer.finish()
      Issue.record("the ids were taken for different ones")
    } catch .invalidValue(let name, let objectID, _, _) {
      #expect(name == table)
      #expect(objectID == 7)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporaryDirectory.path) == [])
  }

  @Test(arguments: Example.badSchemas)
  func `A definition that no table can be made from is refused`(
    _ reason: String, _ schema: FeatureTableSchema
  ) {
    #expect(throws: GeodatabaseWriterError.self, "\(reason)") {
      _ = try GeodatabaseWriter(
        at: url, GeodatabaseDefinition(name: "x", tables: [.init(schema)]), now: Example.moment,
        makeID: Example.ids())
    }
  }

  @Test func `Names that mean something in SQL are only names`() throws {
    let name = "Drop \"table\"; -- '\u{1F333}'"
    let schema = FeatureTableSchema(
      name: name, geometryType: .point, spatialReference: .wgs84,
      fields: [
        Field("OBJECTID", .objectID, isNullable: false), Field("select", .string, length: 9),
        Field("it's \"x\"", .integer),
      ], isChangeTracked: true)
    let writer = try GeodatabaseWriter(
      at: url, GeodatabaseDefinition(name: "x", tables: [.init(schema)]), now: Example.moment,
      makeID: Example.ids())
    try writer.append(
      Feature(
        objectID: 1, attributes: Attributes(FieldList(schema.fields)),
        geometry: .point(Point(x: 1, y: 2))), to: name)
    try writer.finish()
    let connection = try Connection(at: url, access: .readWrite)
    #expect(try connection.integrityCheck() == [])
    #expect(
      try connection.text("SELECT count(*) FROM \(SQLIdentifier.quoted(name + "_evw"))") == "1")
  }
}

extension Connection {
  /// The first value of the first row.
  func text(_ sql: String) throws -> String { try row(sql).first ?? "" }

  /// The values of the first row, as text.
  func row(_ sql: String) throws -> [String] {
    let query = try query(sql)
    guard try query.step() else { return [] }
    return (0..<query.columnCount).map { query.text(at: $0) }
  }
}
