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

  @Test(arguments: FeatureStoreContract.cases)
  func `A geodatabase that is open for editing does too`(
    _ contract: FeatureStoreContract
  ) async throws {
    let url = temporaryDirectory.appending(path: "contract.geodatabase")
    try ContractGeodatabase.write(ContractTables.all, isChangeTracked: true, to: url)
    let store = try ContractGeodatabase.edited(url)
    try await contract.check(store)
    await store.close()
  }

  @Test(arguments: EditingContract.cases, [false, true])
  func `A geodatabase can be edited as any other store`(
    _ contract: EditingContract, isChangeTracked: Bool
  ) async throws {
    let url = temporaryDirectory.appending(path: "contract.geodatabase")
    try ContractGeodatabase.write(
      EditingTables.all, isChangeTracked: isChangeTracked, to: url)
    let store = try ContractGeodatabase.edited(url)
    try await contract.check(store)
    await store.close()
    #expect(try GeodatabaseAudit.findings(in: url) == [])
  }

  private func store(isChangeTracked: Bool) throws -> Geodatabase {
    let url = temporaryDirectory.appending(path: "contract.geodatabase")
    try ContractGeodatabase.write(
      ContractTables.all, isChangeTracked: isChangeTracked, to: url)
    return try Geodatabase.open(at: url)
  }
}

/// Geodatabases that hold the tables of a contract.
enum ContractGeodatabase {
  /// Writes tables into a new file.
  static func write(
    _ contents: [FeatureTableContents], isChangeTracked: Bool, to url: URL
  ) throws {
    // The table between parks and rangers is made for their relationship.
    let tables = contents.filter { $0.schema.name != "Guards" }.map { table in
      var schema = table.schema
      schema.isChangeTracked = isChangeTracked
      return GeodatabaseDefinition.Table(schema)
    }
    let writer = try GeodatabaseWriter(
      at: url, GeodatabaseDefinition(name: "Contract", tables: tables),
      now: Date(timeIntervalSince1970: 1_592_224_496)
    ) { UUID() }
    for table in contents { try write(table, to: writer) }
    try writer.finish()
  }

  /// Opens a file for edits at the moment, and by the person, of the editing contract.
  static func edited(_ url: URL) throws -> EditableGeodatabase {
    try EditableGeodatabase.open(
      at: url, user: EditingTables.user, now: { EditingTables.moment }, makeID: { UUID() })
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
