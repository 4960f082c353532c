internal import Foundation
internal import PortolanFeatures
internal import PortolanGeoPackage
internal import PortolanGeodatabase
internal import PortolanGeometry

extension FuzzTarget {
  /// A mobile geodatabase is opened and read in full: schemas, features, related records,
  /// attachments, queries and taps.
  ///
  /// Most of the time goes into SQLite, and into writing the file that it opens.
  static let geodatabase = FuzzTarget(
    "geodatabase", cost: 20, form: .pages, seeds: GeodatabaseSeeds.files
  ) { data in
    try withFile(data, "geodatabase") { url in try readAll(GeodatabaseReader(at: url)) }
  }

  /// The same of a GeoPackage.
  static let geoPackage = FuzzTarget(
    "geopackage", cost: 20, form: .pages, seeds: GeodatabaseSeeds.geoPackages
  ) { data in
    try withFile(data, "gpkg") { url in try readAll(GeodatabaseReader(atGeoPackage: url)) }
  }

  /// The changes in a geodatabase are read: rows, files and results.
  static let geodatabaseDelta = FuzzTarget(
    "geodatabase-delta", cost: 20, form: .pages, seeds: GeodatabaseSeeds.deltas
  ) { data in
    try withFile(data, "geodatabase") { url in _ = try GeodatabaseDelta(readingFrom: url) }
  }

  private static func withFile(
    _ data: Data, _ pathExtension: String, _ body: (URL) throws -> Void
  ) throws {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "\(UUID().uuidString).\(pathExtension)")
    // A file that cannot be removed is one more temporary file.
    defer { try? FileManager.default.removeItem(at: url) }
    try data.write(to: url)
    try body(url)
  }

  private static func readAll(_ reader: borrowing GeodatabaseReader) throws {
    var failure: FeatureStoreError?
    for schema in try reader.schemas() {
      do throws(FeatureStoreError) { try read(schema, reader) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Far more than the seeds hold: damaged trees may lead in circles.
  private static let limit = 1000

  private static func read(
    _ schema: FeatureTableSchema, _ reader: borrowing GeodatabaseReader
  ) throws(FeatureStoreError) {
    var ids: [Int64] = []
    try reader.forEachFeature(in: schema.name, matching: QueryParameters(limit: limit)) {
      ids.append($0.objectID)
      return true
    }
    let order = schema.fields.map { QueryParameters.OrderBy($0.name, isDescending: true) }
    let box = Envelope(xMin: -1, yMin: -1, xMax: 7, yMax: 7)
    let query = QueryParameters(
      whereClause: "OBJECTID > 0 AND UPPER(NAME) LIKE 'A%'", extent: box, orderBy: order, limit: 10)
    _ = try reader.count(in: schema.name, matching: QueryParameters())
    _ = try reader.extent(of: schema.name, matching: QueryParameters())
    for id in ids.prefix(4) {
      for relationship in schema.relationships {
        _ = try reader.relatedFeatures(to: id, in: schema.name, through: relationship)
      }
      for attachment in try reader.attachments(of: id, in: schema.name) {
        _ = try reader.data(of: attachment.id, in: schema.name)
      }
    }
    if schema.geometryType != nil {
      _ = try reader.objectIDs(
        in: schema.name, touching: Coordinate(x: 1, y: 1), within: 1, limit: 10)
    }
    _ = try reader.features(in: schema.name, matching: query)
  }
}
