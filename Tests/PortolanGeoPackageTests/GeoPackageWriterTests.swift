import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeoPackage
@testable import PortolanGeodatabase

@Suite(.temporaryDirectory) struct GeoPackageWriterTests {
  private var url: URL { temporaryDirectory.appending(path: "new.gpkg") }

  @Test func `A geodatabase's descriptions of its tables are kept`() throws {
    let omissions = try Example.writeGeoPackage(to: url)
    #expect(omissions == [Omission(table: "Trails", .history)])
    let schemas = try GeodatabaseReader(atGeoPackage: url).schemas()
    #expect(schemas.map(\.name) == ["Parks", "Trails", "Rangers", "ParkRangers"])
    for (found, table) in zip(schemas, Example.definition.tables) {
      var expected = table.schema
      expected.isChangeTracked = false
      expected.extent = found.extent
      // A coded value domain has no name of its own in a subtype.
      #expect(found == expected)
    }
  }

  @Test func `The same rows give the same bytes`() throws {
    let other = temporaryDirectory.appending(path: "other.gpkg")
    try Example.writeGeoPackage(to: url)
    try Example.writeGeoPackage(to: other)
    #expect(try Data(contentsOf: url) == Data(contentsOf: other))
  }

  @Test func `Features and what belongs to them come back`() throws {
    try Example.writeGeoPackage(to: url)
    let reader = try GeodatabaseReader(atGeoPackage: url)
    let parks = try reader.features(in: "Parks", matching: .init())
    #expect(parks.map(\.objectID) == [1, 2])
    #expect(parks[0].attributes["VISITED"] == .date(Example.moment))
    #expect(parks[0].attributes["AREA"] == .double(198))
    #expect(parks[0].geometry == Example.parks[0].geometry)
    #expect(parks[1].geometry == nil)
    let trails = try reader.features(in: "Trails", matching: .init())
    #expect(trails.map(\.geometry) == Example.trails.map(\.geometry))
    let files = try reader.attachments(of: 1, in: "Parks")
    #expect(files.map(\.name) == ["a.jpg"])
    #expect(try reader.data(of: files[0].id, in: "Parks") == Data([1, 2, 3]))
    let relations = try reader.schema(of: "Parks").relationships
    var related: [[Int64]] = []
    for relation in relations {
      let found = try reader.relatedFeatures(to: 1, in: "Parks", through: relation)
      related.append(found.map(\.objectID))
    }
    #expect(related == [[7, 8, 12], [1, 2]])
  }

  @Test func `A tap finds what it meets`() throws {
    try Example.writeGeoPackage(to: url)
    let reader = try GeodatabaseReader(atGeoPackage: url)
    let inside = Coordinate(x: -7_592_000, y: 5_502_000)
    #expect(try reader.objectIDs(in: "Parks", touching: inside, within: 1) == [1])
    let outside = Coordinate(x: -7_599_000, y: 5_508_000)
    #expect(try reader.objectIDs(in: "Parks", touching: outside, within: 1) == [])
  }

  @Test func `The spatial index is sound`() throws {
    let fields = FieldList([Field("OBJECTID", .objectID)])
    let schema = FeatureTableSchema(
      name: "Points", geometryType: .point, spatialReference: .wgs84, fields: fields.fields)
    let writer = try GeoPackageWriter(
      at: url, GeodatabaseDefinition(name: "Points", tables: [.init(schema)]),
      now: Example.moment, makeID: Example.ids())
    for number in 1...5_000 {
      let column = Double(number * 7919 % 360)
      let row = Double(number % 170)
      let point = Point(x: column - 180, y: row - 85)
      try writer.append(
        Feature(
          objectID: Int64(number), attributes: Attributes(fields), geometry: .point(point)),
        to: "points")
    }
    try writer.finish()
    let connection = try Connection(at: url, access: .readOnly)
    #expect(try connection.integrityCheck() == [])
    let check = try connection.query("SELECT rtreecheck('rtree_Points_Shape')")
    #expect(try check.step())
    #expect(check.text(at: 0) == "ok")
  }

  @Test func `Attachments find their features by global id, or are named as left out`() throws {
    let writer = try GeoPackageWriter(
      at: url, Example.definition, now: Example.moment, makeID: Example.ids())
    let photo = NewAttachment(name: "b.png", contentType: "image/png", data: Data([9]))
    try writer.append(photo, toFeature: .text(Example.parkID), of: "parks")
    try writer.append(photo, toFeature: .text("{none}"), of: "parks")
    try writer.append(Example.parks[0], to: "Parks")
    let omissions = try writer.finish()
    #expect(omissions.contains(Omission(table: "Parks", .attachments(count: 1))))
    let reader = try GeodatabaseReader(atGeoPackage: url)
    #expect(try reader.attachments(of: 1, in: "Parks").map(\.name) == ["b.png"])
  }

  @Test func `An attachment that two features share is there for each of them`() throws {
    let writer = try GeoPackageWriter(
      at: url, Example.definition, now: Example.moment, makeID: Example.ids())
    let photo = NewAttachment(name: "a.jpg", contentType: "image/jpeg", data: Data([1]), id: 1)
    let plan = NewAttachment(name: "b.jpg", contentType: "image/jpeg", data: Data([2]), id: 2)
    try writer.append(Example.parks[0], to: "Parks", attachments: [photo])
    try writer.append(Example.parks[1], to: "Parks", attachments: [photo, plan])
    try writer.finish()
    let reader = try GeodatabaseReader(atGeoPackage: url)
    #expect(try reader.attachments(of: 1, in: "Parks").map(\.name) == ["a.jpg"])
    #expect(try reader.attachments(of: 2, in: "Parks").map(\.name).sorted() == ["a.jpg", "b.jpg"])
  }

  /// A shape, whether its table has heights and measures, and whether some of it finds no place.
  @Test(
    arguments: [
      (.point(Point(x: 1, y: 2)), false, false, false),
      (.point(Point(x: 1, y: 2, z: 3)), false, false, true),
      (.point(Point(x: 1, y: 2, z: 3)), true, false, false),
      (.point(Point(x: 1, y: 2, m: 3)), true, false, true),
      (.point(Point(x: 1, y: 2, z: 3, m: 4)), true, true, false),
      (.polyline(line(z: nil, m: nil)), false, false, false),
      (.polyline(line(z: [3, 4], m: nil)), false, true, true),
      (.polyline(line(z: [3, 4], m: [5, 6])), true, false, true),
      (.polyline(line(z: [3, 4], m: [5, 6])), true, true, false),
    ] as [(Geometry, Bool, Bool, Bool)])
  func `Heights and measures that a table has no place for are named as left out`(
    _ shape: Geometry, _ hasZ: Bool, _ hasM: Bool, _ isCut: Bool
  ) throws {
    let fields = FieldList([Field("OBJECTID", .objectID)])
    let schema = FeatureTableSchema(
      name: "Places", geometryType: shape.type, hasZ: hasZ, hasM: hasM, spatialReference: .wgs84,
      fields: fields.fields)
    let writer = try GeoPackageWriter(
      at: url, GeodatabaseDefinition(name: "Places", tables: [.init(schema)]),
      now: Example.moment, makeID: Example.ids())
    try writer.append(
      Feature(objectID: 1, attributes: Attributes(fields), geometry: shape), to: "Places")
    let omissions = isCut ? [Omission(table: "Places", .heightsOrMeasures)] : []
    #expect(try writer.finish() == omissions)
  }

  /// Shapes of a table with heights and measures, and whether the catalogue has to allow for some without.
  @Test(
    arguments: [
      ([line(z: [3, 4], m: [5, 6])], 1, 1), ([line(z: [3, 4], m: nil)], 1, 2),
      ([line(z: nil, m: [5, 6]), line(z: [3, .nan], m: [5, .nan])], 2, 1),
      ([line(z: nil, m: nil), line(z: [3, 4], m: [5, 6])], 2, 2),
      ([line(z: [.nan, .nan], m: nil)], 2, 2),
    ] as [([Polyline], Int64, Int64)])
  func `A shape without heights or measures stays so in a table that has them`(
    _ lines: [Polyline], _ z: Int64, _ m: Int64
  ) throws {
    let fields = FieldList([Field("OBJECTID", .objectID)])
    let schema = FeatureTableSchema(
      name: "Lines", geometryType: .polyline, hasZ: true, hasM: true, spatialReference: .wgs84,
      fields: fields.fields)
    let writer = try GeoPackageWriter(
      at: url, GeodatabaseDefinition(name: "Lines", tables: [.init(schema)]),
      now: Example.moment, makeID: Example.ids())
    for (index, line) in lines.enumerated() {
      try writer.append(
        Feature(
          objectID: Int64(index + 1), attributes: Attributes(fields), geometry: .polyline(line)),
        to: "Lines")
    }
    #expect(try writer.finish().isEmpty)
    let reader = try GeodatabaseReader(atGeoPackage: url)
    let read = try reader.features(in: "Lines", matching: .init()).map { $0.geometry?.paths.first }
    for (path, line) in zip(read, lines) {
      let known = line.paths.first?.z.flatMap { $0.allSatisfy(\.isNaN) ? nil : $0 }
      #expect(path?.z?.map(\.bitPattern) == known?.map(\.bitPattern))
      #expect(path?.m?.map(\.bitPattern) == line.paths.first?.m?.map(\.bitPattern))
    }
    #expect(read.count == lines.count)
    let query = try Connection(at: url, access: .readOnly).query(
      "SELECT z, m FROM gpkg_geometry_columns")
    #expect(try query.step())
    #expect([query.integer(at: 0), query.integer(at: 1)] == [z, m])
  }

  private static func line(z: [Double]?, m: [Double]?) -> Polyline {
    Polyline(paths: [Path([Coordinate(x: 1, y: 2), Coordinate(x: 3, y: 4)], z: z, m: m)])
  }

  @Test func `A row that does not fit is refused, and the next one taken`() throws {
    // Every box fits, as long as it is finite.
    for (field, feature) in Example.badRows where feature.geometry?.type != .envelope {
      let error = try refusal(of: feature)
      guard case .invalidValue("Parks", 9, field, _)? = error else {
        Issue.record("\(field): \(String(describing: error))")
        continue
      }
      #expect(try GeodatabaseReader(atGeoPackage: url).count(in: "Parks", matching: .init()) == 1)
    }
  }

  /// Why a park is refused, in a file that then takes another one.
  private func refusal(of park: Feature) throws -> GeodatabaseWriterError? {
    let writer = try GeoPackageWriter(
      at: url, Example.definition, now: Example.moment, makeID: Example.ids())
    let error = refusal(of: park, by: writer)
    try writer.append(Example.parks[0], to: "Parks")
    try writer.finish()
    return error
  }

  private func refusal(
    of park: Feature, by writer: borrowing GeoPackageWriter
  ) -> GeodatabaseWriterError? {
    do { try writer.append(park, to: "Parks") } catch { return error }
    return nil
  }

  @Test(arguments: [Double.nan, .infinity])
  func `Coordinates that are no numbers are refused`(_ bad: Double) throws {
    let writer = try GeoPackageWriter(
      at: url, Example.definition, now: Example.moment, makeID: Example.ids())
    let line = Path([Coordinate(x: 0, y: 0), Coordinate(x: 1, y: bad)])
    let feature = Feature(
      objectID: 1, attributes: Attributes(Example.trailFields),
      geometry: .polyline(Polyline(paths: [line])))
    #expect(throws: GeodatabaseWriterError.self) { try writer.append(feature, to: "Trails") }
  }

  @Test(arguments: ["gpkg_parks", "rtree_parks", "sqlite_parks"])
  func `Names that are the format's own are refused`(_ name: String) {
    let definition = GeodatabaseDefinition(
      name: "", tables: [.init(FeatureTableSchema(name: name, fields: []))])
    #expect(throws: GeodatabaseWriterError.self) {
      try GeoPackageWriter(at: url, definition, now: Example.moment, makeID: Example.ids())
        .finish()
    }
    #expect(!FileManager.default.fileExists(atPath: url.path(percentEncoded: false)))
  }

  @Test func `A writer that is dropped leaves what was there`() throws {
    try Data("before".utf8).write(to: url)
    do {
      let writer = try GeoPackageWriter(
        at: url, Example.definition, now: Example.moment, makeID: Example.ids())
      try writer.append(Example.parks[0], to: "Parks")
    }
    #expect(try Data(contentsOf: url) == Data("before".utf8))
    let names = try FileManager.default.contentsOfDirectory(
      atPath: temporaryDirectory.path(percentEncoded: false))
    #expect(names == ["new.gpkg"])
  }

  @Test func `Domains that are the same are one constraint, others keep their own name`() throws {
    func domain(_ name: String, _ code: String) -> Domain {
      .codedValue(
        CodedValueDomain(
          name: name, codedValues: [CodedValue(code: .text(code), name: "Name of \(code)")]))
    }
    let fields = [
      Field("OBJECTID", .objectID), Field("A", .string, domain: domain("D", "x")),
      Field("B", .string, domain: domain("D", "x")), Field("C", .string, domain: domain("D", "y")),
      Field(
        "E", .date,
        domain: .range(
          RangeDomain(
            name: "R", minimum: .date(Example.moment), maximum: .date(Example.moment)))),
    ]
    let schema = FeatureTableSchema(name: "T", fields: fields)
    let writer = try GeoPackageWriter(
      at: url, GeodatabaseDefinition(name: "T", tables: [.init(schema)]), now: Example.moment,
      makeID: Example.ids())
    #expect(try writer.finish() == [Omission(table: "T", .domain(field: "E"))])
    let connection = try Connection(at: url, access: .readOnly)
    let names = try connection.query(
      "SELECT group_concat(constraint_name, ',') FROM gpkg_data_columns")
    #expect(try names.step())
    #expect(names.text(at: 0) == "D,D,D_2")
  }

  @Test func `A range that is open to one side is read and written so`() throws {
    let open = RangeDomain(name: "Low", minimum: .null, maximum: .integer(4))
    let fields = [
      Field("OBJECTID", .objectID), Field("A", .integer, domain: .range(open)),
      Field(
        "B", .double,
        domain: .range(RangeDomain(name: "High", minimum: .double(1.5), maximum: .double(9)))),
    ]
    let writer = try GeoPackageWriter(
      at: url,
      GeodatabaseDefinition(
        name: "T", tables: [.init(FeatureTableSchema(name: "T", fields: fields))]),
      now: Example.moment, makeID: Example.ids())
    #expect(try writer.finish().isEmpty)
    let connection = try Connection(at: url, access: .readWrite)
    do {
      let bounds = try connection.query(
        "SELECT min IS NULL FROM gpkg_data_column_constraints WHERE constraint_name = 'Low'")
      #expect(try bounds.step())
      #expect(bounds.integer(at: 0) == 1)
    }
    try connection.execute(
      "UPDATE gpkg_data_column_constraints SET max = NULL WHERE constraint_name = 'High'")
    let schema = try #require(try GeodatabaseReader(atGeoPackage: url).schemas().first)
    #expect(schema.field(named: "A")?.domain == .range(open))
    let high = try #require(schema.field(named: "B")?.domain)
    #expect(high == .range(RangeDomain(name: "High", minimum: .double(1.5), maximum: .null)))
    #expect(high.allows(.double(1e9)) && !high.allows(.double(1)))
  }
}
