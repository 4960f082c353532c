import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeodatabase
import PortolanTestSupport
import Testing

/// Whether geodatabases that were written answer as every feature store must.
@Suite(.temporaryDirectory) struct GeodatabaseContractTests {
  @Test(arguments: FeatureStoreContract.cases)
  func `A geodatabase keeps the contract`(_ contract: FeatureStoreContract) async throws {
    try await contract.check(store(isChangeTracked: false))
  }

  @Test(arguments: FeatureStoreContract.cases)
  func `A geodatabase that keeps its history does too`(
    _ contract: FeatureStoreContract
  ) async throws {
    try await contract.check(store(isChangeTracked: true))
  }

  private func store(isChangeTracked: Bool) throws -> Geodatabase {
    let url = temporaryDirectory.appending(path: "contract.geodatabase")
    // The table between parks and rangers is made for their relationship.
    let tables = ContractTables.all.filter { $0.schema.name != "Guards" }.map { table in
      var schema = table.schema
      schema.isChangeTracked = isChangeTracked
      return GeodatabaseDefinition.Table(schema)
    }
    let writer = try GeodatabaseWriter(
      at: url, GeodatabaseDefinition(name: "Contract", tables: tables),
      now: Date(timeIntervalSince1970: 1_592_224_496)
    ) { UUID() }
    for table in ContractTables.all { try Self.write(table, to: writer) }
    try writer.finish()
    return try Geodatabase.open(at: url)
  }

  private static func write(
    _ table: FeatureTableContents, to writer: borrowing GeodatabaseWriter
  ) throws {
    for feature in table.features {
      let files = table.attachedFiles.filter { $0.objectID == feature.objectID }
      try writer.append(
        feature, to: table.schema.name,
        attachments: files.map {
          NewAttachment(name: $0.name, contentType: $0.contentType, data: $0.data)
        })
    }
  }
}
