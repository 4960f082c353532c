import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeoPackage
import PortolanGeodatabase
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Testing

/// The editing of GeoPackages whose catalogue says little.
@Suite(.temporaryDirectory) struct GeoPackageCatalogueTests: ChangedGeoPackage {
  private func run(_ sql: String) throws {
    try Connection(at: url, access: .edit).execute(sql)
  }

  @Test(arguments: [nil, 80.0] as [Double?])
  func `A layer whose extent is not known gets one with the first shape`(
    known: Double?
  ) async throws {
    let store = try store()
    try run(
      """
      UPDATE gpkg_contents SET min_x = NULL, min_y = NULL, max_x = \(known.map { "\($0)" } ?? "NULL"),
        max_y = NULL WHERE table_name = 'Huts'
      """)
    _ = try await store.apply([
      .update(
        4, table: "Huts", attributes: [:], geometry: .set(.point(Point(x: 2, y: 45, z: 9))))
    ])
    for (column, value) in [("min_x", 2), ("min_y", 45), ("max_x", known ?? 2), ("max_y", 45)] {
      #expect(try number("SELECT \(column) FROM gpkg_contents WHERE table_name = 'Huts'") == value)
    }
    await store.close()
  }

  @Test func `A table that only the list of shapes has is not hidden`() async throws {
    let store = try store()
    await store.close()
    try run("DELETE FROM gpkg_contents WHERE table_name = 'Parcels'")
    let reader = try GeoPackage.open(at: url)
    #expect(try await reader.schemas().map(\.name).contains("Parcels"))
    #expect(try await reader.count(in: "Parcels", matching: .init()) == 1)
    let editor = try ContractGeoPackage.edited(url)
    _ = try await editor.apply([.update(1, table: "Parcels", attributes: ["NO": .integer(8)])])
    #expect(try await editor.localChanges().changes.map(\.table) == ["Parcels"])
    await editor.close()
  }
}
