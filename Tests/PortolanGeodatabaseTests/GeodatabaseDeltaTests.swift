import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Testing

/// Changes between a copy and its service, in a geodatabase.
@Suite(.temporaryDirectory) struct GeodatabaseDeltaTests {
  private static let ids = (1...9).map { "{00000000-0000-4000-8000-00000000000\($0)}" }

  private static let schema = FeatureTableSchema(
    name: "Towns", geometryType: .point, spatialReference: .webMercator,
    fields: [
      Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
      Field("NAME", .string, length: 40), Field("BUILT", .date),
      Field("GlobalID", .globalID, length: 38, isNullable: false, isEditable: false),
    ], globalIDField: "GlobalID")

  private static func town(_ id: Int64, _ name: String, _ globalID: String) -> Feature {
    Feature(
      objectID: id,
      attributes: Attributes(
        FieldList(schema.fields),
        [
          .integer(id), .text(name), .date(Date(timeIntervalSince1970: 1_000_000)),
          .text(globalID),
        ]), geometry: .point(Point(x: -7_600_000, y: 5_500_000)))
  }

  private var delta: GeodatabaseDelta {
    GeodatabaseDelta(
      replicaID: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
      layers: [
        GeodatabaseDelta.Layer(
          layerID: 3, schema: Self.schema, serverGeneration: 2590,
          adds: [Self.town(5, "New", Self.ids[0]), Self.town(6, "Newer", Self.ids[1])],
          updates: [Self.town(2, "Renamed", Self.ids[2])], deletes: [Self.ids[3]],
          addedFiles: [
            GeodatabaseDelta.File(
              NewAttachment(
                name: "a.txt", contentType: "text/plain", data: Data("note".utf8), id: 7,
                globalID: Self.ids[4]), parentGlobalID: Self.ids[0])
          ], deletedFiles: [Self.ids[5]])
      ],
      results: [
        GeodatabaseDelta.EditResult(
          objectID: nil, globalID: Self.ids[6], isSuccess: false, code: 1019,
          reason: "Object not found.", kind: .update, layerID: 3)
      ])
  }

  private func written() throws -> URL {
    let url = temporaryDirectory.appending(path: "d.geodatabase")
    var count: UInt8 = 0
    try delta.write(to: url, now: Date(timeIntervalSince1970: 0)) {
      count += 1
      return UUID(uuid: (9, count, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }
    return url
  }

  @Test func `A written delta is read back`() throws {
    let read = try GeodatabaseDelta(readingFrom: try written())
    #expect(read.replicaID == delta.replicaID)
    #expect(read.results == delta.results)
    let (layer, wanted) = (try #require(read.layers.first), delta.layers[0])
    #expect(read.layers.count == 1)
    #expect(layer.layerID == 3 && layer.serverGeneration == 2590)
    #expect(layer.adds.map(\.objectID) == [5, 6])
    #expect(layer.adds.map(\.attributes.values) == wanted.adds.map(\.attributes.values))
    #expect(layer.adds.map(\.geometry) == wanted.adds.map(\.geometry))
    #expect(layer.updates.map { $0.attributes["NAME"] } == [.text("Renamed")])
    #expect(layer.deletes == wanted.deletes)
    #expect(layer.addedFiles == wanted.addedFiles)
    #expect(layer.deletedFiles == wanted.deletedFiles)
    #expect(layer.schema.spatialReference?.isWebMercator == true)
  }

  @Test func `A field that is called as the column of the shapes keeps its values`() throws {
    var schema = Self.schema
    schema.fields[1].name = "Shape"
    var town = Self.town(5, "New", Self.ids[0])
    town.attributes = Attributes(FieldList(schema.fields), town.attributes.values)
    var changed = delta
    changed.layers = [
      GeodatabaseDelta.Layer(layerID: 3, schema: schema, serverGeneration: 1, adds: [town])
    ]
    let url = temporaryDirectory.appending(path: "shape.geodatabase")
    try changed.write(to: url, now: Date(timeIntervalSince1970: 0)) { UUID() }
    let read = try #require(try GeodatabaseDelta(readingFrom: url).layers.first?.adds.first)
    #expect(read.attributes["Shape"] == .text("New"))
    #expect(read.geometry == town.geometry)
  }

  @Test func `Large attachments are read as they are, and leave nothing beside the file`() throws {
    var large = delta
    let photos = [400_000, 262_144, 262_143, 0].enumerated().map { number, count in
      GeodatabaseDelta.File(
        NewAttachment(
          name: "\(number).jpg", contentType: "image/jpeg",
          data: Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }),
          id: Int64(10 + number),
          globalID: "{00000000-0000-0000-0000-00000000000\(number)}"),
        parentGlobalID: Self.ids[0])
    }
    large.layers[0].addedFiles = photos
    let url = temporaryDirectory.appending(path: "large.geodatabase")
    try large.write(to: url, now: Date(timeIntervalSince1970: 0)) { UUID() }
    let read = try GeodatabaseDelta(readingFrom: url)
    #expect(read.layers.first?.addedFiles == photos)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: temporaryDirectory.path(percentEncoded: false))
    #expect(names == ["large.geodatabase"])
    // They are as they were even if the file is not there any more.
    try FileManager.default.removeItem(at: url)
    #expect(read.layers.first?.addedFiles == photos)
  }

  @Test func `The tables are those of an upload that was seen`() throws {
    let connection = try Connection(at: try written(), access: .immutable)
    func text(_ sql: String) throws -> String {
      let query = try connection.query(sql)
      return try query.step() ? query.text(at: 0) : ""
    }
    #expect(
      try text("SELECT ReplicaGUID || ServerGen FROM GDB_DataChanges")
        == "{01020304-0506-0708-090A-0B0C0D0E0F10}0")
    #expect(
      try text(
        "SELECT Name || Type || LayerID || typeof(ServerGen) FROM GDB_DataChangesDatasets")
        == "main.Towns23text")
    #expect(
      try text(
        """
        SELECT group_concat(i.Name || d.ChangeType) FROM GDB_DataChangesDeltas d
        JOIN GDB_Items i ON i.ObjectID = d.RecordsetClassID WHERE d.ChangedDatasetID = 1
        """) == "main.T_1_inserts1,main.T_1_updates2,main.T_1_deletes3")
    #expect(try text("SELECT count(*) FROM T_1_inserts") == "2")
  }

  @Test func `A file without changes is refused`() throws {
    let plain = temporaryDirectory.appending(path: "p.geodatabase")
    let writer = try GeodatabaseWriter(
      at: plain, GeodatabaseDefinition(name: "p", tables: [.init(Self.schema)]), now: .distantPast
    ) { UUID() }
    try writer.finish()
    #expect(throws: FeatureStoreError.self) { try GeodatabaseDelta(readingFrom: plain) }
    let text = temporaryDirectory.appending(path: "t.geodatabase")
    try Data("SQLite format 3 and more".utf8).write(to: text)
    #expect(throws: FeatureStoreError.self) { try GeodatabaseDelta(readingFrom: text) }
  }

  private func read(after statements: String...) throws -> GeodatabaseDelta {
    let url = try written()
    let connection = try Connection(at: url, access: .edit)
    try connection.execute("PRAGMA ignore_check_constraints = ON")
    for statement in statements { try connection.execute(statement) }
    return try GeodatabaseDelta(readingFrom: url)
  }

  @Test func `Attachments of features that have not changed are read as well`() throws {
    let read = try read(
      after: "DELETE FROM GDB_DataChangesDatasets WHERE Name = 'main.Towns'",
      "UPDATE GDB_DataChangesDatasets SET Name = 'main.towns__attach'")
    let layer = try #require(read.layers.first)
    #expect(read.layers.count == 1 && layer.layerID == 3 && layer.adds.isEmpty)
    #expect(layer.addedFiles == delta.layers[0].addedFiles)
    #expect(layer.deletedFiles == delta.layers[0].deletedFiles)
  }

  @Test func `A feature whose shape cannot be read is distinguished from the others`() throws {
    let read = try read(
      after: "UPDATE T_1_inserts SET SHAPE = x'0102' WHERE NAME = 'New'",
      "UPDATE T_1_deletes SET SHAPE = x'0102'")
    let layer = try #require(read.layers.first)
    #expect(layer.adds.map(\.objectID) == [6] && layer.updates.count == 1)
    #expect(layer.deletes == delta.layers[0].deletes)
    #expect(layer.incomplete.map { $0.feature.attributes["GlobalID"] } == [.text(Self.ids[0])])
    for row in layer.incomplete { #expect(row.feature.geometry == nil && !row.reason.isEmpty) }
  }

  @Test(arguments: ["T_1_inserts", "T_1_updates", "T_1_deletes"])
  func `A row that does not say which it is is not passed over`(_ table: String) throws {
    #expect(throws: FeatureStoreError.self) {
      try read(
        after: """
          UPDATE \(table) SET GlobalID = x'00' WHERE rowid = (SELECT min(rowid) FROM \(table))
          """)
    }
  }

  @Test func `An attachment without contents is an empty one, or none that can be taken in`() throws
  {
    let empty = try read(after: "UPDATE T_2_inserts SET DATA = NULL, DATA_SIZE = 0")
    #expect(empty.layers[0].addedFiles.map(\.attachment.data) == [Data()])
    #expect(throws: FeatureStoreError.self) {
      try read(after: "UPDATE T_2_inserts SET DATA = NULL")
    }
    #expect(throws: FeatureStoreError.self) {
      try read(after: "UPDATE T_2_inserts SET REL_GLOBALID = NULL")
    }
  }

  @Test(arguments: [
    "UPDATE GDB_DataChangesDeltas SET ChangeType = 99 WHERE ID = 1",
    "UPDATE GDB_DataChangesDeltas SET ChangeType = NULL WHERE ID = 2",
    "UPDATE GDB_DataChangesDeltas SET RecordsetClassID = 4711 WHERE ID = 3",
    "UPDATE GDB_Items SET Name = NULL WHERE Name = 'main.T_1_deletes'", "DROP TABLE T_1_updates",
  ])
  func `Changes that cannot be found or understood are not passed over`(statement: String) throws {
    #expect(throws: FeatureStoreError.self) { try read(after: statement) }
  }

  @Test func `Attachments belong to their table whatever the case of its name`() throws {
    let read = try read(
      after: "UPDATE GDB_DataChangesDatasets SET Name = 'main.TOWNS__attach' WHERE ID = 2")
    #expect(read.layers.count == 1)
    #expect(read.layers.first?.adds.count == 2)
    #expect(read.layers.first?.addedFiles == delta.layers[0].addedFiles)
    #expect(read.layers.first?.deletedFiles == delta.layers[0].deletedFiles)
  }

  @Test func `Changed tables of changes are damage or nothing, never a crash`() throws {
    for statement in [
      "DROP TABLE GDB_DataChangesDatasets", "DROP TABLE GDB_DataChangesDeltas",
      "UPDATE GDB_DataChanges SET ReplicaGUID = 'x'", "DROP TABLE T_1_inserts",
      "UPDATE GDB_DataChangesDeltas SET ChangeType = 99",
      "UPDATE GDB_DataChangesDatasets SET Name = NULL, LayerID = 'x'",
      "UPDATE GDB_Items SET Name = NULL", "DROP TABLE GDB_DataChangesEditResults",
    ] {
      let url = try written()
      let connection = try Connection(at: url, access: .readWrite)
      try connection.execute(statement)
      do { _ = try GeodatabaseDelta(readingFrom: url) } catch {
        #expect(error.errorDescription?.isEmpty == false)
      }
    }
  }
}
