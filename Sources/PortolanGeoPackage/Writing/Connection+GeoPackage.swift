internal import Foundation
internal import PortolanFeatureTables
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanSQLite

extension Connection {
  /// The four bytes that name the format: `GPKG`.
  private static let geoPackageID: Int32 = 0x4750_4B47

  /// The release of the standard: 1.3, whose triggers all validators know.
  private static let geoPackageVersion: Int32 = 10_300

  /// Makes the tables of a new GeoPackage, in a transaction that ``endGeoPackage`` commits.
  func beginGeoPackage(_ plan: GeoPackagePlan) throws(DatabaseError) {
    try beginFile(applicationID: Self.geoPackageID)
    try setUserVersion(Self.geoPackageVersion)
    for statement in GeoPackageSystemTable.core { try execute(statement) }
    for table in plan.tables { try execute(table.geoPackageStatement) }
    try GeoPackageRelations.begin(plan, on: self)
  }

  /// Makes the indexes and triggers and describes the tables; returns what was left out.
  func endGeoPackage(
    _ plan: GeoPackagePlan, _ fills: [TableFill], _ attachments: [AttachmentFill], now: Date
  ) throws -> [Omission] {
    for fill in fills {
      for statement in fill.layout.geoPackageIndexStatements { try execute(statement) }
      guard let name = fill.layout.geoPackageIndexName else { continue }
      try makeSpatialIndex(named: name, key: "id", of: fill.index, sortingIn: fill.folder)
      for statement in fill.layout.geoPackageTriggerStatements { try execute(statement) }
    }
    for attachment in attachments { try attachment.finish(on: self) }
    let catalogue = GeoPackageCatalogue(
      plan: plan, fills: fills,
      moment: DateTimeText.text(of: now) ?? "1970-01-01T00:00:00.000Z")
    try catalogue.write(on: self)
    let domains = try GeoPackageConstraints.write(plan.tables, on: self)
    var relations = GeoPackageRelations(plan)
    try relations.finish(on: self)
    try execute("COMMIT")
    return plan.omissions + domains + relations.omissions
  }
}
