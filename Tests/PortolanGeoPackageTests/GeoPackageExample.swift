import Foundation
import PortolanFeatureContracts
import PortolanFeatures

@testable import PortolanGeoPackage
@testable import PortolanGeodatabase

/// The same things as ``Example``, in a GeoPackage.
extension Example {
  @discardableResult
  static func writeGeoPackage(to url: URL) throws -> [Omission] {
    let writer = try GeoPackageWriter(at: url, definition, now: moment, makeID: ids())
    let photo = NewAttachment(name: "a.jpg", contentType: "image/jpeg", data: Data([1, 2, 3]))
    try writer.append(parks[0], to: "Parks", attachments: [photo])
    try writer.append(parks[1], to: "Parks")
    try writer.append(contentsOf: trails, to: "Trails")
    try writer.append(contentsOf: rangers, to: "Rangers")
    let pair = FieldList([Field("PARKID", .guid), Field("RANGERID", .integer)])
    for ranger in 1...2 {
      let attributes = Attributes(pair, [.text(parkID), .integer(Int64(ranger))])
      try writer.append(Feature(objectID: 0, attributes: attributes), to: "ParkRangers")
    }
    return try writer.finish()
  }

  /// Copies all that a geodatabase holds into a GeoPackage.
  @discardableResult
  static func copyToGeoPackage(_ source: URL, _ target: URL) throws -> [Omission] {
    let reader = try GeodatabaseReader(at: source)
    let schemas = try reader.schemas()
    let definition = GeodatabaseDefinition(
      name: "Copy", tables: schemas.map { GeodatabaseDefinition.Table($0) })
    let writer = try GeoPackageWriter(at: target, definition, now: moment, makeID: ids())
    for schema in schemas {
      let cursor = try reader.cursor(in: schema.name, matching: QueryParameters())
      while let feature = try cursor.next() { try writer.append(feature, to: schema.name) }
    }
    return try writer.finish()
  }
}
