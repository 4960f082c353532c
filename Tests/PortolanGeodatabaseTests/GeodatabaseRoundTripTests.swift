import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// Whether what is written is read again.
@Suite(.temporaryDirectory) struct GeodatabaseRoundTripTests {
  private var url: URL { temporaryDirectory.appending(path: "new.geodatabase") }

  @Test func `Schemas are read as they were written`() async throws {
    try Example.write(to: url)
    let schemas = try await Geodatabase.open(at: url).schemas()
    let written = [Example.parkSchema, Example.trailSchema, Example.rangerSchema]
    for (schema, var expected) in zip(schemas, written) {
      expected.extent = schema.extent
      #expect(schema == expected)
    }
    #expect(schemas.map(\.name) == ["Parks", "Trails", "Rangers", "ParkRangers"])
  }

  @Test func `Without a description of the service the definitions say the same`() async throws {
    try Example.write(to: url)
    do {
      let connection = try Connection(at: url, access: .readWrite)
      try connection.execute("DELETE FROM GDB_ServiceItems")
    }
    let schemas = try await Geodatabase.open(at: url).schemas()
    #expect(schemas.map(\.name) == ["Parks", "Trails", "Rangers"])
    let park = try #require(schemas.first)
    #expect(park.alias == "Parks of Maine")
    #expect(park.field(named: "KIND")?.domain == Example.kinds)
    #expect(park.typeIDField == "KIND")
    #expect(park.types.map(\.name) == ["National", "State"])
    #expect(park.types.last?.domains == ["KIND": Example.kinds])
    #expect(park.editorTracking == Example.parkSchema.editorTracking)
    #expect(park.spatialReference?.isWebMercator == true)
    #expect(park.hasAttachments)
    #expect(Set(park.relationships.map(\.relatedTable)) == ["Trails", "Rangers"])
    let pairs = park.relationships.first { $0.joinTable != nil }?.joinTable
    #expect(pairs == Example.parkSchema.relationships[1].joinTable)
    #expect(schemas[1].isChangeTracked)
    #expect(schemas[1].field(named: "MILES")?.domain == Example.lengths)
  }

  @Test func `Features are read as they were written`() async throws {
    try Example.write(to: url)
    let store = try Geodatabase.open(at: url)
    let written = ["Parks": Example.parks, "Trails": Example.trails, "Rangers": Example.rangers]
    for (table, features) in written {
      let read = try await store.features(in: table, matching: QueryParameters()).collect()
      try #require(read.count == features.count)
      for (one, other) in zip(read, features) {
        #expect(one.geometry == other.geometry)
        for (field, value) in zip(other.attributes.fields, other.attributes.values)
        where field.type != .objectID && field.type != .globalID {
          #expect(one.attributes[field.name] == field.type.normalized(value))
        }
      }
    }
    let parks = try await store.features(in: "Parks", matching: QueryParameters()).collect()
    #expect(parks.map(\.objectID) == [1, 2])
    #expect(parks[0].attributes["GlobalID"] == .text(Example.parkID))
    #expect(parks[1].attributes["GlobalID"]?.isNull == false)
  }

  @Test func `Attachments and related rows are found`() async throws {
    try Example.write(to: url)
    let store = try Geodatabase.open(at: url)
    let attachments = try await store.attachments(of: 1, in: "Parks")
    #expect(attachments.map(\.name) == ["a.jpg"])
    #expect(try await store.data(of: attachments[0].id, in: "Parks") == Data([1, 2, 3]))
    let related = try await Example.parkSchema.relationships.asyncMap { relationship in
      try await store.relatedFeatures(to: 1, in: "Parks", through: relationship).count
    }
    #expect(related == [3, 2])
    let park = try await store.relatedFeatures(
      to: 2, in: "Rangers", through: Example.rangerSchema.relationships[0])
    #expect(park.map(\.objectID) == [1])
  }

  @Test(.needsSharedFiles, arguments: SampleGeodatabase.all)
  func `A real geodatabase that is rewritten contains the same`(
    _ sample: SampleGeodatabase
  ) async throws {
    let original = try Geodatabase.open(at: sample.url)
    let definition = try await original.definition()
    let writer = try GeodatabaseWriter(
      at: url, definition, now: Example.moment, makeID: Example.ids())
    for table in definition.tables {
      let name = table.schema.name
      let features = try await original.features(in: name, matching: QueryParameters()).collect()
      try writer.append(contentsOf: features, to: name)
    }
    try writer.finish()
    let copy = try Geodatabase.open(at: url)
    #expect(try await copy.schemas() == definition.tables.map(\.schema))
    for table in definition.tables {
      let name = table.schema.name
      let read = try await copy.features(in: name, matching: QueryParameters()).collect()
      let expected = try await original.features(in: name, matching: QueryParameters()).collect()
      #expect(read == expected, "\(name)")
      #expect(
        try await copy.extent(of: name, matching: QueryParameters())
          == original.extent(of: name, matching: QueryParameters()))
    }
    let connection = try Connection(at: url, access: .readWrite)
    #expect(try connection.integrityCheck() == [])
  }
}

extension Geodatabase {
  /// The definition of a geodatabase that holds the same tables.
  fileprivate func definition() async throws -> GeodatabaseDefinition {
    let tables = try await schemas().map { ($0, $0.name) }
    let precisions = try await read { reader throws(FeatureStoreError) in
      var precisions: [String: CoordinatePrecision] = [:]
      for schema in try reader.schemas() {
        precisions[schema.name] = try reader.storage(of: schema.name).geometry?.precision
      }
      return precisions
    }
    return GeodatabaseDefinition(
      name: "copy",
      tables: tables.map { GeodatabaseDefinition.Table($0.0, precision: precisions[$0.1]) })
  }
}

extension FieldType {
  /// A value as the column of a field gives it back.
  fileprivate func normalized(_ value: AttributeValue) -> AttributeValue {
    switch self {
    case .double, .single: value.number.map { .double($0) } ?? value
    default: value
    }
  }
}

extension Array {
  fileprivate func asyncMap<T>(_ transform: (Element) async throws -> T) async rethrows -> [T] {
    var results: [T] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
