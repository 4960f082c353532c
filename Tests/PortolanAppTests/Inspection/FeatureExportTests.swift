import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeoPackage
import PortolanGeodatabase
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanApp

@Suite(.temporaryDirectory) struct FeatureExportTests {
  private let store: InMemoryFeatureStore
  private let schema: FeatureTableSchema

  init() {
    let fields = [Field("OBJECTID", .objectID), Field("height", .double)]
    let list = FieldList(fields)
    schema = FeatureTableSchema(
      name: "lights", alias: "Lights", geometryType: .point, spatialReference: .webMercator,
      fields: fields)
    let features = (1...10).map { (number: Int64) in
      Feature(
        objectID: number,
        attributes: Attributes(list, [.integer(number), .double(Double(number))]),
        geometry: .point(Point(x: Double(number) * 111_319.49, y: 0)))
    }
    store = InMemoryFeatureStore([FeatureTableContents(schema: schema, features: features)])
  }

  private func ids(
    _ parameters: FeatureExport.Parameters, definition: String? = nil
  ) async throws -> [Int64] {
    let layer = InspectedLayer(
      names: ["Lights"], store: store, schema: schema, definitionExpression: definition)
    var ids: [Int64] = []
    try await FeatureExport(layer, parameters).pass {
      ids.append($0.objectID)
    } leavingOut: {
      Issue.record("\($0)")
    }
    return ids
  }

  @Test func `The layer's own condition and the person's must both hold`() async throws {
    #expect(try await ids(.init(), definition: "height < 3") == [1, 2])
    #expect(try await ids(.init(whereClause: "height > 8")) == [9, 10])
    #expect(
      try await ids(.init(whereClause: "height = 1 OR height = 9"), definition: "height < 3")
        == [1])
    #expect(try await ids(.init(whereClause: "height > 8"), definition: "") == [9, 10])
  }

  @Test func `Where nothing says what coordinates mean, a box has to be in them`() async throws {
    var unplaced = schema
    unplaced.spatialReference = nil
    let layer = InspectedLayer(names: ["Lights"], store: store, schema: unplaced)
    let box = Envelope(xMin: 0, yMin: 0, xMax: 120_000, yMax: 0)
    let native = try FeatureExport(layer, .init(box: box, coordinates: .native))
    #expect(try await native.count() == 1)
    #expect(throws: GeometryError.self) { try FeatureExport(layer, .init(box: box)) }
  }

  @Test func `A box is given in degrees, or in the layer's own units`() async throws {
    let degrees = Envelope(xMin: 1.5, yMin: -1, xMax: 3.5, yMax: 1)
    #expect(try await ids(.init(box: degrees)) == [2, 3])
    #expect(try await ids(.init(box: degrees, coordinates: .native)) == [])
    let metres = Envelope(xMin: 0, yMin: 0, xMax: 120_000, yMax: 0)
    #expect(try await ids(.init(box: metres, coordinates: .native)) == [1])
    #expect(try await ids(.init(limit: 3)) == [1, 2, 3])
  }

  @Test func `Rows that cannot be read are left out and reported`() async throws {
    let layer = InspectedLayer(
      names: [], store: PartlyUnreadableStore(store, unreadable: [2, 5]), schema: schema)
    var ids: [Int64] = []
    var unreadable: [Int64] = []
    try await FeatureExport(layer, .init(limit: 6)).pass {
      ids.append($0.objectID)
    } leavingOut: {
      unreadable.append($0.objectID)
    }
    #expect(ids == [1, 3, 4, 6])
    #expect(unreadable == [2, 5])
  }

  /// A GeoPackage with a view of four rows, the second of which cannot be computed.
  private func view() async throws -> InspectedLayer {
    let url = temporaryDirectory.appending(path: "view.gpkg")
    let connection = try Connection(at: url, access: .create)
    for statement in [
      "PRAGMA application_id = 1196444487",
      """
      CREATE TABLE gpkg_contents (table_name TEXT, data_type TEXT, identifier TEXT, min_x DOUBLE,
        min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER)
      """,
      "INSERT INTO gpkg_contents (table_name, data_type) VALUES ('Parsed', 'attributes')",
      "CREATE TABLE Notes (fid INTEGER PRIMARY KEY, number INTEGER)",
      "INSERT INTO Notes VALUES (1, -1), (2, -9223372036854775808), (3, -3), (4, NULL)",
      "CREATE VIEW Parsed AS SELECT fid, abs(number) AS a FROM Notes",
    ] {
      try connection.execute(statement)
    }
    let layers = try await InspectedLayer.tables(of: try GeoPackage.open(at: url))
    return try #require(layers.first)
  }

  @Test(
    arguments: [
      (FeatureExport.Parameters(), [1, 3, 4]), (.init(limit: 3), [1, 3]),
      (.init(orderBy: [.init("fid", isDescending: true)]), [4, 3, 1]),
      (.init(limit: 3, orderBy: [.init("fid", isDescending: true)]), [4, 3]),
      (.init(whereClause: "fid > 1", fields: ["a"]), [3, 4]),
    ] as [(FeatureExport.Parameters, [Int64])])
  func `A row that a view cannot compute is left out, and the others are read`(
    _ parameters: FeatureExport.Parameters, _ expected: [Int64]
  ) async throws {
    let export = try FeatureExport(try await view(), parameters)
    var ids: [Int64] = []
    var unreadable: [UnreadableRow] = []
    try await export.pass {
      ids.append($0.objectID)
    } leavingOut: {
      unreadable.append($0)
    }
    #expect(ids == expected)
    #expect(unreadable.map(\.objectID) == [2])
    #expect(unreadable.allSatisfy { !$0.isDamaged && $0.reason.contains("integer overflow") })
  }

  @Test func `Coordinates are in degrees unless the file's own are wanted`() async throws {
    let layer = InspectedLayer(names: [], store: store, schema: schema)
    let first = FeatureExport.Parameters(limit: 1)
    let export = try FeatureExport(layer, first)
    #expect(export.spatialReference == .wgs84)
    try await export.pass { feature in
      guard case .point(let point)? = feature.geometry else { throw CancellationError() }
      // The coordinate in the file is a millimetre less.
      #expect(point.x == 1 && point.y == 0)
    } leavingOut: {
      Issue.record("\($0)")
    }
    let native = try FeatureExport(layer, .init(limit: 1, coordinates: .native))
    #expect(native.spatialReference == .webMercator)
    try await native.pass {
      #expect($0.geometry == .point(Point(x: 111_319.49, y: 0)))
    } leavingOut: {
      Issue.record("\($0)")
    }
  }

  @Test func `Coordinates and the box are of the spatial reference that is asked for`()
    async throws
  {
    let utm = FeatureExport.Coordinates.reference(SpatialReference(wkid: 32_631))
    // As GDAL's gdaltransform says of one degree east on the equator.
    let easting = 277_404.560324
    let box = Envelope(xMin: easting - 1, yMin: -1, xMax: easting + 1, yMax: 1)
    #expect(try await ids(.init(box: box, coordinates: utm)) == [1])
    let layer = InspectedLayer(names: [], store: store, schema: schema)
    let export = try FeatureExport(layer, .init(limit: 1, coordinates: utm))
    #expect(export.spatialReference?.currentWKID == 32_631)
    try await export.pass { feature in
      guard case .point(let point)? = feature.geometry else { throw CancellationError() }
      #expect(abs(point.x - easting) < 1e-2 && abs(point.y) < 1e-2)
    } leavingOut: {
      Issue.record("\($0)")
    }
  }

  @Test(arguments: [
    ("lights", "a"), ("LIGHTS", "a"), ("Towns", "b"), ("b-id", "b"), ("t_lights", "table"),
  ])
  func `A layer is found by title, then by id, then by table`(
    name: String, table: String
  ) throws {
    func layer(_ names: [String], _ table: String) -> InspectedLayer {
      InspectedLayer(
        names: names, store: store, schema: FeatureTableSchema(name: table, fields: []))
    }
    let lists = [
      [
        layer(["Lights", "a-id"], "a"), layer(["Towns", "b-id"], "b"), layer(["a-id"], "c"),
        // As where two maps of a package show one layer.
        layer(["Lights", "d-id"], "d"),
      ],
      [layer(["t_lights", "Lights"], "table")],
    ]
    #expect(try lists.layer(named: name, in: "file").schema.name == table)
    #expect(
      throws: InspectionError.noSuchLayer(
        name: "x", file: "file", available: ["Lights", "Towns", "a-id"])
    ) { try lists.layer(named: "x", in: "file") }
  }
}
