internal import Foundation
internal import PortolanFeatures
internal import PortolanGeoPackage
internal import PortolanGeodatabase
internal import PortolanGeometry

/// A small geodatabase, and a GeoPackage, with areas, their attachments and related rows.
enum GeodatabaseSeeds {
  private static let parkFields = FieldList([
    Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
    Field("NAME", .string, length: 40), Field("KIND", .smallInteger, domain: kinds),
    Field("AREA", .double), Field("VISITED", .date),
    Field("GlobalID", .globalID, length: 38, isNullable: false, isEditable: false),
  ])

  private static let visitFields = FieldList([
    Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
    Field("NAME", .string, length: 20), Field("PARK", .guid, length: 38),
  ])

  private static let kinds = Domain.codedValue(
    CodedValueDomain(name: "Kinds", codedValues: [CodedValue(code: .integer(1), name: "State")]))

  private static let parks = FeatureTableSchema(
    name: "Parks", geometryType: .polygon, spatialReference: .wgs84, fields: parkFields.fields,
    globalIDField: "GlobalID", displayField: "NAME",
    relationships: [relationship(to: "Visits", .origin, "GlobalID", "PARK")],
    hasAttachments: true, serviceLayerID: 0)

  private static let visits = FeatureTableSchema(
    name: "Visits", fields: visitFields.fields,
    relationships: [relationship(to: "Parks", .destination, "PARK", "GlobalID")],
    serviceLayerID: 1)

  private static func relationship(
    to table: String, _ role: RelationshipInfo.Role, _ key: String, _ relatedKey: String
  ) -> RelationshipInfo {
    RelationshipInfo(
      id: 1, name: "ParkVisits", relatedTable: table, cardinality: .oneToMany, role: role,
      keyField: key, relatedKeyField: relatedKey, isComposite: true)
  }

  private static let definition = GeodatabaseDefinition(
    name: "Seed", tables: [.init(parks), .init(visits)])
  private static let moment = Date(timeIntervalSince1970: 1_562_929_819)
  private static let photo = NewAttachment(
    name: "a.jpg", contentType: "image/jpeg", data: Data([1, 2, 3]))

  static func files() throws -> [Data] {
    var numbers = SplitMix64(seed: 1)
    return try written("geodatabase") { url in
      let writer = try GeodatabaseWriter(
        at: url, definition, now: moment, makeID: { id(&numbers) })
      for number in 1...3 {
        try writer.append(park(number), to: "Parks", attachments: [photo])
        try writer.append(visit(number), to: "Visits")
      }
      try writer.finish()
    }
  }

  /// The same as a GeoPackage.
  static func geoPackages() throws -> [Data] {
    var numbers = SplitMix64(seed: 1)
    return try written("gpkg") { url in
      let writer = try GeoPackageWriter(
        at: url, definition, now: moment, makeID: { id(&numbers) })
      for number in 1...3 {
        try writer.append(park(number), to: "Parks", attachments: [photo])
        try writer.append(visit(number), to: "Visits")
      }
      try writer.finish()
    }
  }

  /// Changes of the same areas.
  static func deltas() throws -> [Data] {
    var numbers = SplitMix64(seed: 1)
    let replica = id(&numbers)
    let ids = (0..<4).map { _ in "{\(id(&numbers).uuidString)}" }
    var photo = photo
    photo.globalID = ids[0]
    let delta = GeodatabaseDelta(
      replicaID: replica,
      layers: [
        GeodatabaseDelta.Layer(
          layerID: 0, schema: parks, serverGeneration: 7, adds: [park(1), park(2)],
          updates: [park(3)], deletes: [ids[1]],
          addedFiles: [GeodatabaseDelta.File(photo, parentGlobalID: ids[2])],
          deletedFiles: [ids[3]]),
        GeodatabaseDelta.Layer(
          layerID: 1, schema: visits, serverGeneration: 7, adds: [visit(1)]),
      ],
      results: [
        GeodatabaseDelta.EditResult(
          objectID: 1, globalID: ids[0], isSuccess: false, code: 1000, reason: "No",
          kind: .add, layerID: 0)
      ])
    return try written("geodatabase") { url in
      try delta.write(to: url, now: moment) { id(&numbers) }
    }
  }

  private static func written(
    _ pathExtension: String, _ write: (URL) throws -> Void
  ) throws -> [Data] {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "\(UUID().uuidString).\(pathExtension)")
    try write(url)
    let data = try Data(contentsOf: url)
    try FileManager.default.removeItem(at: url)
    return [data]
  }

  private static func visit(_ number: Int) -> Feature {
    let values: [AttributeValue] = [.null, .text("A visit"), .text(globalID(number))]
    return Feature(objectID: 0, attributes: Attributes(visitFields, values))
  }

  private static func park(_ number: Int) -> Feature {
    let values: [AttributeValue] = [
      .integer(Int64(number)), .text("A park"), .integer(1), .double(2.5), .date(moment),
      .text(globalID(number)),
    ]
    return Feature(
      objectID: Int64(number), attributes: Attributes(parkFields, values),
      geometry: GeometrySeeds.shapes[5])
  }

  private static func globalID(_ number: Int) -> String {
    "{0FC1A2B3-0000-4000-8000-00000000000\(number)}"
  }

  private static func id(_ numbers: inout SplitMix64) -> UUID {
    let pair = (numbers.next(), numbers.next())
    return unsafe withUnsafeBytes(of: pair) { unsafe $0.loadUnaligned(as: UUID.self) }
  }
}
