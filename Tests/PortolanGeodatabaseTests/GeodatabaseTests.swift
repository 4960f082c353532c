import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// Reading what ``Example`` writes, in full and with parts of it taken away.
@Suite(.temporaryDirectory) struct GeodatabaseTests {
  /// The source by which a file identifies its tables.
  enum Source: CaseIterable {
    case service
    case definitions
    case columns
  }

  /// The table between two others is listed like any other.
  private static let tables = ["Parks", "Trails", "Rangers", "ParkRangers"]

  /// Writes the example and leaves only some of what describes it.
  private func example(_ source: Source = .service) throws -> URL {
    let url = temporaryDirectory.appending(path: "example.geodatabase")
    try Example.write(to: url)
    guard source != .service else { return url }
    let connection = try Connection(at: url, access: .readWrite)
    try connection.execute("DROP TABLE GDB_ServiceItems")
    guard source != .definitions else { return url }
    for table in ["GDB_Items", "GDB_TableRegistry", "GDB_ColumnRegistry", "GDB_Layers"] {
      try connection.execute("DROP TABLE \(table)")
    }
    return url
  }

  private func triggers(of connection: borrowing Connection) throws -> [String] {
    let query = try connection.query("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
    var names: [String] = []
    while try query.step() { names.append(query.text(at: 0)) }
    return names
  }

  private func open(_ source: Source = .service) throws -> Geodatabase {
    try Geodatabase.open(at: example(source))
  }

  @Test func `The schemas are those that were written`() async throws {
    let geodatabase = try open()
    #expect(try await geodatabase.schemas().map(\.name) == Self.tables)
    for written in [Example.parkSchema, Example.trailSchema, Example.rangerSchema] {
      var schema = try await geodatabase.schema(of: written.name)
      schema.extent = written.extent
      #expect(schema == written)
    }
  }

  @Test func `The XML definitions are nearly the same`() async throws {
    let schemas = try await open(.definitions).schemas()
    #expect(Set(schemas.map(\.name)) == ["Parks", "Trails", "Rangers"])
    let parks = try #require(schemas.first { $0.name == "Parks" })
    #expect(parks.alias == "Parks of Maine")
    #expect(parks.fields.map(\.name) == Example.parkSchema.fields.map(\.name))
    #expect(parks.fields.map(\.type) == Example.parkSchema.fields.map(\.type))
    #expect(parks.field(named: "NAME")?.alias == "Name")
    #expect(parks.field(named: "KIND")?.domain == Example.kinds)
    #expect(parks.field(named: "KIND")?.defaultValue == .integer(2))
    #expect(parks.typeIDField == "KIND")
    #expect(parks.types.map(\.name) == ["National", "State"])
    #expect(parks.types[1].domains == ["KIND": Example.kinds])
    #expect(parks.hasAttachments)
    #expect(parks.editorTracking == Example.parkSchema.editorTracking)
    #expect(parks.globalIDField == "GlobalID")
    #expect(parks.geometryType == .polygon)
    #expect(parks.spatialReference?.isWebMercator == true)
    #expect(parks.extent == Example.parks[0].geometry?.extent)
    try #require(parks.relationships.map(\.relatedTable) == ["Trails", "Rangers"])
    #expect(parks.relationships.map(\.keyField) == ["GlobalID", "GlobalID"])
    #expect(
      parks.relationships[1].joinTable == Example.parkSchema.relationships[1].joinTable)
    let trails = try #require(schemas.first { $0.name == "Trails" })
    #expect(trails.hasZ && trails.isChangeTracked)
    #expect(trails.field(named: "MILES")?.domain == Example.lengths)
    #expect(trails.relationships.map(\.role) == [.destination])
  }

  @Test func `A file with no more than the columns of shapes opens`() async throws {
    let geodatabase = try open(.columns)
    let schemas = try await geodatabase.schemas()
    #expect(schemas.map(\.name) == ["Parks", "Trails"])
    #expect(schemas[0].objectIDField == "OBJECTID")
    #expect(schemas[0].geometryType == .polygon)
    #expect(schemas[0].spatialReference?.isWebMercator == true)
    #expect(schemas[0].hasAttachments)
  }

  @Test(arguments: Source.allCases)
  func `The features are those that were written`(_ source: Source) async throws {
    let geodatabase = try open(source)
    let parks = try await geodatabase.features(in: "parks", matching: .init()).collect()
    #expect(parks.map(\.objectID) == [1, 2])
    #expect(parks.map(\.geometry) == Example.parks.map(\.geometry))
    #expect(parks[0].attributes["NAME"] == .text("Acadia"))
    #expect(parks[0].attributes["AREA"] == .double(198))
    #expect(parks[0].attributes["VISITED"] == .date(Example.moment))
    #expect(parks[0].attributes["PHOTO"] == .blob(Data([1, 2])))
    #expect(parks[0].attributes["GlobalID"] == .text(Example.parkID))
    #expect(parks[1].attributes["AREA"] == .null)
    let trails = try await geodatabase.features(in: "Trails", matching: .init()).collect()
    #expect(trails.map(\.objectID) == (source == .columns ? trails.map(\.objectID) : [7, 8, 12]))
    #expect(trails.map(\.geometry) == Example.trails.map(\.geometry))
    #expect(trails[0].attributes["NUMBER"] == .integer(1 << 40))
    #expect(trails[0].attributes["OPENED"] == .text("2024-02-29"))
  }

  @Test func `Old versions of rows are not shown`() async throws {
    let url = try example()
    let connection = try Connection(at: url, access: .readWrite)
    for trigger in try triggers(of: connection) {
      try connection.execute("DROP TRIGGER \"\(trigger)\"")
    }
    try connection.execute(
      "UPDATE Trails SET gdb_to_date = 2460000.5 WHERE OBJECTID = 8")
    let geodatabase = try Geodatabase.open(at: url)
    let trails = try await geodatabase.features(in: "Trails", matching: .init()).collect()
    #expect(trails.map(\.objectID) == [7, 12])
    #expect(try await geodatabase.count(in: "Trails", matching: .init()) == 2)
    let place = Coordinate(x: -68.5, y: 44.5)
    #expect(
      try await geodatabase.objectIDs(in: "Trails", touching: place, within: 0.1) == [7, 12])
  }

  @Test(
    arguments: [
      (QueryParameters(whereClause: "LABEL = 'Trail 8'"), [8]),
      (QueryParameters(whereClause: "MILES > 1.9 AND UPPER(LABEL) LIKE 'TRAIL%'"), [8, 12]),
      (QueryParameters(whereClause: "1=1"), [7, 8, 12]),
      (QueryParameters(objectIDs: [12, 7, 99]), [7, 12]), (QueryParameters(objectIDs: []), []),
      (QueryParameters(orderBy: [.init("miles", isDescending: true)]), [12, 8, 7]),
      (QueryParameters(orderBy: [.init("OPENED")], offset: 1), [8, 12]),
      (QueryParameters(offset: 1, limit: 1), [8]), (QueryParameters(limit: 0), []),
      (QueryParameters(offset: 5), []),
      (QueryParameters(extent: Envelope(xMin: -69, yMin: 52, xMax: -68.3, yMax: 52.1)), [8, 12]),
      (
        QueryParameters(
          extent: Envelope(xMin: -69, yMin: 44, xMax: -68, yMax: 45),
          orderBy: [.init("MILES", isDescending: true)], offset: 1, limit: 1), [8]
      ),
      (QueryParameters(extent: Envelope(xMin: 0, yMin: 0, xMax: 1, yMax: 1)), []),
      (QueryParameters(extent: .empty), []),
    ] as [(QueryParameters, [Int64])])
  func `A query finds what it asks for`(_ query: QueryParameters, _ ids: [Int64]) async throws {
    let url = try example()
    let geodatabase = try Geodatabase.open(at: url)
    let found = try await geodatabase.features(in: "Trails", matching: query).collect()
    #expect(found.map(\.objectID) == ids)
    if query.limit == nil, query.offset == 0 {
      #expect(try await geodatabase.count(in: "Trails", matching: query) == ids.count)
    }
    // The same without the spatial index.
    try Connection(at: url, access: .readWrite).execute("DROP TABLE st_spindex__Trails_Shape")
    let slow = try Geodatabase.open(at: url)
    #expect(try await slow.features(in: "Trails", matching: query).collect() == found)
    #expect(
      try await slow.extent(of: "Trails", matching: query)
        == geodatabase.extent(of: "Trails", matching: query))
  }

  @Test func `Fields and shapes that are not asked for are left out`() async throws {
    let query = QueryParameters(returnsGeometry: false, outFields: ["label", "OBJECTID"])
    let trails = try await open().features(in: "Trails", matching: query).collect()
    #expect(trails.allSatisfy { $0.geometry == nil })
    #expect(trails[0].attributes.fields.map(\.name) == ["LABEL", "OBJECTID"])
    #expect(trails[0].attributes.values == [.text("Trail 7"), .integer(7)])
  }

  @Test func `A great many object ids are asked for at once`() async throws {
    let query = QueryParameters(objectIDs: Array((-100_000...100_000).reversed()))
    let trails = try await open().features(in: "Trails", matching: query).collect()
    #expect(trails.map(\.objectID) == [7, 8, 12])
  }

  @Test func `Related rows are found through keys and through a table between`() async throws {
    let geodatabase = try open()
    let parks = try await geodatabase.schema(of: "Parks")
    let trails = try await geodatabase.schema(of: "Trails")
    let rangers = try await geodatabase.schema(of: "Rangers")
    let related = try await geodatabase.relatedFeatures(
      to: 1, in: "Parks", through: parks.relationships[0])
    #expect(related.map(\.objectID) == [7, 8, 12])
    let owners = try await geodatabase.relatedFeatures(
      to: 8, in: "Trails", through: trails.relationships[0])
    #expect(owners.map(\.objectID) == [1])
    let people = try await geodatabase.relatedFeatures(
      to: 1, in: "Parks", through: parks.relationships[1])
    #expect(people.map { $0.attributes["NAME"] } == [.text("Ann"), .text("Bob")])
    let workplaces = try await geodatabase.relatedFeatures(
      to: 2, in: "Rangers", through: rangers.relationships[0])
    #expect(workplaces.map(\.objectID) == [1])
    #expect(
      try await geodatabase.relatedFeatures(
        to: 99, in: "Parks", through: parks.relationships[0]) == [])
  }

  @Test(arguments: Source.allCases)
  func `Attachments are listed and read`(_ source: Source) async throws {
    let geodatabase = try open(source)
    let attachments = try await geodatabase.attachments(of: 1, in: "Parks")
    #expect(
      attachments == [Attachment(id: 1, name: "a.jpg", contentType: "image/jpeg", size: 3)])
    #expect(try await geodatabase.data(of: 1, in: "Parks") == Data([1, 2, 3]))
    #expect(try await geodatabase.attachments(of: 2, in: "Parks") == [])
    #expect(try await geodatabase.attachments(of: 7, in: "Trails") == [])
    await #expect(throws: FeatureStoreError.self) {
      try await geodatabase.data(of: 9, in: "Parks")
    }
  }

  @Test func `The description of the service is at hand`() async throws {
    let geodatabase = try open()
    #expect(try await geodatabase.tableName(ofServiceLayer: 5) == "Rangers")
    #expect(try await geodatabase.tableName(ofServiceLayer: 4) == nil)
    let resource = try await geodatabase.layerResource(of: "parks")
    #expect(resource?["drawingInfo"] == Example.drawingInfo)
    #expect(try await geodatabase.advancedDrawingInfo(of: "Parks") == nil)
    #expect(try await open(.definitions).layerResource(of: "Parks") == nil)
  }

  @Test func `Absent tables and fields are named`() async throws {
    let geodatabase = try open()
    await #expect(
      throws: FeatureStoreError.noSuchTable(
        name: "Lakes", available: Self.tables)
    ) {
      try await geodatabase.count(in: "Lakes", matching: .init())
    }
    await #expect(throws: FeatureStoreError.noSuchField(name: "DEPTH", table: "Parks")) {
      try await geodatabase.features(
        in: "Parks", matching: QueryParameters(outFields: ["DEPTH"])
      ).collect()
    }
    await #expect(throws: FeatureStoreError.noSuchField(name: "DEPTH", table: "Parks")) {
      try await geodatabase.features(
        in: "Parks", matching: QueryParameters(orderBy: [.init("DEPTH")])
      ).collect()
    }
  }

  @Test func `Names of tables are never taken for SQL`() async throws {
    let geodatabase = try open()
    for name in ["Parks\"; DROP TABLE Parks; --", "Parks' OR 1=1", "", "(SELECT 1)", "\0"] {
      await #expect(throws: FeatureStoreError.self) {
        try await geodatabase.count(in: name, matching: .init())
      }
    }
  }

  @Test func `Data in a journal beside the file is seen`() async throws {
    let url = try example()
    let writer = try Connection(at: url, access: .readWrite)
    try writer.execute("PRAGMA journal_mode = WAL")
    try writer.execute("UPDATE Rangers SET NAME = 'Cid' WHERE OBJECTID = 1")
    let geodatabase = try Geodatabase.open(at: url)
    let rangers = try await geodatabase.features(in: "Rangers", matching: .init()).collect()
    #expect(rangers.map { $0.attributes["NAME"] } == [.text("Cid"), .text("Bob")])
  }

  @Test func `A geodatabase inside another file is read in place`() async throws {
    let url = try example()
    let bytes = try Data(contentsOf: url)
    let archive = temporaryDirectory.appending(path: "archive.bin")
    try (Data(repeating: 7, count: 1_001) + bytes + Data(repeating: 9, count: 77)).write(
      to: archive)
    let region = FileRegion(url: archive, offset: 1_001, length: bytes.count)
    let geodatabase = try Geodatabase.open(at: region)
    #expect(try await geodatabase.schemas() == Geodatabase.open(at: url).schemas())
    let parks = try await geodatabase.features(in: "Parks", matching: .init()).collect()
    #expect(parks.map(\.geometry) == Example.parks.map(\.geometry))
  }
}
