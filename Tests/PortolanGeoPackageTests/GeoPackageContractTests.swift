import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeoPackage
import PortolanGeodatabase
import PortolanTestSupport
import Testing

/// Whether GeoPackages that were written answer as every feature store must.
@Suite(.temporaryDirectory) struct GeoPackageContractTests {
  @Test(arguments: FeatureStoreContract.cases)
  func `A GeoPackage keeps the contract`(_ contract: FeatureStoreContract) async throws {
    let url = temporaryDirectory.appending(path: "contract.gpkg")
    try ContractGeoPackage.write(ContractTables.all, to: url)
    try await contract.check(GeoPackage.open(at: url))
  }
}
