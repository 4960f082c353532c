import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeodatabase
import PortolanTestSupport
import Testing

/// Whether GeoPackages that were written answer as every feature store must.
@Suite(.temporaryDirectory) struct GeoPackageContractTests {
  @Test(arguments: FeatureStoreContract.cases)
  func `A GeoPackage keeps the contract`(_ contract: FeatureStoreContract) async throws {
    let url = temporaryDirectory.appending(path: "contract.gpkg")
    // The table between parks and rangers is made for their relationship.
    let tables = ContractTables.all.filter { $0.schema.name != "Guards" }
      .map { GeodatabaseDefinition.Table($0.schema) }
    let writer = try GeoPackageWriter(
      at: url, GeodatabaseDefinition(name: "Contract", tables: tables),
      now: Date(timeIntervalSince1970: 1_592_224_496)
    ) { UUID() }
    for table in ContractTables.all {
      for feature in table.features {
        let files = table.attachedFiles.filter { $0.objectID == feature.objectID }
        try writer.append(
          feature, to: table.schema.name,
          attachments: files.map {
            NewAttachment(name: $0.name, contentType: $0.contentType, data: $0.data)
          })
      }
    }
    #expect(try writer.finish() == [])
    try await contract.check(GeoPackage.open(at: url))
  }
}
